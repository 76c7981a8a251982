/** One schedule, two doors: made through gRPC, changed through REST, changed back, and seen alike by both. */
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CarillonClient } from '../../../../packages/carillon/src/client/index.ts';
import { until } from '../../../support/until.ts';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import { create, describeRaw, hourly, namespace, refusal, scheduleOf } from './raw-schedules.ts';

let stage: GrpcStage;
let rest: CarillonClient;
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
  });
  rest = new CarillonClient({ url: stage.server.url });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

test('a pause by one door is seen, and ended, by the other', async () => {
  const handle = await stage.client.schedule.create(schedule('shared', { memo: { kept: true } }));
  await rest.schedules.pause('shared', { note: 'by REST' });
  expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'by REST' });
  await handle.unpause('by gRPC');
  expect((await rest.schedules.describe('shared')).paused).toBeFalsy();
  await handle.pause('again by gRPC');
  expect(JSON.stringify(await rest.schedules.describe('shared'))).toContain('again by gRPC');
  await rest.schedules.resume('shared');
  expect((await handle.describe()).state.paused).toBe(false);
  expect((await handle.describe()).memo).toEqual({ kept: true });
});

test('a new spec by REST is described over gRPC, and the other way round', async () => {
  const handle = await stage.client.schedule.create(schedule('changed'));
  await rest.schedules.upsert('changed', { cron: '15 6 * * *', zone: 'Asia/Tokyo', run: 'work' });
  const { spec, action } = await handle.describe();
  expect(spec).toMatchObject({
    timezone: 'Asia/Tokyo',
    calendars: [{ hour: [{ start: 6 }], minute: [{ start: 15 }] }],
  });
  expect(action).toMatchObject({ workflowType: 'work' });
  await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '2h' }] } }));
  const times = (await rest.schedules.next('changed', { count: 3 })).map(({ nominal }) =>
    Date.parse(nominal),
  );
  expect(times[1]).toBe((times[0] ?? 0) + 7_200_000);
});

test('a token read over gRPC does not fit after a change by REST', async () => {
  await create(stage, 'guarded', scheduleOf(hourly));
  const { conflictToken } = await describeRaw(stage, 'guarded');
  await rest.schedules.resume('guarded');
  const late = stage.service.updateSchedule({
    namespace,
    scheduleId: 'guarded',
    conflictToken: conflictToken ?? null,
    schedule: scheduleOf(hourly),
  });
  expect((await refusal(late)).code).toBe(status.FAILED_PRECONDITION);
});

test('a trigger by REST is a recent action over gRPC', async () => {
  const handle = await stage.client.schedule.create(schedule('triggered'));
  await rest.schedules.trigger('triggered');
  const { info } = await until(
    () => handle.describe(),
    (shown) => shown.info.numActionsTaken === 1 && shown.info.runningActions.length === 0,
  );
  expect(info.recentActions).toHaveLength(1);
  const { items } = await rest.schedules.runs('triggered');
  expect(items).toHaveLength(1);
});

test('deleted by one door, it is gone at the other, and its id is free', async () => {
  const handle = await stage.client.schedule.create(schedule('gone'));
  await rest.schedules.delete('gone');
  await expect(handle.describe()).rejects.toThrow('gone');
  await stage.client.schedule.create(schedule('gone'));
  await handle.delete();
  expect((await rest.schedules.describe('gone')).status).toBe('closed');
});
