/** Schedules that really fire: overlap policies of backfills, limits, failures, triggers, and what describe says of it. */
import { randomUUID } from 'node:crypto';
import type { ScheduleHandle, ScheduleOverlapPolicy } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import {
  create,
  describeRaw,
  hourly,
  namespace,
  refusal,
  scheduleOf,
  seconds,
  timestamp,
} from './raw-schedules.ts';

const { WorkflowExecutionStatus } = temporal.api.enums.v1;

let stage: GrpcStage;
const held = new Map<string, (() => void)[]>();
const order: string[] = [];
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
    carillon.handle('fail', () => {
      throw new Error('on purpose');
    });
    // Runs until the test releases it or it is cancelled.
    carillon.handle('hold', async ({ schedule: id, signal, scheduledAt }) => {
      order.push(`${id} ${new Date(scheduledAt).toISOString()}`);
      await new Promise<void>((resolve, reject) => {
        held.set(id ?? '', [...(held.get(id ?? '') ?? []), resolve]);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
  });
});
afterAll(async () => {
  for (const id of held.keys()) release(id);
  await stage[Symbol.asyncDispose]();
});

function release(id: string): void {
  for (const go of held.get(id)?.splice(0) ?? []) go();
}
const action = (workflowType: string) => ({
  type: 'startWorkflow' as const,
  workflowType,
  workflowId: 'wf',
  taskQueue: 'default',
});
async function settled(handle: ScheduleHandle, actions: number) {
  return await until(
    () => handle.describe(),
    ({ info }) => info.numActionsTaken === actions && info.runningActions.length === 0,
  );
}
function statuses(shown: { readonly raw: temporal.api.workflowservice.v1.IDescribeScheduleResponse }) {
  return shown.raw.info?.recentActions?.map((one) => one.startWorkflowStatus);
}

