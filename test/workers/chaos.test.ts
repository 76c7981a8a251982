/**
 * Three workers over HTTP in processes of their own: one is killed, one is frozen beyond its lease, one loses its network. Every
 * run ends exactly once and none is lost, on every store.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { FreezingProxy } from '../store/freezing-proxy.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const count = 1000;
const leaseMs = 1500;
const root = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

interface Child {
  readonly process: ChildProcess;
  readonly id: string;
  /** Runs whose handler has begun and not ended in this process, as far as it told. */
  readonly open: ReadonlySet<string>;
  begun: number;
}

async function startWorker(url: string): Promise<Child> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, String(leaseMs)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const open = new Set<string>();
  const [{ ready: id }] = (await once(child, 'message')) as [{ readonly ready: string }];
  const state = { process: child, id, open, begun: 0 };
  child.on('message', (told: { readonly began?: string; readonly ended?: string }) => {
    if (told.began !== undefined) {
      open.add(told.began);
      state.begun += 1;
    }
    if (told.ended !== undefined) open.delete(told.ended);
  });
  return state;
}

async function survive(store: string): Promise<void> {
  const carillon = await openCarillon({ store, durability: 'fast', onTrouble: () => {} });
  const server = await startServer({ port: 0, drainMs: 0, carillon });
  onTestFinished(() => server.stop());
  const ends = new Map<string, number>();
  carillon.subscribe((event) => {
    if (event.type === 'finished' && event.schedule === null)
      ends.set(event.runId, (ends.get(event.runId) ?? 0) + 1);
  });
  const proxy = new FreezingProxy(server.port);
  await proxy.open();
  onTestFinished(() => proxy.close());
  const [killed, frozen, cutOff] = await Promise.all([
    startWorker(server.url),
    startWorker(server.url),
    startWorker(`http://127.0.0.1:${proxy.port}`),
  ]);
  const ids = new Set<string>();
  for (let from = 0; from < count; from += 100) {
    const works = Array.from({ length: 100 }, () => carillon.runs.enqueue({ run: 'work' }));
    for (const { id } of await Promise.all(works)) ids.add(id);
  }
  const holds = async ({ id }: Child) => {
    const { items } = await internalsOf(carillon).services.runs.list({
      namespace: 'default',
      states: ['leased'],
      limit: 100,
    });
    return items.some(({ worker }) => worker.endsWith(`/${id}`));
  };
  // Each fault meets its worker in the middle of its runs.
  await until(() => killed.open.size > 0 && frozen.open.size > 0 && cutOff.open.size > 0);
  killed.process.kill('SIGKILL');
  frozen.process.kill('SIGSTOP');
  proxy.freeze({ newOnes: true });
  for (const child of [killed, frozen, cutOff]) await until(async () => !(await holds(child)));
  const before = frozen.begun;
  frozen.process.kill('SIGCONT');
  proxy.thaw();
  // The worker that was frozen goes on working.
  await until(() => frozen.begun > before);
  for (const { process: child } of [frozen, cutOff]) child.send('go on');
  await until(
    () => ends.size,
    (size) => size === count,
  );
  expect(new Set(ends.keys())).toEqual(ids);
  expect([...ends.values()].every((times) => times === 1)).toBe(true);
  const { items } = await carillon.runs.list({ outcome: ['completed'], limit: 1000 });
  expect(items).toHaveLength(count);
  expect(items.some(({ attempt }) => attempt > 1)).toBe(true);
}

const title = `${count} runs survive a killed, a frozen and a disconnected worker`;

test(`${title}, in memory`, async () => await survive('memory:'));

test(`${title}, on SQLite`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await survive(`sqlite:${join(folder, 'a.db')}`);
});

await describePostgres('workers on PostgreSQL', (server) => {
  test(title, async () => await survive(await server.newDatabase()));
});

await describeWithRedis('workers on Redis', ({ url }) => {
  test(title, async () => await survive(`${url}?prefix=${freshPrefix()}`));
});
