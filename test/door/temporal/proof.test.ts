/** Behaviours of Temporal's schedules, sentence by sentence, where other tests show a part; the numbers are those of docs/temporal-behaviours.md. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Carillon, OperatorOptions } from '../../../packages/carillon/src/main.ts';
import type { Sleep } from './virtual-stage.ts';
import { VirtualStage } from './virtual-stage.ts';

const namespace = 'default';
const seconds = (value: number) => ({ seconds: value as never });
const daily = { interval: [{ interval: seconds(86_400) }] };
const payload = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

async function open(scheduler?: OperatorOptions): Promise<VirtualStage> {
  const register = (carillon: Carillon, sleep: Sleep) => {
    carillon.handle('work', async ({ input, signal }) => await sleep((input as number | null) ?? 0, signal));
    carillon.handle('fail', () => Promise.reject(new Error('no')));
  };
  return await VirtualStage.open(register, scheduler === undefined ? {} : { scheduler });
}

/** The workflow that the schedules here start. */
const work = { workflowId: 'w', workflowType: { name: 'work' }, taskQueue: { name: 'default' } };

async function create(
  stage: VirtualStage,
  scheduleId: string,
  start: object = {},
  schedule: object = {},
): Promise<void> {
  const startWorkflow = { ...work, ...start };
  await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId: randomUUID(),
    schedule: { spec: daily, action: { startWorkflow }, ...schedule },
  });
}

async function patch(stage: VirtualStage, scheduleId: string, change: object): Promise<void> {
  await stage.service.patchSchedule({ namespace, scheduleId, requestId: randomUUID(), patch: change });
  await stage.world.settle();
}

const listed = async (stage: VirtualStage) =>
  (await stage.service.listSchedules({ namespace })).schedules?.[0]?.info;
const described = async (stage: VirtualStage, scheduleId: string) =>
  (await stage.service.describeSchedule({ namespace, scheduleId })).info;

test('a description has the ten newest finished actions by start and every running one (163, 164)', async () => {
  await using stage = await open();
  await create(stage, 's');
  for (let i = 0; i < 13; i += 1) {
    await patch(stage, 's', { triggerImmediately: { overlapPolicy: 6 } });
    await stage.world.advance('1s');
    // Exactly ten are all shown.
    if (i === 9) expect((await described(stage, 's'))?.recentActions).toHaveLength(10);
  }
  const startWorkflow = { ...work, input: { payloads: [payload(3_600_000)] } };
  const schedule = { spec: daily, action: { startWorkflow } };
  await stage.service.updateSchedule({ namespace, scheduleId: 's', requestId: randomUUID(), schedule });
  for (let i = 0; i < 13; i += 1) {
    await patch(stage, 's', { triggerImmediately: { overlapPolicy: 6 } });
    await stage.world.advance('1s');
  }
  const statuses = (await described(stage, 's'))?.recentActions?.map(
    ({ startWorkflowStatus }) => startWorkflowStatus,
  );
  expect(statuses).toEqual([...new Array(10).fill(2), ...new Array(13).fill(1)]);
});

test('the ten finished actions that are shown are those that started last, whatever ended last (163)', async () => {
  await using stage = await open();
  await create(stage, 's', { input: { payloads: [payload(60_000)] } });
  await patch(stage, 's', { triggerImmediately: { overlapPolicy: 6 } });
  const [long] = (await described(stage, 's'))?.recentActions ?? [];
  const schedule = { spec: daily, action: { startWorkflow: work } };
  await stage.service.updateSchedule({ namespace, scheduleId: 's', requestId: randomUUID(), schedule });
  for (let i = 0; i < 10; i += 1) {
    await stage.world.advance('1s');
    await patch(stage, 's', { triggerImmediately: { overlapPolicy: 6 } });
  }
  const shown = async () =>
    ((await described(stage, 's'))?.recentActions ?? []).map(
      ({ startWorkflowResult }) => startWorkflowResult?.workflowId,
    );
  const id = long?.startWorkflowResult?.workflowId;
  // While it runs it is shown beside the ten; when it has ended, ten others started later.
  expect(await shown()).toHaveLength(11);
  expect(await shown()).toContain(id);
  await stage.world.advance('2m');
  expect(await shown()).toHaveLength(10);
  expect(await shown()).not.toContain(id);
});

