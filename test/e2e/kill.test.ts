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
import { SystemClock } from '../../src/base/clock.ts';
import { SeededRandom } from '../../src/base/random.ts';
import type { RunRow } from '../../src/store/records.ts';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

const kills = Number(process.env.CARILLON_KILLS ?? 20);
const schedules = 200;
const child = fileURLToPath(new URL('./ticking-child.mjs', import.meta.url));

test(`no slot is lost, doubled or left without a verdict over ${kills} kills`, {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kill-'));
  const file = join(folder, 'carillon.db');
  const seed = Math.floor(performance.timeOrigin) >>> 0;
  const random = new SeededRandom(seed);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const running = await launch(file);
      await sleep(random.integer(100, 1500));
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    const last = await launch(file);
    await sleep(3000);
    const ended = once(last, 'exit');
    last.kill('SIGTERM');
    await ended;
    const report = await check(file);
    console.log(
      `kill test (seed ${seed}): ${report.slots} slots, ${report.runs} runs, ${report.retried} runs taken over`,
    );
    expect(report.problems).toEqual([]);
    expect(report.slots).toBeGreaterThan(schedules * kills * 0.5);
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
  const problems: string[] = [];
  let slots = 0;
  let runs = 0;
  let retried = 0;
  const { items } = await store.list({ archetype: 'schedule', limit: 1000 });
  if (items.length !== schedules) problems.push(`${items.length} schedules`);
  for (const row of items) {
    const ledger = (await store.slots({ incarnation: row.incarnation, limit: 100_000 })).items;
    const own = await runsOf(store, row.incarnation);
    slots += ledger.length;
    runs += own.length;
    retried += own.filter((run) => run.attempt > 1).length;
    const first = Math.floor(row.createdAt / 1000) * 1000 + 1000;
    ledger.forEach((slot, index) => {
      if (slot.nominal !== first + index * 1000)
        problems.push(`${row.key.id}: slot ${index} is ${slot.nominal}, expected ${first + index * 1000}`);
      if (slot.count !== 1 || !slot.verdict.startsWith('started'))
        problems.push(`${row.key.id}: ${slot.nominal} is ${slot.verdict}`);
      if (slot.at < slot.nominal) problems.push(`${row.key.id}: ${slot.nominal} was early`);
    });
    const started = new Set(ledger.map((slot) => slot.runId));
    if (started.size !== ledger.length) problems.push(`${row.key.id}: a run serves two slots`);
    if (own.length !== ledger.length)
      problems.push(`${row.key.id}: ${own.length} runs for ${ledger.length} slots`);
    for (const run of own)
      if (!started.has(run.id)) problems.push(`${row.key.id}: run ${run.id} has no slot`);
  }
  await store.close();
  return { problems: problems.slice(0, 20), slots, runs, retried };
}

async function runsOf(store: Store, owner: string): Promise<readonly RunRow[]> {
  const all: RunRow[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await store.runs({ owner, limit: 10_000, ...(after === undefined ? {} : { after }) });
    all.push(...page.items);
    after = page.next;
  }
  return all;
}