describe('a backfill of three hours', () => {
  const start = new Date('2026-01-01T00:00:00Z');
  const end = new Date('2026-01-01T02:00:00Z');
  const backfill = async (overlap: keyof typeof ScheduleOverlapPolicy, workflowType = 'hold') => {
    const id = `backfill-${overlap}-${workflowType}`;
    const handle = await stage.client.schedule.create(
      schedule(id, { state: { paused: true }, action: action(workflowType) }),
    );
    await handle.backfill({ start, end, overlap: overlap as never });
    return { id, handle };
  };
  const started = (id: string) =>
    order.filter((line) => line.startsWith(`${id} `)).map((line) => line.slice(-13, -8));

  test('SKIP runs the first only', async () => {
    const { id, handle } = await backfill('SKIP');
    await until(
      async () => started(id),
      (list) => list.length === 1,
    );
    release(id);
    const { info } = await settled(handle, 1);
    expect(info.numActionsSkippedOverlap).toBe(2);
    expect(started(id)).toEqual(['00:00']);
  });

  test('BUFFER_ONE runs the first and keeps the oldest of the others', async () => {
    const { id, handle } = await backfill('BUFFER_ONE');
    await until(
      async () => started(id),
      (list) => list.length === 1,
    );
    expect(Number((await describeRaw(stage, id)).info?.bufferSize)).toBe(1);
    release(id);
    await until(
      async () => started(id),
      (list) => list.length === 2,
    );
    release(id);
    const { info } = await settled(handle, 2);
    expect(info.numActionsSkippedOverlap).toBe(1);
    expect(started(id)).toEqual(['00:00', '01:00']);
  });

  test('BUFFER_ALL runs one after the other', async () => {
    const { id, handle } = await backfill('BUFFER_ALL');
    for (const count of [1, 2, 3]) {
      await until(
        async () => started(id),
        (list) => list.length === count,
      );
      const { info } = await describeRaw(stage, id);
      expect(info?.runningWorkflows).toHaveLength(1);
      expect(Number(info?.bufferSize)).toBe(3 - count);
      release(id);
    }
    const shown = await settled(handle, 3);
    expect(started(id)).toEqual(['00:00', '01:00', '02:00']);
    expect(statuses(shown)).toEqual([2, 2, 2]);
  });

  test('ALLOW_ALL runs all at once', async () => {
    const { id, handle } = await backfill('ALLOW_ALL');
    await until(
      async () => started(id),
      (list) => list.length === 3,
    );
    expect((await handle.describe()).info.runningActions).toHaveLength(3);
    release(id);
    await settled(handle, 3);
  });

  test('CANCEL_OTHER leaves the newest', async () => {
    const { id, handle } = await backfill('CANCEL_OTHER');
    await until(
      async () => started(id),
      (list) => list.includes('02:00'),
    );
    release(id);
    const shown = await until(
      () => handle.describe(),
      ({ info }) => info.runningActions.length === 0,
    );
    expect(started(id).at(-1)).toBe('02:00');
    expect(statuses(shown)?.at(-1)).toBe(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  });

  test('TERMINATE_OTHER leaves the newest', async () => {
    const { id, handle } = await backfill('TERMINATE_OTHER');
    await until(
      async () => started(id),
      (list) => list.includes('02:00'),
    );
    release(id);
    const shown = await until(
      () => handle.describe(),
      ({ info }) => info.runningActions.length === 0,
    );
    expect(statuses(shown)?.at(-1)).toBe(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  });

  test('two ranges at once run every slot of both, and leave the schedule paused with its own future', async () => {
    const handle = await stage.client.schedule.create(
      schedule('two-ranges', { state: { paused: true }, action: action('work') }),
    );
    await handle.backfill([
      {
        start: new Date('2023-05-01T00:00:00Z'),
        end: new Date('2023-05-01T02:00:00Z'),
        overlap: 'ALLOW_ALL',
      },
      {
        start: new Date('2026-05-01T00:30:00Z'),
        end: new Date('2026-05-01T03:30:00Z'),
        overlap: 'ALLOW_ALL',
      },
    ]);
    const asked = Date.now();
    const shown = await settled(handle, 6);
    expect(shown.state.paused).toBe(true);
    expect(shown.info.nextActionTimes[0]?.getTime()).toBeGreaterThan(asked);
  });

  test('a range between two slots runs nothing', async () => {
    const handle = await stage.client.schedule.create(schedule('narrow', { action: action('work') }));
    await handle.backfill({ start: new Date('2026-01-01T00:10:00Z'), end: new Date('2026-01-01T00:20:00Z') });
    expect((await handle.describe()).info.numActionsTaken).toBe(0);
  });

  test('one slot exactly at both ends runs once', async () => {
    const handle = await stage.client.schedule.create(schedule('exact', { action: action('work') }));
    await handle.backfill({ start, end: start, overlap: 'ALLOW_ALL' });
    const { info } = await settled(handle, 1);
    expect(info.recentActions[0]?.scheduledAt).toEqual(start);
    expect(info.recentActions[0]?.action.workflow.workflowId).toBe('wf-2026-01-01T00:00:00Z');
  });

  test('the same range again runs again, manual starts may repeat a workflow id', async () => {
    const handle = await stage.client.schedule.create(schedule('rerun', { action: action('work') }));
    await handle.backfill({ start, end, overlap: 'BUFFER_ALL' });
    await settled(handle, 3);
    await handle.backfill({ start, end, overlap: 'BUFFER_ALL' });
    await settled(handle, 6);
  });

  test('more than a hundred at once are refused, and none of them happens', async () => {
    await create(stage, 'too-many', scheduleOf(hourly));
    const range = {
      startTime: timestamp('2026-01-01T00:00:00Z'),
      endTime: timestamp('2026-01-01T01:00:00Z'),
    };
    const patch = stage.service.patchSchedule({
      namespace,
      scheduleId: 'too-many',
      requestId: randomUUID(),
      patch: { backfillRequest: Array.from({ length: 101 }, () => range) },
    });
    expect((await refusal(patch)).details).toContain('too many concurrent backfillers');
    expect(Number((await describeRaw(stage, 'too-many')).info?.actionCount)).toBe(0);
  });
});

test('a limited schedule acts as often as it may, then never by itself', async () => {
  const handle = await stage.client.schedule.create(
    schedule('limited', {
      spec: { intervals: [{ every: '1s' }] },
      action: action('work'),
      state: { remainingActions: 2 },
    }),
  );
  const shown = await settled(handle, 2);
  expect(shown.state.remainingActions).toBe(0);
  expect(shown.info.nextActionTimes).toEqual([]);
  await handle.trigger();
  const after = await settled(handle, 3);
  expect(after.state.remainingActions).toBe(0);
  await handle.update((before) => ({ ...before, state: { ...before.state, remainingActions: 1 } }));
  const refilled = await settled(handle, 4);
  expect(refilled.state.remainingActions).toBe(0);
});

test('each action changes the token of a limited schedule, so that an older reader cannot refill it', async () => {
  await create(stage, 'limited-token', {
    ...scheduleOf({ interval: [{ interval: seconds(1) }] }),
    state: { limitedActions: true, remainingActions: 1 as never },
  });
  const { conflictToken } = await describeRaw(stage, 'limited-token');
  await until(
    () => describeRaw(stage, 'limited-token'),
    ({ info }) => Number(info?.actionCount) === 1,
  );
  const update = stage.service.updateSchedule({
    namespace,
    scheduleId: 'limited-token',
    conflictToken: conflictToken ?? null,
    schedule: scheduleOf(hourly),
  });
  expect((await refusal(update)).details).toMatch(/^mismatched conflict token/);
});

test('a failure pauses a schedule that says so, with the workflow in its note and a new token', async () => {
  const handle = await stage.client.schedule.create(
    schedule('pausing', { action: action('fail'), policies: { pauseOnFailure: true } }),
  );
  const { conflictToken } = await describeRaw(stage, 'pausing');
  await handle.trigger();
  const shown = await until(
    () => handle.describe(),
    ({ state }) => state.paused,
  );
  const [run] = shown.info.recentActions;
  expect(shown.state.note).toBe(`paused, workflow failed: ${run?.action.workflow.workflowId}`);
  expect(statuses(shown)).toEqual([WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED]);
  const late = stage.service.updateSchedule({
    namespace,
    scheduleId: 'pausing',
    conflictToken: conflictToken ?? null,
    schedule: scheduleOf(hourly),
  });
  expect((await refusal(late)).details).toMatch(/^mismatched conflict token/);
  expect((await handle.describe()).state.paused).toBe(true);
  await handle.unpause('mended');
  await handle.trigger();
  await until(
    () => handle.describe(),
    ({ state }) => state.paused,
  );
});

test('a failure without that policy, a cancellation and a termination do not pause', async () => {
  const failing = await stage.client.schedule.create(schedule('failing', { action: action('fail') }));
  await failing.trigger();
  expect((await settled(failing, 1)).state.paused).toBe(false);
  const handle = await stage.client.schedule.create(
    schedule('stopped', { action: action('hold'), policies: { pauseOnFailure: true, overlap: 'ALLOW_ALL' } }),
  );
  for (const [index, stop] of (['cancel', 'terminate'] as const).entries()) {
    await handle.trigger();
    const { info } = await until(
      () => handle.describe(),
      (shown) => shown.info.runningActions.length === 1,
    );
    const [running] = info.runningActions;
    const workflow = stage.client.workflow.getHandle(
      running?.workflow.workflowId ?? '',
      running?.workflow.firstExecutionRunId,
    );
    await until(
      async () => held.get('stopped')?.length ?? 0,
      (count) => count > index,
    );
    await workflow[stop]();
    await settled(handle, index + 1);
  }
  const shown = await handle.describe();
  expect(shown.state.paused).toBe(false);
  expect(statuses(shown)).toEqual([
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
  ]);
});

test('triggers for one scheduled time run once at a time; triggers for now all run, under ids of their own', async () => {
  const handle = await stage.client.schedule.create(schedule('twice', { action: action('hold') }));
  const trigger = async (given: object) =>
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'twice',
      requestId: randomUUID(),
      patch: { triggerImmediately: { overlapPolicy: 6, ...given } },
    });
  const scheduledTime = timestamp('2026-06-01T00:00:00Z');
  for (const given of [{ scheduledTime }, { scheduledTime }, {}, {}]) await trigger(given);
  const { info } = await until(
    () => handle.describe(),
    (shown) => shown.info.runningActions.length === 3,
  );
  const ids = info.recentActions.map((one) => one.action.workflow.workflowId);
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toBe('wf-2026-06-01T00:00:00Z');
  release('twice');
  await settled(handle, 3);
});

test('a paused schedule does nothing by itself, shows coming times that move, and goes on without the past', async () => {
  const handle = await stage.client.schedule.create(
    schedule('asleep', {
      spec: { intervals: [{ every: '1s' }] },
      action: action('work'),
      state: { paused: true },
    }),
  );
  const first = (await handle.describe()).info.nextActionTimes[0]?.getTime() ?? 0;
  const later = await until(
    () => handle.describe(),
    ({ info }) => (info.nextActionTimes[0]?.getTime() ?? 0) > first + 1000,
  );
  expect(later.info.numActionsTaken).toBe(0);
  const woken = Date.now();
  await handle.unpause();
  const { info } = await until(
    () => handle.describe(),
    (shown) => shown.info.numActionsTaken >= 1,
  );
  expect(info.recentActions[0]?.scheduledAt.getTime()).toBeGreaterThanOrEqual(woken);
  await handle.delete();
});