test('a listing has the five latest by start, oldest first, whatever their slots (174)', async () => {
  await using stage = await open();
  await create(stage, 's', {}, { state: { paused: true } });
  const days = [5, 1, 9, 3, 12, 7, 2, 11, 4, 10, 6, 8];
  for (const day of days) {
    const at = seconds(Date.UTC(2025, 5, day) / 1000);
    await patch(stage, 's', { backfillRequest: [{ startTime: at, endTime: at, overlapPolicy: 6 }] });
    await stage.world.advance('1s');
  }
  const shown = (await listed(stage))?.recentActions?.map(({ scheduleTime }) =>
    new Date(Number(String(scheduleTime?.seconds)) * 1000).getUTCDate(),
  );
  expect(shown).toEqual(days.slice(-5));
});

test('a started workflow carries memo, attributes, schedule and slot, and has no parent (187)', async () => {
  await using stage = await open();
  await stage.operator.addSearchAttributes({ namespace, searchAttributes: { Team: 2 } });
  await create(
    stage,
    's',
    {
      memo: { fields: { m: payload('x') } },
      searchAttributes: { indexedFields: { Team: payload('own'), TemporalScheduledById: payload('forged') } },
    },
    { spec: { ...daily, jitter: seconds(3600) } },
  );
  await stage.world.advance('25h');
  const { executions } = await stage.service.listWorkflowExecutions({ namespace });
  const [workflow] = executions ?? [];
  expect(Buffer.from(workflow?.memo?.fields?.m?.data ?? []).toString()).toBe('"x"');
  expect(workflow?.parentExecution ?? null).toBeNull();
  const attribute = (name: string) =>
    JSON.parse(Buffer.from(workflow?.searchAttributes?.indexedFields?.[name]?.data ?? []).toString());
  expect(attribute('Team')).toBe('own');
  expect(attribute('TemporalScheduledById')).toBe('s');
  // The time of the slot and not the jittered one.
  expect(attribute('TemporalScheduledStartTime')).toMatch(/T00:00:00Z$/);
  expect(String(workflow?.startTime?.seconds)).not.toBe(
    String(Date.parse(attribute('TemporalScheduledStartTime')) / 1000),
  );
  expect(`w-${attribute('TemporalScheduledStartTime')}`).toBe(workflow?.execution?.workflowId);
});

test('the note of a pause is in the description and in the listing (190)', async () => {
  await using stage = await open();
  await create(stage, 's');
  await patch(stage, 's', { pause: 'hold on' });
  const { schedule } = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
  expect(schedule?.state).toMatchObject({ paused: true, notes: 'hold on' });
  expect(await listed(stage)).toMatchObject({ paused: true, notes: 'hold on' });
  await stage.world.advance('3d');
  expect(String((await described(stage, 's'))?.actionCount)).toBe('0');
});

test('the end of a run appears in the listing while the schedule is paused (209)', async () => {
  await using stage = await open();
  await create(stage, 's', { input: { payloads: [payload(10_000)] } });
  await patch(stage, 's', { triggerImmediately: {} });
  await patch(stage, 's', { pause: 'later' });
  expect((await listed(stage))?.recentActions?.[0]?.startWorkflowStatus).toBe(1);
  await stage.world.advance('20s');
  expect(await listed(stage)).toMatchObject({ paused: true, recentActions: [{ startWorkflowStatus: 2 }] });
});

test('schedules are listed newest first, page by page', async () => {
  await using stage = await open();
  for (const id of ['b', 'c', 'a', 'd']) {
    await create(stage, id);
    await stage.world.advance('1s');
  }
  const ids: (string | null | undefined)[] = [];
  let nextPageToken: Uint8Array | null | undefined;
  do {
    const request = { namespace, maximumPageSize: 3, ...(nextPageToken ? { nextPageToken } : {}) };
    const page = await stage.service.listSchedules(request);
    ids.push(...(page.schedules ?? []).map(({ scheduleId }) => scheduleId));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken && nextPageToken.length > 0);
  expect(ids).toEqual(['d', 'a', 'c', 'b']);
});

