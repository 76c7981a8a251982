/** Behaviours of Temporal's schedules that show at the wire only; the numbers are those of docs/temporal-behaviours.md. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instant } from '../../../packages/carillon/src/base/time.ts';
import { compileSpec } from '../../../packages/carillon/src/spec/index.ts';
import { until } from '../../support/until.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
  });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const namespace = 'default';
const action = {
  startWorkflow: { workflowId: 'w', workflowType: { name: 'work' }, taskQueue: { name: 'default' } },
};
const seconds = (value: number, nanos = 0) => ({ seconds: value as never, nanos });
const hourly = { interval: [{ interval: seconds(3600) }] };

async function create(scheduleId: string, given: object, fields: object = {}) {
  return await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId: randomUUID(),
    schedule: { spec: hourly, action, ...given },
    ...fields,
  });
}
const describeIt = async (scheduleId: string) =>
  await stage.service.describeSchedule({ namespace, scheduleId });

describe('catch-up windows (80, 99, 179, 186, 228)', () => {
  const year = 365 * 86_400;
  test.each([
    ['unset', undefined, year],
    ['zero', seconds(0), year],
    ['negative', seconds(-1), year],
    ['one second', seconds(1), 10],
    ['one hour', seconds(3600), 3600],
  ])('%s, on create and on update', async (name, catchupWindow, shown) => {
    const id = `window-${name}`;
    const policies = catchupWindow === undefined ? {} : { policies: { catchupWindow } };
    await create(id, policies);
    const { schedule: created } = await describeIt(id);
    expect(created?.policies?.catchupWindow?.seconds?.toNumber()).toBe(shown);
    expect(created?.policies?.overlapPolicy).toBe(1);
    await stage.service.updateSchedule({
      namespace,
      scheduleId: id,
      schedule: { spec: hourly, action, ...policies },
    });
    const { schedule: updated } = await describeIt(id);
    expect(updated?.policies?.catchupWindow?.seconds?.toNumber()).toBe(shown);
  });
});

describe('listings', () => {
  test('show the five latest actions in order of their start, a description ten (174, 197)', async () => {
    const handle = await stage.client.schedule.create(schedule('many', { spec: {} }));
    for (let n = 0; n < 12; n += 1) await handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL);
    const described = await until(
      () => handle.describe(),
      ({ info }) => info.runningActions.length === 0,
    );
    expect(described.info.numActionsTaken).toBe(12);
    expect(described.info.recentActions).toHaveLength(10);
    const starts = described.info.recentActions.map(({ takenAt }) => takenAt.getTime());
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    const { schedules } = await stage.service.listSchedules({ namespace, query: 'ScheduleId = "many"' });
    const [entry] = schedules ?? [];
    const ids = entry?.info?.recentActions?.map((each) => each.startWorkflowResult?.runId);
    expect(ids).toEqual(
      described.raw.info?.recentActions?.slice(-5).map((each) => each.startWorkflowResult?.runId),
    );
    expect(entry?.info?.workflowType?.name).toBe('work');
  });

  test('hold ten entries of each kind of spec (181, 200)', async () => {
    const calendar = (hour: number) => ({
      second: [{}],
      minute: [{}],
      hour: [{ start: hour }],
      dayOfMonth: [{ start: 1 }],
      month: [{ start: 1 }],
      dayOfWeek: [{ end: 6 }],
    });
    const twenty = Array.from({ length: 20 }, (_, n) => n);
    await create('long', {
      spec: {
        interval: twenty.map((n) => ({ interval: seconds(3600 + n) })),
        structuredCalendar: twenty.map(calendar),
        excludeStructuredCalendar: twenty.map(calendar),
      },
    });
    const { schedules } = await stage.service.listSchedules({ namespace, query: 'ScheduleId = "long"' });
    const spec = schedules?.[0]?.info?.spec;
    expect(spec?.interval).toHaveLength(10);
    expect(spec?.structuredCalendar).toHaveLength(10);
    expect(spec?.excludeStructuredCalendar).toHaveLength(10);
  });
});

test('cron and calendar texts come back as cleaned ranges (185)', async () => {
  await create('cleaned', {
    spec: { cronString: ['1 11/11 13 2 5 2030'], calendar: [{ hour: '5,7', minute: '23' }] },
  });
  const { schedule: told } = await describeIt('cleaned');
  expect(told?.spec?.structuredCalendar).toMatchObject([
    {
      hour: [
        { start: 5, end: 5, step: 1 },
        { start: 7, end: 7, step: 1 },
      ],
      minute: [{ start: 23, end: 23, step: 1 }],
      year: [],
    },
    { hour: [{ start: 11, end: 23, step: 11 }], year: [{ start: 2030, end: 2030, step: 1 }] },
  ]);
});

test('unpause and trigger in one patch give exactly one run (214)', async () => {
  await create('one-patch', { spec: {}, state: { paused: true } });
  const patch = { unpause: 'go', triggerImmediately: {} };
  await stage.service.patchSchedule({ namespace, scheduleId: 'one-patch', requestId: 'x', patch });
  const { info, schedule: told } = await describeIt('one-patch');
  expect(info?.actionCount?.toNumber()).toBe(1);
  expect(told?.state?.paused).toBe(false);
});

test('an initial patch pauses and unpauses without a new token (173, 196)', async () => {
  const first = await create('born-paused', {}, { initialPatch: { pause: 'at birth' } });
  const paused = await describeIt('born-paused');
  expect(paused.schedule?.state).toMatchObject({ paused: true, notes: 'at birth' });
  expect(Buffer.from(paused.conflictToken ?? [])).toEqual(Buffer.from(first.conflictToken ?? []));
  await create('born-running', { state: { paused: true } }, { initialPatch: { unpause: 'after all' } });
  expect((await describeIt('born-running')).schedule?.state).toMatchObject({
    paused: false,
    notes: 'after all',
  });
});

test('an id of 977 bytes works (226)', async () => {
  const id = 'x'.repeat(977);
  await create(id, {});
  expect((await describeIt(id)).schedule?.action?.startWorkflow?.workflowId).toBe('w');
});

test('exclusions that leave nothing block no call; matching times say why there are none (231)', async () => {
  const all = {
    second: [{ end: 59 }],
    minute: [{ end: 59 }],
    hour: [{ end: 23 }],
    dayOfMonth: [{ start: 1, end: 31 }],
    month: [{ start: 1, end: 12 }],
    dayOfWeek: [{ end: 6 }],
  };
  const spec = { structuredCalendar: [all], excludeStructuredCalendar: [all] };
  await create('nothing-left', { spec });
  expect((await describeIt('nothing-left')).info?.futureActionTimes).toEqual([]);
  await create('nothing-left-since', {});
  await stage.service.updateSchedule({
    namespace,
    scheduleId: 'nothing-left-since',
    schedule: { spec, action },
  });
  expect((await describeIt('nothing-left-since')).info?.futureActionTimes).toEqual([]);
  const asked = stage.service.listScheduleMatchingTimes({
    namespace,
    scheduleId: 'nothing-left',
    startTime: seconds(1_800_000_000),
    endTime: seconds(1_900_000_000),
  });
  await expect(asked).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: expect.stringContaining('too many exclusions'),
  });
});

test('jitter is derived from the ids of namespace and schedule', async () => {
  await create('jittered', { spec: { ...hourly, jitter: seconds(1800) } });
  const { namespaceInfo } = await stage.service.describeNamespace({ namespace });
  const { info } = await describeIt('jittered');
  const compiled = compileSpec({ intervals: [{ everyMs: 3_600_000 }], jitterMs: 1_800_000 });
  const shown = (info?.futureActionTimes ?? []).map(
    (at) => Number(at.seconds) * 1000 + (at.nanos ?? 0) / 1e6,
  );
  expect(shown).toHaveLength(10);
  for (const at of shown) {
    const nominal = instant(Math.floor(at / 3_600_000) * 3_600_000);
    expect(at - nominal).toBe(compiled.jitterOf(nominal, `${namespaceInfo?.id}-jittered`));
  }
});

test('matching times include jitter, also of a slot that began before the range', async () => {
  await create('jittered-range', { spec: { ...hourly, jitter: seconds(1800) }, state: { paused: true } });
  const ask = async (from: number, to: number) =>
    (
      await stage.service.listScheduleMatchingTimes({
        namespace,
        scheduleId: 'jittered-range',
        startTime: seconds(Math.floor(from / 1000), (from % 1000) * 1e6),
        endTime: seconds(Math.floor(to / 1000), (to % 1000) * 1e6),
      })
    ).startTime?.map((at) => Number(at.seconds) * 1000 + (at.nanos ?? 0) / 1e6);
  const noon = Date.UTC(2027, 0, 1, 12);
  const [first = 0] = (await ask(noon - 1, noon + 3_599_999)) ?? [];
  expect(first).toBeGreaterThan(noon);
  expect(await ask(first - 1, first)).toEqual([first]);
  expect(await ask(first, first + 1)).toEqual([]);
});

describe('one workflow per id and due time', () => {
  const range = (startTime: number, endTime: number) => ({
    startTime: seconds(startTime),
    endTime: seconds(endTime),
    overlapPolicy: 6,
  });
  const workflowsOf = async (workflowId: string) => {
    const { executions } = await stage.service.listWorkflowExecutions({
      namespace,
      query: `WorkflowId STARTS_WITH "${workflowId}-"`,
    });
    return executions?.map(({ execution }) => execution?.workflowId).sort();
  };
  const startOf = (workflowId: string) => ({ startWorkflow: { ...action.startWorkflow, workflowId } });
  const settled = (...ids: string[]) =>
    until(
      () => Promise.all(ids.map(describeIt)),
      (all) =>
        all.every(({ info }) => info?.runningWorkflows?.length === 0 && info.bufferSize?.toNumber() === 0),
    );

  test('two schedules that share a workflow id start it once per due time', async () => {
    /** Two schedules with the same two times to come, and the workflow id that they share. */
    const share = async (round: number) => {
      const workflowId = `shared${round}`;
      const ids = [`share-a${round}`, `share-b${round}`];
      const begin = Math.ceil(Date.now() / 2000) * 2 + 2;
      const spec = {
        interval: [{ interval: seconds(2) }],
        startTime: seconds(begin),
        endTime: seconds(begin + 3),
      };
      for (const id of ids) await create(id, { action: startOf(workflowId), spec });
      // On a machine too slow to make both before the first time: two others, for later times.
      return Date.now() < begin * 1000 ? { workflowId, ids } : undefined;
    };
    let round = 0;
    const { workflowId, ids } = await until(() => share(round++));
    // A time that is due and not decided yet is not a future time any more; both are decided when both workflows are there.
    await until(
      () => workflowsOf(workflowId),
      (found) => found.length >= 2,
    );
    const [a, b] = await until(
      () => Promise.all(ids.map(describeIt)),
      (all) =>
        all.every(({ info }) => info?.futureActionTimes?.length === 0 && info.runningWorkflows?.length === 0),
    );
    expect(await workflowsOf(workflowId)).toHaveLength(2);
    const taken = [a, b].map((each) => each?.info?.actionCount?.toNumber() ?? 0);
    expect(taken[0]! + taken[1]!).toBe(2);
  });

  test('a patch that backfills a range twice runs it once; a later one runs it again', async () => {
    await create('twice', { action: startOf('twice'), spec: hourly, state: { paused: true } });
    const day = 1_700_002_800;
    const patch = async () => {
      const backfillRequest = [range(day, day + 3600), range(day, day + 3600)];
      await stage.service.patchSchedule({ namespace, scheduleId: 'twice', patch: { backfillRequest } });
      await settled('twice');
    };
    await patch();
    expect(await workflowsOf('twice')).toHaveLength(2);
    await patch();
    expect(await workflowsOf('twice')).toHaveLength(4);
  });
});
