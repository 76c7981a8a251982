/** The door as part of a server: its log, its counts, its end, and how it is configured. */

import { credentials, Client as RawConnection, status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../../packages/carillon/src/main.ts';
import { readConfig, settingsOf } from '../../../packages/server/src/server/config.ts';
import { openLog } from '../../../packages/server/src/server/log.ts';
import { startServer } from '../../../packages/server/src/server/server.ts';
import { addressOf, GrpcStage, schedule } from './grpc-stage.ts';
import { RawClient } from './raw-client.ts';

test('every call is one line of log, and is counted by its status', async () => {
  const lines: { msg: string; method?: string; status?: string }[] = [];
  const log = openLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) });
  await using stage = await GrpcStage.open({ log });
  const handle = await stage.client.schedule.create(schedule('logged'));
  await handle.describe();
  await stage.client.schedule
    .getHandle('absent')
    .describe()
    .catch(() => {});
  const calls = lines.filter(({ msg }) => msg === 'call');
  expect(calls.map(({ method, status: code }) => [method, code])).toEqual([
    ['WorkflowService/CreateSchedule', 'OK'],
    ['WorkflowService/DescribeSchedule', 'OK'],
    ['WorkflowService/DescribeSchedule', 'NOT_FOUND'],
  ]);
  expect(calls[0]).toMatchObject({
    namespace: 'default',
    requestId: expect.any(String),
    ms: expect.any(Number),
  });
  const metrics = await (await fetch(`${stage.server.url}/metrics`)).text();
  expect(metrics).toMatch(/carillon_grpc_calls_total\{status="NOT_FOUND"\} 1/);
});

test('a fault of ours is INTERNAL with an id that leads to the log, and tells nothing else', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ level: 'error', write: (line) => void lines.push(JSON.parse(line)) });
  await using stage = await GrpcStage.open({ log });
  const { store } = internalsOf(stage.carillon).runtime;
  const { read } = store;
  store.read = async () => {
    throw new TypeError('secret detail');
  };
  const failed = await stage.service
    .describeSchedule({ namespace: 'default', scheduleId: 'x' })
    .catch((error) => error);
  store.read = read;
  expect(failed.code).toBe(status.INTERNAL);
  expect(failed.details).not.toContain('secret');
  const [, id] = /request (\S+)$/.exec(failed.details) ?? [];
  expect(lines.find(({ requestId }) => requestId === id)).toMatchObject({
    err: { message: 'secret detail' },
  });
});

test('a server that stops answers what it was asked, tells those who watch, and takes no more', async () => {
  const carillon = await openCarillon({ store: 'memory:' });
  const server = await startServer({ carillon, port: 0, grpc: { port: 0 }, drainMs: 5000 });
  const address = addressOf(server);
  const connection = await Connection.connect({ address });
  await new Client({ connection }).schedule.create(schedule('kept'));
  const { snapshot } = internalsOf(carillon).services.schedules;
  let release: () => void = () => {};
  const asked = new Promise<void>((began) => {
    internalsOf(carillon).services.schedules.snapshot = async (name) => {
      began();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return await snapshot.call(internalsOf(carillon).services.schedules, name);
    };
  });
  const raw = new RawConnection(address, credentials.createInsecure());
  const same = (bytes: Buffer) => bytes;
  const watch = raw.makeServerStreamRequest('/grpc.health.v1.Health/Watch', same, same, Buffer.alloc(0));
  const seen: number[] = [];
  const watching = new Promise<void>((resolve) => {
    watch.on('data', (bytes: Buffer) => {
      seen.push(bytes[1] as number);
      resolve();
    });
  });
  const watched = new Promise<void>((resolve) => watch.on('end', resolve));
  await watching;
  const describing = connection.workflowService.describeSchedule({
    namespace: 'default',
    scheduleId: 'kept',
  });
  await asked;
  const stopping = server.stop();
  await watched;
  expect(seen).toEqual([1, 2]);
  release();
  expect((await describing).schedule?.action?.startWorkflow?.workflowType?.name).toBe('work');
  await stopping;
  await expect(Connection.connect({ address, connectTimeout: 200 })).rejects.toThrow();
  raw.close();
  await connection.close();
});

test('a call that does not end is cut off when the time to drain is over', async () => {
  const carillon = await openCarillon({ store: 'memory:' });
  const server = await startServer({ carillon, port: 0, grpc: { port: 0 }, drainMs: 50 });
  const raw = new RawClient(addressOf(server));
  const asked = new Promise<void>((began) => {
    internalsOf(carillon).services.schedules.snapshot = async () => {
      began();
      return await new Promise(() => {});
    };
  });
  const { DescribeScheduleRequest } = temporal.api.workflowservice.v1;
  const body = DescribeScheduleRequest.encode({ namespace: 'default', scheduleId: 'x' }).finish();
  const never = raw.call('DescribeSchedule', body).catch((error: { code: number }) => error.code);
  await asked;
  await server.stop();
  expect(await never).toBe(status.UNAVAILABLE);
  raw.close();
});

test('the door is closed unless it is configured, by file or by environment', () => {
  expect(readConfig({}).grpc).toBe(false);
  expect(readConfig({ grpc: {} }).grpc).toEqual({ host: '127.0.0.1', port: 7233 });
  const settings = settingsOf({ CARILLON_GRPC_PORT: '7000', CARILLON_GRPC_HOST: '0.0.0.0' });
  expect(readConfig({ grpc: false }, settings).grpc).toEqual({ host: '0.0.0.0', port: 7000 });
  expect(() => readConfig({ grpc: { port: 'x' } })).toThrow();
});
