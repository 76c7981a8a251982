/** Processes die with kill -9 while an activity runs: the worker, or the server. Nothing is lost, and nothing is done twice. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/until.ts';

interface Told {
  readonly began?: string;
  readonly attempt?: number;
  readonly details?: unknown;
  readonly cancelled?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'carillon-activity-'));
const told: Told[] = [];
let port = 0;
let url = '';
let server: ChildProcess;
let worker: ChildProcess;
let connection: Connection;
let client: Client;

async function launch(name: string, ...args: readonly string[]) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = fork(file, args, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [first] = (await once(child, 'message')) as [{ readonly port?: number; readonly url?: string }];
  return { child, first };
}

async function startServer(): Promise<void> {
  const { child, first } = await launch('./door-child.ts', join(folder, 'carillon.db'), String(port));
  server = child;
  port = first.port ?? 0;
  url = first.url ?? '';
}

async function startWorker(): Promise<void> {
  const { child } = await launch('./activity-worker-child.ts', `127.0.0.1:${port}`);
  child.on('message', (message) => told.push(message as Told));
  worker = child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts a workflow and waits until a worker has begun its activity. */
async function begin(workflowId: string, fields: object = {}) {
  const handle = await client.workflow.start('step', { workflowId, taskQueue: 'steps', args: [], ...fields });
  await until(() => told.some(({ began }) => began === workflowId));
  return handle;
}

/** The heartbeat details of the only run. */
async function progressOf(): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/namespaces/default/runs?limit=1&include=payloads`);
  const { items } = (await answer.json()) as { readonly items: readonly { readonly progress: unknown }[] };
  return items[0]?.progress ?? null;
}

const tell = (to: string, word: string) => worker.send({ to, word });
const attemptsOf = (workflowId: string) => told.filter(({ began }) => began === workflowId);

beforeAll(async () => {
  await startServer();
  await startWorker();
  connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await Promise.all([kill(worker), kill(server)]);
  rmSync(folder, { recursive: true, force: true });
});

test('a killed worker: another one goes on with the details of its heartbeat', async () => {
  // A machine so slow that two seconds do not suffice for an attempt makes more of them.
  const retry = { maximumAttempts: 1000, initialInterval: '10ms', backoffCoefficient: 1 };
  const handle = await begin('worker-dies', { workflowRunTimeout: '2s', retry });
  await until(async () => (await progressOf()) !== null);
  await kill(worker);
  const begun = attemptsOf('worker-dies').length;
  await startWorker();
  await until(() => attemptsOf('worker-dies').length > begun);
  const next = attemptsOf('worker-dies')[begun] as { attempt: number; details: { at: number } };
  expect(next.attempt).toBeGreaterThan(begun);
  // Reported by the worker that was killed, in one of its attempts.
  expect(next.details.at).toBeGreaterThanOrEqual(1);
  expect(next.details.at).toBeLessThanOrEqual(begun);
  let result: unknown;
  void handle.result().then((given) => {
    result = given;
  });
  await until(() => {
    tell('worker-dies', 'go');
    return result;
  });
  expect(result).toEqual({ attempt: expect.any(Number), details: { at: expect.any(Number) } });
});

test('a killed server: results, a failure and a cancel count afterwards, and every activity ran once', async () => {
  const ids = ['answered-later', 'answered-meanwhile', 'failing', 'cancelled'] as const;
  const [later, meanwhile, failing, cancelled] = await Promise.all([
    begin(ids[0]),
    begin(ids[1]),
    begin(ids[2]),
    begin(ids[3]),
  ]);
  await kill(server);
  tell('answered-meanwhile', 'go');
  await startServer();
  tell('answered-later', 'go');
  tell('failing', 'fail');
  await cancelled.cancel();
  expect(await later.result()).toEqual({ attempt: 1, details: null });
  expect(await meanwhile.result()).toEqual({ attempt: 1, details: null });
  await expect(failing.result()).rejects.toMatchObject({ cause: { message: 'as told', type: 'Told' } });
  // The code sends no heartbeats: it learns of the cancel by a command, although another process handed the task out.
  await until(() => told.some((message) => message.cancelled === 'cancelled'));
  await until(async () => (await cancelled.describe()).status.name === 'CANCELLED');
  for (const id of ids) expect(attemptsOf(id)).toHaveLength(1);
});
