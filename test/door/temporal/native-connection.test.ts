/** The same client over the Rust transport that the Python, .NET and Ruby SDKs share: other HTTP/2, gzip, deadlines. */
import {
  Client,
  NamespaceNotFoundError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GrpcStage, schedule } from './grpc-stage.ts';
import { quietRuntime } from './quiet-runtime.ts';

let stage: GrpcStage;
let connection: NativeConnection;
let client: Client;

beforeAll(async () => {
  quietRuntime();
  stage = await GrpcStage.open();
  connection = await NativeConnection.connect({ address: stage.address });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await stage[Symbol.asyncDispose]();
});

test('creates, describes, updates, pauses, triggers, lists and deletes', async () => {
  const large = 'x'.repeat(500_000);
  const handle = await client.schedule.create(
    schedule('native', {
      spec: { cronExpressions: ['0 12 * * MON'], timezone: 'Europe/London' },
      action: { type: 'startWorkflow', workflowType: 'work', taskQueue: 'default', args: [large] },
      memo: { note: 'kept' },
    }),
  );
  expect(await handle.describe()).toMatchObject({
    spec: { timezone: 'Europe/London', calendars: [{ hour: [{ start: 12, end: 12, step: 1 }] }] },
    action: { args: [large] },
    memo: { note: 'kept' },
    policies: { overlap: 'SKIP' },
  });
  await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '10m' }] } }));
  await handle.pause('over rust');
  await handle.trigger();
  const after = await handle.describe();
  expect(after).toMatchObject({
    spec: { intervals: [{ every: 600_000 }] },
    state: { paused: true, note: 'over rust' },
    info: { numActionsTaken: 1 },
  });
  const listed: string[] = [];
  for await (const { scheduleId } of client.schedule.list({ query: 'ScheduleId = "native"' }))
    listed.push(scheduleId);
  expect(listed).toEqual(['native']);
  await handle.delete();
  await expect(handle.describe()).rejects.toThrow(ScheduleNotFoundError);
});

test('errors mean the same', async () => {
  await client.schedule.create(schedule('taken'));
  await expect(client.schedule.create(schedule('taken'))).rejects.toThrow(ScheduleAlreadyRunning);
  const bad = client.schedule.create(schedule('bad', { spec: { cronExpressions: ['nonsense'] } }));
  // This transport's errors have no number in front of their text, so that the client leaves them as they are.
  await expect(bad).rejects.toMatchObject({
    cause: {
      code: 3,
      message: expect.stringMatching(/^Invalid schedule spec: CronString does not have 5-7 fields/),
    },
  });
  const elsewhere = new Client({ connection, namespace: 'nowhere' });
  await expect(elsewhere.schedule.getHandle('x').describe()).rejects.toThrow(NamespaceNotFoundError);
});
