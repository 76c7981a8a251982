/** Many clients at the same moment: what has one request id happens once, what has many happens as often. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { GrpcStage } from '../grpc-stage.ts';
import { create, describeRaw, hourly, namespace, scheduleOf, startWorkflow } from './raw-schedules.ts';

let stage: GrpcStage;
const held: (() => void)[] = [];
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
    carillon.handle('hold', async () => await new Promise<void>((resolve) => held.push(resolve)));
  });
});
afterAll(async () => {
  for (const release of held) release();
  await stage[Symbol.asyncDispose]();
});

const trigger = (scheduleId: string, requestId: string) =>
  stage.service.patchSchedule({
    namespace,
    scheduleId,
    requestId,
    patch: { triggerImmediately: { overlapPolicy: 6 } },
  });
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('twenty creates with one request id make one schedule and get one token', async () => {
  const requestId = randomUUID();
  const answers = await many(20, () => create(stage, 'same', scheduleOf(hourly), { requestId }));
  const tokens = new Set(
    answers.map(({ conflictToken }) => Buffer.from(conflictToken ?? []).toString('hex')),
  );
  expect(tokens.size).toBe(1);
});

test('of twenty creates with their own request ids one wins, and the others are told', async () => {
  const answers = await many(20, () =>
    create(stage, 'contested', scheduleOf(hourly)).then(
      () => status.OK,
      ({ code }: { code: number }) => code,
    ),
  );
  expect(answers.filter((code) => code === status.OK)).toHaveLength(1);
  expect(answers.filter((code) => code === status.ALREADY_EXISTS)).toHaveLength(19);
});

test('twenty triggers with one request id run once, twenty with their own run twenty times under twenty ids', async () => {
  const action = { startWorkflow: startWorkflow({ workflowType: { name: 'hold' } }) };
  await create(stage, 'triggered', scheduleOf(hourly, { action }));
  const requestId = randomUUID();
  await many(20, () => trigger('triggered', requestId));
  expect(Number((await describeRaw(stage, 'triggered')).info?.actionCount)).toBe(1);
  await many(20, () => trigger('triggered', randomUUID()));
  const { info } = await until(
    () => describeRaw(stage, 'triggered'),
    (shown) => Number(shown.info?.actionCount) === 21,
  );
  const running = info?.runningWorkflows ?? [];
  expect(new Set(running.map(({ workflowId }) => workflowId)).size).toBe(21);
  expect(new Set(running.map(({ runId }) => runId)).size).toBe(21);
});

test('the same request id means another request for another schedule and for another procedure', async () => {
  const requestId = randomUUID();
  await create(stage, 'here', scheduleOf(hourly), { requestId });
  await create(stage, 'there', scheduleOf(hourly), { requestId });
  await many(2, (index) => trigger(index === 0 ? 'here' : 'there', requestId));
  for (const id of ['here', 'there']) {
    expect(Number((await describeRaw(stage, id)).info?.actionCount)).toBe(1);
  }
});

test('a request that was refused may be repeated when it has been corrected', async () => {
  const requestId = randomUUID();
  await expect(create(stage, 'mended', scheduleOf({ cronString: ['x'] }), { requestId })).rejects.toThrow();
  await create(stage, 'mended', scheduleOf(hourly), { requestId });
  expect((await describeRaw(stage, 'mended')).info?.futureActionTimes).toHaveLength(10);
});

test('updates without tokens all happen, one after the other', async () => {
  await create(stage, 'updated', scheduleOf(hourly));
  await many(20, (index) =>
    stage.service.updateSchedule({
      namespace,
      scheduleId: 'updated',
      requestId: randomUUID(),
      schedule: scheduleOf(hourly, { state: { paused: true, notes: String(index) } }),
    }),
  );
  const { conflictToken, schedule } = await describeRaw(stage, 'updated');
  expect(Buffer.from(conflictToken ?? []).readBigUInt64LE()).toBe(21n);
  expect(Number(schedule?.state?.notes)).toBeLessThan(20);
});
