/**
 * A real process on a real file with 200 schedules due every second is killed with -9 again and again, at random
 * moments. Afterwards a checker reads the file: every second of every schedule has exactly one verdict, every verdict is
 * a start, and every start has exactly one run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/sqlite-store.ts';
import { checkLedger } from '../cluster/check-ledger.ts';
import { until } from '../support/until.ts';

const kills = Number(process.env.CARILLON_KILLS ?? 20);
const schedules = 200;
const child = fileURLToPath(new URL('./ticking-child.mjs', import.meta.url));

test(`no slot is lost, doubled or left without a verdict over ${kills} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kill-'));
  const file = join(folder, 'carillon.db');
  const seed = Math.floor(performance.timeOrigin) >>> 0;
  const random = new SeededRandom(seed);
  try {
    let slept = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const running = await launch(file);
      // Real time passes, because slots come with it; what happens within it is not judged.
      const ms = random.integer(100, 1500);
      slept += ms;
      await sleep(ms);
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    const last = await launch(file);
    let said = '';
    last.stdout.on('data', (text) => {
      said += text;
    });
    await until(() => said.includes('current'));
    const ended = once(last, 'exit');
    last.kill('SIGTERM');
    await ended;
    const report = await check(file);
    console.log(
      `kill test (seed ${seed}): ${report.slots} slots, ${report.runs} runs, ${report.takenOver} runs taken over`,
    );
    expect(report.problems).toEqual([]);
    expect(report.slots).toBeGreaterThanOrEqual(schedules * Math.floor(slept / 1000));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function launch(file: string) {
  const running = spawn(process.execPath, [child, file, String(schedules)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(running.stdout, 'data'),
    once(running, 'exit').then(([code]) => {
      throw new Error(`the process ended before it was ready (${code})`);
    }),
  ]);
  return running;
}

async function check(file: string) {
  const store = new SqliteStore({ path: file, clock: new SystemClock() });
  await store.migrate();
  try {
    return await checkLedger(store, schedules);
  } finally {
    await store.close();
  }
}