test('workflows are listed open ones first; those of a schedule by their start, also over pages and whatever their slots', async () => {
  await using stage = await open();
  await create(stage, 's', { input: { payloads: [payload(3_600_000)] } }, { state: { paused: true } });
  await patch(stage, 's', { triggerImmediately: { overlapPolicy: 6 } });
  await stage.world.advance('1s');
  await create(stage, 'other', {}, { state: { paused: true } });
  for (const year of [2025, 2023, 2024]) {
    const at = seconds(Date.UTC(year, 5, 1) / 1000);
    await patch(stage, 'other', { backfillRequest: [{ startTime: at, endTime: at, overlapPolicy: 6 }] });
    await stage.world.advance('1s');
  }
  const all = (await stage.service.listWorkflowExecutions({ namespace })).executions ?? [];
  expect(all.map(({ status }) => status)).toEqual([1, 2, 2, 2]);
  const query = "TemporalScheduledById = 'other'";
  const ids: string[] = [];
  let nextPageToken: Uint8Array | null | undefined;
  do {
    const request = { namespace, query, pageSize: 1, ...(nextPageToken ? { nextPageToken } : {}) };
    const page = await stage.service.listWorkflowExecutions(request);
    ids.push(...(page.executions ?? []).map(({ execution }) => execution?.workflowId?.slice(2, 6) ?? ''));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken && nextPageToken.length > 0);
  expect(ids).toEqual(['2024', '2023', '2025']);
});

test('an update of phase and type holds from the next run on; attributes stay, are replaced, or are cleared (189)', async () => {
  await using stage = await open();
  await stage.operator.addSearchAttributes({ namespace, searchAttributes: { Team: 2 } });
  await stage.service.createSchedule({
    namespace,
    scheduleId: 's',
    requestId: randomUUID(),
    searchAttributes: { indexedFields: { Team: payload('a') } },
    schedule: {
      spec: { interval: [{ interval: seconds(3600) }] },
      action: {
        startWorkflow: work,
      },
    },
  });
  await stage.world.advance('1h');
  const update = async (fields: object) => {
    await stage.service.updateSchedule({
      namespace,
      scheduleId: 's',
      requestId: randomUUID(),
      schedule: {
        spec: { interval: [{ interval: seconds(3600), phase: seconds(600) }] },
        action: {
          startWorkflow: { workflowId: 'w', workflowType: { name: 'other' }, taskQueue: { name: 'default' } },
        },
      },
      ...fields,
    });
    const { searchAttributes } = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
    const { Team } = searchAttributes?.indexedFields ?? {};
    return Team === undefined ? null : (JSON.parse(Buffer.from(Team.data ?? []).toString()) as unknown);
  };
  expect(await update({})).toBe('a');
  expect(await update({ searchAttributes: { indexedFields: { Team: payload('b') } } })).toBe('b');
  expect(await update({ searchAttributes: {} })).toBeNull();
  await stage.world.advance('1h');
  const { executions } = await stage.service.listWorkflowExecutions({ namespace });
  const runs = (executions ?? []).map(({ type, execution }) => [
    type?.name,
    execution?.workflowId?.slice(-10),
  ]);
  expect(runs.sort()).toEqual([
    ['other', 'T01:10:00Z'],
    ['work', 'T01:00:00Z'],
  ]);
});

test.each([false, true])(
  'a spec that excludes all its times starts nothing and has no next time, paused: %s (86)',
  async (paused) => {
    await using stage = await open();
    const always = { second: [{ end: 59 }], minute: [{ end: 59 }], hour: [{ end: 23 }] };
    const days = {
      dayOfMonth: [{ start: 1, end: 31 }],
      month: [{ start: 1, end: 12 }],
      dayOfWeek: [{ end: 6 }],
    };
    const spec = {
      interval: [{ interval: seconds(604_800) }],
      excludeStructuredCalendar: [{ ...always, ...days }],
    };
    await create(stage, 's', {}, { spec, state: { paused } });
    await stage.world.advance('6d');
    const info = await described(stage, 's');
    expect([info?.futureActionTimes, info?.recentActions, Number(info?.actionCount)]).toEqual([[], [], 0]);
    // No error either: the description has no incident.
    expect(info?.invalidScheduleError ?? '').toBe('');
  },
);

