/** kill -9 of real processes at every phase, on every durable store: no change is made twice, and no event is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis } from '../support/redis-server.ts';

const child = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
const points = ['prepare', 'mutate', 'before-change', 'after-change', 'next'];

async function run(store: string, outside: string, point: string) {
  const process_ = spawn(process.execPath, ['--import', 'tsx', child, store, outside, point], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void process_.kill('SIGKILL'));
  let text = '';
  process_.stdout.on('data', (piece) => {
    text += piece;
  });
  const [code, signal] = (await once(process_, 'close')) as [number | null, string | null];
  return { code, signal, text };
}

async function survive(storeIn: (folder: string) => string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'host-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outside = join(folder, 'outside');
  writeFileSync(outside, '');
  const store = storeIn(folder);
  // Each process takes up what the one before it left, and dies with its own event.
  for (const point of points) expect(await run(store, outside, point)).toMatchObject({ signal: 'SIGKILL' });
  const { code, text } = await run(store, outside, '');
  expect(code).toBe(0);
  const ids = points.map((point) => `e-${point}`).sort();
  expect(JSON.parse(text)).toEqual({
    applied: ids,
    inbox: ids.map((id) => `${id} consumed`),
    outbox: ids.map((id) => `${id} consumed`),
  });
}

test('on SQLite', async () => await survive((folder) => `sqlite:${join(folder, 'host.db')}`));

await describePostgres('on PostgreSQL', ({ url }) => {
  test('no change is doubled and no event is lost', async () => await survive(() => url));
});

await describeWithRedis('on Redis', (server) => {
  test('no change is doubled and no event is lost', async () => await survive(() => server.url));
});
