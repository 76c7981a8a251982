/** Schedules of other doors, seen and changed through this door. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GrpcStage, schedule } from './grpc-stage.ts';

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const describeIt = async (id: string) => await stage.client.schedule.getHandle(id).describe();

test('a native schedule is described in Temporal’s words', async () => {
  await stage.carillon.schedules.create('native', {
    cron: '30 9 * * 1-5',
    zone: 'Europe/Berlin',
    every: '1h',
    at: '2030-06-01T10:00:00Z',
    excludeDates: ['2030-12-25'],
    jitter: '5s',
    run: 'report',
    queue: 'reports',
    input: { a: 1 },
    workflowId: 'wf',
    timeout: '5m',
    retry: { attempts: 3 },
    overlap: 'bufferOne',
    catchup: '2h',
    pauseAfterFailures: 2,
    paused: 'not yet',
    remaining: 5,
    memo: { m: [1] },
    attributes: { team: 'ops' },
  });
  const described = await describeIt('native');
  expect(described).toMatchObject({
    spec: {
      timezone: 'Europe/Berlin',
      intervals: [{ every: 3_600_000 }],
      jitter: 5000,
      skip: [{ year: [{ start: 2030 }], month: [{ start: 'DECEMBER' }], dayOfMonth: [{ start: 25 }] }],
    },
    action: {
      workflowType: 'report',
      taskQueue: 'reports',
      workflowId: 'wf',
      args: [{ a: 1 }],
      workflowExecutionTimeout: 300_000,
      retry: { maximumAttempts: 3 },
    },
    policies: { overlap: 'BUFFER_ONE', catchupWindow: 7_200_000, pauseOnFailure: true },
    state: { paused: true, note: 'not yet', remainingActions: 5 },
    memo: { m: [1] },
    searchAttributes: { team: ['ops'] },
  });
  // A spec without an offset is shown without one, as with Temporal.
  expect(described.spec.intervals?.[0]?.offset).toBeUndefined();
  expect(described.spec.calendars).toHaveLength(2);
  // Ten in the morning in London is noon in Berlin.
  expect(described.spec.calendars?.[1]).toMatchObject({ hour: [{ start: 12 }], year: [{ start: 2030 }] });
});

test('day of the month or weekday becomes two calendars', async () => {
  await stage.carillon.schedules.create('either', { cron: '0 0 13 * 5', run: 'x' });
  const { spec } = await describeIt('either');
  expect(spec.calendars).toMatchObject([
    { dayOfMonth: [{ start: 13, end: 13 }], dayOfWeek: [{ start: 'SUNDAY', end: 'SATURDAY' }] },
    { dayOfMonth: [{ start: 1, end: 31 }], dayOfWeek: [{ start: 'FRIDAY', end: 'FRIDAY' }] },
  ]);
});

test('what Temporal cannot say is shown as text', async () => {
  await stage.carillon.schedules.create('rule', { rrule: 'FREQ=MONTHLY;BYDAY=-1FR', run: 'x' });
  const { schedule: told } = await stage.service.describeSchedule({
    namespace: 'default',
    scheduleId: 'rule',
  });
  expect(told?.spec?.cronString).toEqual(['FREQ=MONTHLY;BYDAY=-1FR']);
});

test('an HTTP action is a workflow on a queue of ours, and stays an HTTP action through an update', async () => {
  await stage.carillon.schedules.create('hook', {
    every: '1h',
    http: { url: 'https://example.com/hook' },
    owner: 'team',
    tags: ['a'],
    limit: 4,
    description: 'calls a service',
  });
  const handle = stage.client.schedule.getHandle('hook');
  const { action } = await handle.describe();
  expect(action).toMatchObject({ workflowType: 'http', taskQueue: '@http' });
  await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '2h' }] } }));
  expect(await stage.carillon.schedules.describe('hook')).toMatchObject({
    spec: { intervals: [{ everyMs: 7_200_000 }] },
    action: { kind: 'http', input: { url: 'https://example.com/hook' } },
    owner: 'team',
    tags: ['a'],
    description: 'calls a service',
    policy: { limit: 4 },
  });
});

test('native schedules are listed', async () => {
  const types: (string | undefined)[] = [];
  for await (const { scheduleId, action } of stage.client.schedule.list()) {
    if (scheduleId === 'native') types.push(action?.workflowType);
  }
  expect(types).toEqual(['report']);
});

test('a native update replaces what a Temporal client said, and both see the new', async () => {
  const handle = await stage.client.schedule.create(
    schedule('both', {
      memo: { old: true },
      action: { type: 'startWorkflow', workflowType: 'a', taskQueue: 'q', args: [1] },
    }),
  );
  await stage.carillon.schedules.pause('both', { note: 'from here' });
  expect(await handle.describe()).toMatchObject({
    state: { paused: true, note: 'from here' },
    action: { args: [1] },
  });
  await stage.carillon.schedules.update('both', { every: '3h', run: 'b', queue: 'q2', input: 2 });
  const after = await handle.describe();
  expect(after).toMatchObject({
    spec: { intervals: [{ every: 10_800_000 }] },
    action: { workflowType: 'b', taskQueue: 'q2', args: [2] },
  });
  expect(after.memo).toEqual({});
});