test('next, idle-close, running and buffered attributes are there while the schedule is open, the first two only when they are known (176)', async () => {
  await using stage = await open();
  const once = { spec: { ...daily, endTime: seconds(1) } };
  await create(stage, 'next');
  await create(
    stage,
    'busy',
    { input: { payloads: [payload(3_600_000)] } },
    { policies: { overlapPolicy: 3 } },
  );
  await create(stage, 'exhausted', {}, once);
  await create(stage, 'held', {}, { ...once, state: { paused: true } });
  await create(stage, 'closed');
  await stage.service.deleteSchedule({ namespace, scheduleId: 'closed' });
  for (let i = 0; i < 3; i += 1) await patch(stage, 'busy', { triggerImmediately: {} });
  const found = async (query: string) =>
    ((await stage.service.listSchedules({ namespace, query })).schedules ?? [])
      .map(({ scheduleId }) => scheduleId)
      .sort();
  const open4 = ['busy', 'exhausted', 'held', 'next'];
  expect(await found('ScheduleNextActionTime IS NOT NULL')).toEqual(['busy', 'next']);
  expect(await found('ScheduleNextActionTime IS NULL')).toEqual(['exhausted', 'held']);
  expect(await found('ScheduleIdleCloseTime IS NOT NULL')).toEqual(['exhausted']);
  expect(await found('ScheduleIdleCloseTime IS NULL')).toEqual(['busy', 'held', 'next']);
  for (const count of ['ScheduleRunningWorkflowCount', 'ScheduleBufferedStartsCount']) {
    expect(await found(`${count} IS NOT NULL`)).toEqual(open4);
    expect(await found(`${count} IS NULL`)).toEqual([]);
    expect(await found(`${count} = 0`)).toEqual(['exhausted', 'held', 'next']);
  }
  expect(await found('ScheduleRunningWorkflowCount = 1')).toEqual(['busy']);
  expect(await found('ScheduleBufferedStartsCount = 2')).toEqual(['busy']);
});

const refused = async (call: Promise<unknown>) =>
  await call.then(
    () => 'accepted',
    (error: { readonly code?: number; readonly details?: string }) => [error.code, error.details],
  );

test.each([['/_sys/x'], ['temporal-sys-per-ns-tq']])(
  'the internal task queue %s is refused by create and by update (204)',
  async (queue) => {
    await using stage = await open();
    await create(stage, 's');
    const startWorkflow = { workflowId: 'w', workflowType: { name: 'work' }, taskQueue: { name: queue } };
    const schedule = { spec: daily, action: { startWorkflow } };
    const said = [3, expect.stringContaining(queue.slice(0, 6))];
    expect(await refused(create(stage, 'new', { taskQueue: { name: queue } }))).toEqual(said);
    const update = stage.service.updateSchedule({ namespace, scheduleId: 's', schedule });
    expect(await refused(update)).toEqual(said);
  },
);

test('creating twice with another request id names the schedule that is there (205)', async () => {
  await using stage = await open();
  await create(stage, 's');
  expect(await refused(create(stage, 's'))).toEqual([6, 'schedule "s" is already registered']);
});

test('with a hundred backfills under way the next patch is refused as a whole (206)', async () => {
  await using stage = await open();
  await create(
    stage,
    's',
    { input: { payloads: [payload(86_400_000)] } },
    { spec: { interval: [{ interval: seconds(60) }] }, state: { paused: true } },
  );
  /** A day of slots, which are more than each of a hundred has room for in the buffer. */
  const range = (day: number) => ({
    startTime: seconds(Date.UTC(2020, 0, day) / 1000),
    endTime: seconds(Date.UTC(2020, 0, day + 1) / 1000 - 1),
    overlapPolicy: 3,
  });
  await patch(stage, 's', { backfillRequest: Array.from({ length: 100 }, (_, day) => range(day)) });
  for (const more of [{ triggerImmediately: {} }, { backfillRequest: [range(200)] }]) {
    const one = stage.service.patchSchedule({
      namespace,
      scheduleId: 's',
      requestId: randomUUID(),
      patch: { unpause: 'not this either', ...more },
    });
    expect(await refused(one)).toEqual([9, expect.stringMatching(/^too many concurrent backfillers/)]);
  }
  const { schedule } = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
  expect(schedule?.state).toMatchObject({ paused: true });
});

