/** A process is killed in the middle of a herd: the next one continues at once and repeats at most one step. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { defaultTuning } from '../../packages/carillon/src/engine/tuning.ts';
import { until } from '../support/until.ts';

const child = fileURLToPath(new URL('./herd-child.mjs', import.meta.url));
const count = 3000;

test('kill -9 in a herd loses none and runs at most one step of handlers again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'herd-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const notes = join(folder, 'notes');
  writeFileSync(notes, '');
  const begun = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean);
  const of = (nominal: number) => begun().filter((line) => line.endsWith(` ${nominal}`));
  const start = async (schedules: number) => {
    const arguments_ = [child, join(folder, 'herd.db'), notes, String(schedules)];
    const process_ = spawn(process.execPath, arguments_, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    onTestFinished(() => void process_.kill('SIGKILL'));
    await once(process_, 'message');
    return process_;
  };
  const first = await start(count);
  const nominal = Math.ceil((Date.now() + 1000) / 10_000) * 10_000;
  await until(
    () => of(nominal).length,
    (handlers) => handlers >= 600,
  );
  first.kill('SIGKILL');
  await once(first, 'exit');
  await start(0);
  await until(
    () => new Set(of(nominal)).size,
    (schedules) => schedules === count,
  );
  const all = begun();
  expect(all.length - new Set(all).size).toBeLessThanOrEqual(defaultTuning.largestStep);
});
