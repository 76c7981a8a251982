/** Behaviours of Temporal's schedules, sentence by sentence, where other tests show a part; the numbers are those of docs/temporal-behaviours.md. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { VirtualStage } from './virtual-stage.ts';

const namespace = 'default';
const seconds = (value: number) => ({ seconds: value as never });
const daily = { interval: [{ interval: seconds(86_400) }] };
const payload = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

async function open(): Promise<VirtualStage> {
  return await VirtualStage.open((carillon, sleep) => {
    carillon.handle('work', async ({ input, signal }) => await sleep((input as number | null) ?? 0, signal));
  });
}

async function create(
  stage: VirtualStage,
  scheduleId: string,
  start: object = {},
  schedule: object = {},
): Promise<void> {
  const startWorkflow = {
    workflowId: 'w',
    workflowType: { name: 'work' },
    taskQueue: { name: 'default' },
    ...start,
  };
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
  const startWorkflow = {
    workflowId: 'w',
    workflowType: { name: 'work' },
    taskQueue: { name: 'default' },
    input: { payloads: [payload(3_600_000)] },
  };
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
  await create(stage, 's', { memo: { fields: { m: payload('x') } } });
  await stage.world.advance('1d');
  const { executions } = await stage.service.listWorkflowExecutions({ namespace });
  const [workflow] = executions ?? [];
  expect(workflow?.memo?.fields?.m).toBeDefined();
  expect(workflow?.parentExecution ?? null).toBeNull();
  const attribute = (name: string) =>
    JSON.parse(Buffer.from(workflow?.searchAttributes?.indexedFields?.[name]?.data ?? []).toString());
  expect(attribute('TemporalScheduledById')).toBe('s');
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
        startWorkflow: { workflowId: 'w', workflowType: { name: 'work' }, taskQueue: { name: 'default' } },
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
    // No error either: the schedule is described, and nothing is wrong with it.
    expect(info?.invalidScheduleError ?? '').toBe('');
  },
);
