/** A server on an SQLite file is killed and comes back: what was acknowledged is there, and a repeated request happened once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { schedule } from '../grpc-stage.ts';
import { hourly, namespace, refusal, scheduleOf, seconds } from './raw-schedules.ts';

const child = fileURLToPath(new URL('./server-child.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carillon-restart-'));
const file = join(folder, 'carillon.db');

let process_: ChildProcess;
let connection: Connection;
let address = '';

async function launch(port: number): Promise<void> {
  process_ = spawn(process.execPath, ['--import', 'tsx', child, file, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(process_.stdout as NonNullable<typeof process_.stdout>, 'data')) as [Buffer];
  address = String(line).trim();
}
async function kill(): Promise<void> {
  const ended = once(process_, 'exit');
  process_.kill('SIGKILL');
  await ended;
}
/** The connection stays: clients live longer than servers. */
async function killAndReturn(): Promise<void> {
  await kill();
  await launch(Number(address.split(':')[1]));
}

beforeAll(async () => {
  await launch(0);
  connection = await Connection.connect({ address });
});
afterAll(async () => {
  await connection.close();
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

const describeIt = (scheduleId: string) =>
  connection.workflowService.describeSchedule({ namespace, scheduleId });

test('create, update and patch repeated with their request ids after a kill happen once', async () => {
  const { workflowService } = connection;
  const made = {
    namespace,
    scheduleId: 'once',
    requestId: randomUUID(),
    schedule: scheduleOf(hourly),
    initialPatch: { triggerImmediately: {} },
  };
  const updated = {
    namespace,
    scheduleId: 'once',
    requestId: randomUUID(),
    schedule: scheduleOf({ interval: [{ interval: seconds(7200) }] }, { policies: { overlapPolicy: 6 } }),
  };
  const patched = {
    namespace,
    scheduleId: 'once',
    requestId: randomUUID(),
    patch: { triggerImmediately: { overlapPolicy: 6 } },
  };
  const first = await workflowService.createSchedule(made);
  await workflowService.updateSchedule(updated);
  await workflowService.patchSchedule(patched);
  const before = await describeIt('once');
  expect(Number(before.info?.actionCount)).toBe(2);
  await killAndReturn();
  const again = await workflowService.createSchedule(made);
  expect(Buffer.from(again.conflictToken ?? [])).toEqual(Buffer.from(first.conflictToken ?? []));
  await workflowService.updateSchedule(updated);
  await workflowService.patchSchedule(patched);
  const after = await describeIt('once');
  expect(Number(after.info?.actionCount)).toBe(2);
  expect(Buffer.from(after.conflictToken ?? [])).toEqual(Buffer.from(before.conflictToken ?? []));
  expect(after.schedule).toEqual(before.schedule);
  const taken = workflowService.createSchedule({ ...made, requestId: randomUUID() });
  expect((await refusal(taken)).code).toBe(status.ALREADY_EXISTS);
});

test('a create that is sent while the server is away succeeds when it is back, once', async () => {
  const client = new Client({ connection });
  await kill();
  const made = client.schedule.create(schedule('while-away', { trigger: undefined } as never));
  await launch(Number(address.split(':')[1]));
  const handle = await made;
  expect((await handle.describe()).scheduleId).toBe('while-away');
});

test('what was missed while the server was away is caught up, each second once', async () => {
  const client = new Client({ connection });
  const handle = await client.schedule.create(
    schedule('every-second', {
      spec: { intervals: [{ every: '1s' }] },
      policies: { overlap: 'ALLOW_ALL', catchupWindow: '1 hour' },
    }),
  );
  await until(
    () => handle.describe(),
    ({ info }) => info.numActionsTaken >= 1,
  );
  await kill();
  // Real time passes while no server runs: that is what is tested.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await launch(Number(address.split(':')[1]));
  const back = Date.now();
  await until(
    () => handle.describe(),
    ({ info }) => (info.recentActions.at(-1)?.scheduledAt.getTime() ?? 0) > back,
  );
  await handle.pause();
  const { info } = await handle.describe();
  expect(info.numActionsMissedCatchupWindow).toBe(0);
  const query = "TemporalScheduledById = 'every-second'";
  const started: { readonly scheduledAt: number; readonly takenAt: number }[] = [];
  for await (const { startTime, searchAttributes } of client.workflow.list({ query })) {
    const [scheduledAt] = searchAttributes.TemporalScheduledStartTime as Date[];
    started.push({ scheduledAt: scheduledAt?.getTime() ?? 0, takenAt: startTime.getTime() });
  }
  const times = started.map(({ scheduledAt }) => scheduledAt).sort((a, b) => a - b);
  expect(times).toHaveLength(info.numActionsTaken);
  expect(times).toEqual(times.map((_, index) => (times[0] as number) + index * 1000));
  // Those of the time away began late: at least two seconds passed without a server.
  const caughtUp = started.filter(({ scheduledAt, takenAt }) => takenAt - scheduledAt > 900);
  expect(caughtUp.length).toBeGreaterThan(0);
});
