/** The leases of activity workers: who loses a task, when, and what late and repeated reports get. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { VirtualStage } from './virtual-stage.ts';

const namespace = 'default';
const json = (value: unknown) => ({
  payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) }],
});

async function open(): Promise<VirtualStage> {
  const stage = await VirtualStage.open(() => {});
  const startWorkflow = {
    workflowId: 'w',
    workflowType: { name: 'report' },
    taskQueue: { name: 'q' },
    input: json({ a: 1 }),
  };
  await stage.service.createSchedule({
    namespace,
    scheduleId: 's',
    requestId: randomUUID(),
    schedule: { spec: {}, action: { startWorkflow } },
    initialPatch: { triggerImmediately: {} },
  });
  await stage.world.settle();
  return stage;
}

async function poll(stage: VirtualStage, worker: string) {
  const polling = stage.service.pollActivityTaskQueue({
    namespace,
    taskQueue: { name: 'q' },
    identity: worker,
    workerInstanceKey: worker,
  });
  await stage.world.settle();
  return await polling;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'OK',
    (error: { code: number }) => status[error.code] as string,
  );
}

const workflows = async (stage: VirtualStage) =>
  (await stage.service.listWorkflowExecutions({ namespace })).executions ?? [];

test('a task has every field that some SDK cannot do without', async () => {
  await using stage = await open();
  const task = await poll(stage, 'a');
  expect(task.taskToken?.length).toBeGreaterThan(0);
  expect(task).toMatchObject({ activityId: '1', attempt: 1, workflowNamespace: namespace });
  expect(task.activityType?.name).toBe('report');
  expect(Buffer.from(task.input?.payloads?.[0]?.data ?? []).toString()).toBe('{"a":1}');
  for (const time of [
    task.scheduledTime,
    task.currentAttemptScheduledTime,
    task.startedTime,
    task.scheduleToCloseTimeout,
  ]) {
    expect(time).not.toBeNull();
  }
  expect(Number(String(task.startToCloseTimeout?.seconds))).toBeGreaterThan(0);
});

test('a worker that goes silent loses its task after three minutes and not before; its late report changes nothing', async () => {
  await using stage = await open();
  const first = await poll(stage, 'a');
  await stage.world.advance('2m50s');
  expect((await workflows(stage))[0]?.status).toBe(1);
  await stage.world.advance('20s');
  const second = await poll(stage, 'b');
  expect(second.attempt).toBe(2);
  const complete = (taskToken: Uint8Array | null | undefined, value: string) =>
    stage.service.respondActivityTaskCompleted({
      namespace,
      taskToken: taskToken ?? null,
      result: json(value),
    });
  expect(await codeOf(complete(first.taskToken, 'late'))).toBe('NOT_FOUND');
  expect(await codeOf(complete(second.taskToken, 'good'))).toBe('OK');
  expect(await codeOf(complete(second.taskToken, 'good'))).toBe('OK');
  await stage.world.settle();
  const { info } = await stage.service.describeSchedule({ namespace, scheduleId: 's' });
  expect(info?.recentActions).toMatchObject([{ startWorkflowStatus: 2 }]);
});

test('signs of life of the worker keep its task', async () => {
  await using stage = await open();
  const task = await poll(stage, 'a');
  for (let minute = 0; minute < 10; minute += 1) {
    await stage.world.advance('1m');
    await stage.service.recordWorkerHeartbeat({
      namespace,
      identity: 'a',
      workerHeartbeat: [{ workerInstanceKey: 'a', status: 1 }],
    });
  }
  const { taskToken = null } = task;
  expect(
    await codeOf(stage.service.recordActivityTaskHeartbeat({ namespace, taskToken, details: json('half') })),
  ).toBe('OK');
  expect(await codeOf(stage.service.respondActivityTaskCompleted({ namespace, taskToken }))).toBe('OK');
});

test('a report reaches the server that was killed and started again', async () => {
  await using stage = await open();
  const { taskToken = null } = await poll(stage, 'a');
  await stage.crashFor(30_000);
  expect(
    await codeOf(stage.service.respondActivityTaskCompleted({ namespace, taskToken, result: json(1) })),
  ).toBe('OK');
  await stage.world.settle();
  expect((await workflows(stage))[0]?.status).toBe(2);
});

test('an activity that was left open is finished by the ids of its workflow', async () => {
  await using stage = await open();
  await poll(stage, 'a');
  const [workflow] = await workflows(stage);
  const { workflowId = '', runId = '' } = workflow?.execution ?? {};
  const named = { namespace, workflowId, runId, activityId: '1' };
  expect(await codeOf(stage.service.recordActivityTaskHeartbeatById({ ...named, details: json(1) }))).toBe(
    'OK',
  );
  expect(await codeOf(stage.service.respondActivityTaskCompletedById({ ...named, activityId: '2' }))).toBe(
    'NOT_FOUND',
  );
  expect(await codeOf(stage.service.respondActivityTaskCompletedById({ ...named, result: json(2) }))).toBe(
    'OK',
  );
});
