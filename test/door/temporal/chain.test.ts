/** The whole path: a Temporal client makes a schedule, a handler runs it, and the client sees the result. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext } from '../../../packages/carillon/src/main.ts';
import { until } from '../../support/until.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';

let stage: GrpcStage;
const seen: RunContext[] = [];
const held: (() => void)[] = [];

beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('count', (run) => {
      seen.push(run);
      return Number(run.lastResult ?? 0) + 1;
    });
    carillon.handle('fail', () => {
      throw new Error('on purpose');
    });
    carillon.handle('hold', async () => await new Promise<void>((resolve) => held.push(resolve)));
    carillon.handle('echo', ({ input }) => input);
  });
});
afterAll(async () => {
  for (const release of held) release();
  await stage[Symbol.asyncDispose]();
});

const action = (workflowType: string, args: unknown[] = []) => ({
  type: 'startWorkflow' as const,
  workflowType,
  workflowId: `wf-${workflowType}`,
  taskQueue: 'default',
  args,
});
const everySecond = { intervals: [{ every: '1s' }] };

test('a schedule fires every second, and each result reaches the next run', async () => {
  const handle = await stage.client.schedule.create(
    schedule('counting', {
      spec: everySecond,
      action: action('count', [{ who: 'you' }]),
      state: { remainingActions: 3 },
    }),
  );
  const described = await until(
    () => handle.describe(),
    ({ info }) => info.numActionsTaken === 3 && info.runningActions.length === 0,
  );
  expect(described.state.remainingActions).toBe(0);
  expect(described.info.recentActions).toHaveLength(3);
  expect(described.raw.info?.recentActions?.map(({ startWorkflowStatus }) => startWorkflowStatus)).toEqual([
    2, 2, 2,
  ]);
  for (const { scheduledAt, takenAt, action: taken } of described.info.recentActions) {
    expect(takenAt.getTime()).toBeGreaterThanOrEqual(scheduledAt.getTime());
    expect(taken.workflow.workflowId).toBe(`wf-count-${scheduledAt.toISOString().replace('.000', '')}`);
    expect(taken.workflow.firstExecutionRunId).not.toBe('');
  }
  const runs = seen.filter(({ schedule: id }) => id === 'counting');
  expect(runs.map(({ lastResult }) => lastResult)).toEqual([null, 1, 2]);
  expect(runs[0]?.input).toEqual({ who: 'you' });
  const audit = await stage.carillon.schedules.audit('counting');
  expect(audit.items[0]).toMatchObject({
    door: 'temporal',
    action: 'create',
    actor: expect.stringContaining('@'),
  });
});

test('what overlaps is skipped and counted', async () => {
  const handle = await stage.client.schedule.create(
    schedule('overlapping', { spec: everySecond, action: action('hold') }),
  );
  const { info } = await until(
    () => handle.describe(),
    (answer) => answer.info.numActionsSkippedOverlap >= 1,
  );
  expect(info.numActionsTaken).toBe(1);
  expect(info.runningActions).toHaveLength(1);
  await handle.delete();
});

test('a buffered start goes when the one before it ends', async () => {
  const handle = await stage.client.schedule.create(
    schedule('buffering', {
      action: action('hold'),
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE },
      state: { paused: true },
    }),
  );
  const before = held.length;
  await handle.trigger(ScheduleOverlapPolicy.BUFFER_ONE);
  await handle.trigger(ScheduleOverlapPolicy.BUFFER_ONE);
  await until(
    async () => held.length,
    (count) => count === before + 1,
  );
  const waiting = await handle.describe();
  expect(waiting.raw.info?.bufferSize?.toNumber()).toBe(1);
  held.at(-1)?.();
  await until(
    () => handle.describe(),
    ({ info }) => info.numActionsTaken === 2,
  );
});

test('a failure pauses a schedule that says so, with the workflow in its note', async () => {
  const handle = await stage.client.schedule.create(
    schedule('failing', { spec: everySecond, action: action('fail'), policies: { pauseOnFailure: true } }),
  );
  const { state, raw } = await until(
    () => handle.describe(),
    (answer) => answer.state.paused,
  );
  expect(state.note).toMatch(/^paused, workflow failed: wf-fail-/);
  expect(raw.info?.recentActions?.[0]?.startWorkflowStatus).toBe(3);
});

test.each([
  ['none', [], null],
  ['one', ['a'], 'a'],
  ['several', ['a', { b: 1 }], ['a', { b: 1 }]],
  ['nothing at all', [undefined], null],
  ['bytes', [Buffer.from([1, 2])], { payload: { metadata: { encoding: 'binary/plain' }, data: 'AQI=' } }],
])('arguments: %s', async (name, args, input) => {
  const id = `args-${name}`;
  const handle = await stage.client.schedule.create(
    schedule(id, { action: action('echo', args), state: { paused: true } }),
  );
  await handle.trigger();
  const { items } = await until(
    () => stage.carillon.schedules.runs(id, { include: 'payloads' }),
    ({ items: [run] }) => run?.outcome === 'completed',
  );
  expect(items[0]?.result).toEqual(input);
});
