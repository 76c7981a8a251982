// The CPU time of a lock and of reading a task's state, compared with a tick: a fire with its run, handler and report. SQLite with
// full durability, one process. CPU time varies less than wall time on a machine with other work.
//   npm run bench -- lock [--count 2000]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { acquireLock, storeLocks } from '../packages/carillon/dist/lock/index.js';
import { openCarillon } from '../packages/carillon/dist/main.js';
import { createPeriodic } from '../packages/carillon/dist/periodic/index.js';

const { values } = parseArgs({ options: { count: { type: 'string', default: '2000' } } });
const count = Number(values.count);
/** Jobs of the ticks; each is made by one schedule per second. */
const schedules = 500;

const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
const carillon = await openCarillon(`sqlite:${join(folder, 'lock.db')}`);
const periodic = createPeriodic({ carillon, owner: 'bench' });
let ticks = 0;
let onTick = () => {};
for (let index = 0; index < schedules; index += 1) {
  periodic.task({
    id: `t${index}`,
    every: '1s',
    overlap: 'allow',
    run: () => {
      ticks += 1;
      onTick();
    },
  });
}
await periodic.start();
const untilTicks = (wanted) =>
  new Promise((resolve) => {
    onTick = () => {
      if (ticks >= wanted) resolve();
    };
  });
await untilTicks(2 * schedules);

const first = ticks;
const began = process.cpuUsage();
await untilTicks(first + count);
const tick = perOperation(process.cpuUsage(began), ticks - first);
for (let index = 0; index < schedules; index += 1) await periodic.pause(`t${index}`);

const locks = storeLocks(carillon);
const rows = [
  [
    'lock: acquire and release',
    async (index) => (await acquireLock(locks, `key-${index % 50}`, {}))?.release(),
  ],
  ['lock: refused, because it is held', () => acquireLock(locks, 'held', {})],
  ['state of a task', (index) => periodic.state(`t${index % schedules}`)],
];
await acquireLock(locks, 'held', { ttl: '1h' });
console.log(`CPU time, ${count} operations each:`);
console.log(`  ${'tick: slot, run, handler, report'.padEnd(36)} ${tick} µs`);
for (const [name, operation] of rows) {
  for (let index = 0; index < 200; index += 1) await operation(index);
  const start = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await operation(index);
  console.log(`  ${name.padEnd(36)} ${perOperation(process.cpuUsage(start), count)} µs`);
}
await periodic.stop();
rmSync(folder, { recursive: true, force: true });

function perOperation({ user, system }, operations) {
  return Math.round((user + system) / operations);
}