test.each([
  ['unset', undefined, 8, 0],
  ['zero', 0, 8, 0],
  ['negative', -5, 8, 0],
  ['one second', 1, 4, 4],
])(
  'a window that is %s decides what runs after 24 s without a server (99)',
  async (_, window, ran, missed) => {
    await using stage = await open();
    const spec = { interval: [{ interval: seconds(3) }] };
    const policies = {
      overlapPolicy: 6,
      ...(window === undefined ? {} : { catchupWindow: seconds(window) }),
    };
    await create(stage, 's', {}, { spec, policies });
    await stage.world.advance('1s');
    await stage.crashFor(24_000);
    const info = await described(stage, 's');
    expect([Number(info?.actionCount), Number(info?.missedCatchupWindow)]).toEqual([ran, missed]);
  },
);

test.each([
  ['pause', false, { paused: true, notes: 'by the patch' }],
  ['unpause', true, { paused: false, notes: 'by the patch' }],
])(
  'a schedule that is created with a patch to %s has its note and the first token (173)',
  async (verb, paused, state) => {
    await using stage = await open();
    const { conflictToken } = await stage.service.createSchedule({
      namespace,
      scheduleId: 's',
      requestId: randomUUID(),
      schedule: { spec: daily, action: { startWorkflow: work }, state: { paused, notes: 'as given' } },
      initialPatch: { [verb]: 'by the patch' },
    });
    const shown = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
    expect(shown.schedule?.state).toMatchObject(state);
    expect([...(conflictToken ?? [])]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    expect(shown.conflictToken).toEqual(conflictToken);
  },
);

test('an update without a memo keeps it, one with a memo replaces all of it, an empty one clears it (175)', async () => {
  await using stage = await open();
  await create(stage, 's');
  const after = async (memo: object) => {
    const schedule = { spec: daily, action: { startWorkflow: work } };
    await stage.service.updateSchedule({ namespace, scheduleId: 's', schedule, ...memo });
    const { memo: shown } = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
    return Object.keys(shown?.fields ?? {});
  };
  expect(await after({ memo: { fields: { a: payload(1), b: payload(2) } } })).toEqual(['a', 'b']);
  expect(await after({})).toEqual(['a', 'b']);
  expect(await after({ memo: { fields: { c: payload(3) } } })).toEqual(['c']);
  expect(await after({ memo: {} })).toEqual([]);
});

test('a workflow whose retries are used up is FAILED, and the schedule goes on (194)', async () => {
  await using stage = await open();
  const retryPolicy = { maximumAttempts: 2, initialInterval: seconds(1) };
  await create(stage, 's', { workflowType: { name: 'fail' }, retryPolicy });
  await stage.world.advance('2d');
  await stage.world.advance('1m');
  expect(await listed(stage)).toMatchObject({
    paused: false,
    recentActions: [{ startWorkflowStatus: 3 }, { startWorkflowStatus: 3 }],
  });
  const { executions } = await stage.service.listWorkflowExecutions({ namespace });
  expect(executions?.map(({ stateTransitionCount }) => String(stateTransitionCount))).toEqual(['4', '4']);
});

test('a trigger with the creation runs at once, and the schedule after it (196)', async () => {
  await using stage = await open();
  const startWorkflow = { ...work, input: { payloads: [payload(60_000)] } };
  await stage.service.createSchedule({
    namespace,
    scheduleId: 's',
    requestId: randomUUID(),
    schedule: { spec: daily, action: { startWorkflow } },
    initialPatch: { triggerImmediately: {} },
  });
  await stage.world.settle();
  expect((await described(stage, 's'))?.recentActions).toMatchObject([{ startWorkflowStatus: 1 }]);
  await stage.world.advance('1d');
  expect((await described(stage, 's'))?.recentActions).toMatchObject([
    { startWorkflowStatus: 2 },
    { startWorkflowStatus: 1 },
  ]);
});

test.each([
  ['that occurrence, while it is active', false, 0, 2],
  ['that occurrence, while it is paused', true, 0, 2],
  ['one interval around it', true, 1, 4],
])('a backfill over %s, which has run, runs each once more (217)', async (_, paused, around, runs) => {
  await using stage = await open();
  await create(stage, 's', {}, { policies: { overlapPolicy: 3 } });
  await stage.world.advance('1d');
  const { execution } = (await stage.service.listWorkflowExecutions({ namespace })).executions?.[0] ?? {};
  const slot = Date.parse(execution?.workflowId?.slice(2) ?? '') / 1000;
  if (paused) await patch(stage, 's', { pause: 'for the backfill' });
  const startTime = seconds(slot - around * 86_400);
  const endTime = seconds(slot + around * 86_400);
  await patch(stage, 's', { backfillRequest: [{ startTime, endTime, overlapPolicy: 3 }] });
  await stage.world.advance('1m');
  expect(Number((await described(stage, 's'))?.actionCount)).toBe(runs);
  expect((await stage.service.listWorkflowExecutions({ namespace })).executions).toHaveLength(runs);
});

test('with a buffer of two, what a blocked workflow makes wait beyond it is dropped and counted (208)', async () => {
  await using stage = await open({ MaxBufferSize: 2, namespaces: { wide: { MaxBufferSize: 1000 } } });
  const spec = { interval: [{ interval: seconds(60) }] };
  await create(
    stage,
    's',
    { input: { payloads: [payload(3_600_000)] } },
    { spec, policies: { overlapPolicy: 3 } },
  );
  await stage.world.advance('6m');
  const info = await described(stage, 's');
  expect([info?.bufferSize, info?.bufferDropped].map(Number)).toEqual([2, 3]);
  const dropped = await stage.world.carillon().schedules.explain('s', stage.now);
  expect(JSON.stringify(dropped)).toContain('MaxBufferSize');
});

test('within MinInterval a schedule counts as busy, and the verdict names the setting', async () => {
  await using stage = await open({ MinInterval: 150_000 });
  await create(stage, 's', {}, { spec: { interval: [{ interval: seconds(60) }] } });
  await stage.world.advance('6m');
  const info = await described(stage, 's');
  // At the first, the fourth minute; those between are skipped by the default policy.
  expect([info?.actionCount, info?.overlapSkipped].map(Number)).toEqual([2, 4]);
  const { items } = await stage.world.carillon().schedules.slots('s', { limit: 10 });
  expect(JSON.stringify(items)).toContain('MinInterval');
});

test('at most so many starts of a namespace happen in a second, and the others wait', async () => {
  await using stage = await open({ SchedulerNamespaceStartWorkflowRPS: 2 });
  await create(stage, 's', {}, { state: { paused: true }, policies: { overlapPolicy: 6 } });
  const startTime = seconds(Date.UTC(2025, 0, 1) / 1000);
  const endTime = seconds(Date.UTC(2025, 0, 10) / 1000);
  await patch(stage, 's', { backfillRequest: [{ startTime, endTime, overlapPolicy: 6 }] });
  const first = Number((await described(stage, 's'))?.actionCount);
  expect(first).toBeLessThan(10);
  await stage.world.advance('10s');
  expect(Number((await described(stage, 's'))?.actionCount)).toBe(10);
});

test('checks that are stricter or wider than those of Temporal answer as documented', async () => {
  await using stage = await open();
  const many = Array.from({ length: 1001 }, (_, index) => ({ interval: seconds(3600 + index) }));
  expect(await refused(create(stage, 'many', {}, { spec: { interval: many } }))).toEqual([
    3,
    expect.stringContaining('has 1001 entries'),
  ]);
  const most = { limitedActions: true, remainingActions: '9223372036854775807' };
  await create(stage, 'most', {}, { state: most });
  const { schedule } = await stage.service.describeSchedule({ namespace, scheduleId: 'most' });
  expect(String(schedule?.state?.remainingActions)).toBe(String(Number.MAX_SAFE_INTEGER));
  const start = stage.service.startWorkflowExecution({
    namespace,
    workflowId: 'w',
    workflowType: { name: 'work' },
    taskQueue: { name: 'default' },
    requestId: randomUUID(),
    completionCallbacks: [{ nexus: { url: 'http://127.0.0.1' } }],
  });
  expect(await refused(start)).toEqual([3, expect.stringContaining('callbacks are not supported')]);
});
