// What a fire costs, through the public API on a SQLite file with full durability:
//   steps   executions per second for step sizes 1, 10, 100, 1000: real schedules, ledger row and run row included
//   herd    10,000 schedules due in the same second: time until the last handler started
//   steady  1,000 fires per second for 10 s, all due at the top of the second: lateness of the handlers
//   spread  the same with jitter, due at any time of the second
//   npm run bench -- fire [steps|herd|steady|spread]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { internalsOf } from '../packages/carillon/dist/internal/embed.js';
import { openCarillon } from '../packages/carillon/dist/main.js';

const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
const only = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.includes(name);
const clock = () => performance.timeOrigin + performance.now();

function spread(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1);
  return { n: sorted.length, min: at(0), p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function createAll(carillon, count, scheduleOf) {
  const began = performance.now();
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: Math.min(1000, count - from) }, (_, index) => from + index);
    await Promise.all(some.map((index) => carillon.schedules.create(`schedule-${index}`, scheduleOf(index))));
  }
  return Math.round(count / ((performance.now() - began) / 1000));
}

async function steps() {
  console.log('\nsteps: one commit each with hot row, verdict and run row, full durability');
  for (const size of [1, 10, 100, 1000]) {
    const carillon = await openCarillon(`sqlite:${join(folder, `steps-${size}.db`)}`);
    const total = Math.min(20_000, size * 2000);
    // All due at one instant, once: the engine is not started, and no worker takes the runs.
    const due = Math.ceil((Date.now() + 3000 + total / 2) / 1000) * 1000;
    await createAll(carillon, total, () => ({ at: due, run: 'absent' }));
    await sleep(due - Date.now() + 5);
    const { stateBytes } = await carillon.schedules.describe('schedule-0');
    let taken = 0;
    const took = [];
    const began = performance.now();
    while (taken < total) {
      const from = performance.now();
      taken += await internalsOf(carillon).runtime.engine.runOnce(size);
      took.push(performance.now() - from);
    }
    const rate = Math.round(taken / ((performance.now() - began) / 1000));
    const { p50, p99 } = spread(took);
    console.log(
      `  ${String(size).padStart(5)}: ${String(rate).padStart(6)} executions/s   commit p50 ${p50} ms, p99 ${p99} ms   hot row ${stateBytes} bytes`,
    );
    await carillon.stop();
  }
}

async function herd(count = 10_000) {
  const carillon = await openCarillon({ store: `sqlite:${join(folder, 'herd.db')}`, concurrency: 2 * count });
  const late = [];
  carillon.handle('tick', ({ scheduledAt }) => {
    late.push(clock() - scheduledAt);
  });
  const due = Math.ceil((Date.now() + 8000 + count / 2) / 1000) * 1000;
  const at = new Date(due);
  const rate = await createAll(carillon, count, () => ({
    cron: `${at.getUTCSeconds()} ${at.getUTCMinutes()} * * * *`,
    run: 'tick',
  }));
  await carillon.start();
  while (late.length < count && Date.now() < due + 60_000) await sleep(20);
  const { n, p50, p99, max } = spread(late);
  console.log(`\nherd: ${n} of ${count} schedules due in one second; created ${rate}/s`);
  console.log(`  last handler started after ${max} ms (p50 ${p50}, p99 ${p99})`);
  await carillon.stop();
}

async function steady(jitter, perSecond = 1000, seconds = 10) {
  const file = join(folder, `steady-${jitter}.db`);
  const carillon = await openCarillon({ store: `sqlite:${file}`, concurrency: 5000 });
  const late = [];
  let counting = false;
  carillon.handle('tick', ({ dueAt }) => {
    if (counting) late.push(clock() - dueAt);
  });
  await createAll(carillon, perSecond * 10, (index) => ({
    every: '10s',
    offset: `${index % 10}s`,
    run: 'tick',
    jitter,
  }));
  await carillon.start();
  await sleep(3000);
  counting = true;
  const cpu = process.cpuUsage();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  counting = false;
  const { n, p50, p99, max } = spread(late);
  console.log(
    `\nsteady: ${(n / seconds).toFixed(0)} fires/s for ${seconds} s, ${perSecond} due ${jitter === 0 ? 'at the top of' : 'all over'} each second`,
  );
  console.log(
    `  lateness p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; CPU ${((user + system) / 1e4 / seconds).toFixed(0)} %`,
  );
  await carillon.stop();
}

try {
  if (wanted('steps')) await steps();
  if (wanted('herd')) await herd();
  if (wanted('steady')) await steady(0);
  if (wanted('spread')) await steady(1000);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
