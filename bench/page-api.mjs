// npm run bench -- page-api [--schedules 10000] [--hours 10] [--store sqlite] [--rounds 20]
// How long the answers of the page's calls take and how large they are, over a store that the real engine filled in virtual time:
// every schedule fires once an hour. 'first' is the first call of a process, which builds the index; 'p50' and 'worst' are of
// the calls after it, with a changed schedule before each. 'its CPU' is the processor time of the first, of server and client
// together. 'blocked' is the longest time that the event loop stood still meanwhile.
// Needs dist/ (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    hours: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '20' },
  },
});
const count = Number(values.schedules);
const hours = Number(values.hours);
const rounds = Number(values.rounds);
const { openCarillon, openStore } = await import('../packages/carillon/dist/main.js');
const { CarillonWorld, VirtualClock } = await import('../packages/carillon/dist/testing/index.js');
const { startServer } = await import('../packages/server/dist/server/index.js');

const scratch = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
const url = values.store === 'sqlite' ? `sqlite:${join(scratch, 'bench.db')}` : values.store;
const hour = 3_600_000;
const now = Date.now();
const clock = new VirtualClock(now - hours * hour);
const began = performance.now();
const store = await openStore(url, { clock, durability: 'fast' });
const world = new CarillonWorld({
  store,
  clock,
  expectFailures: true,
  newId: ids(),
  setup: (carillon) => {
    carillon.handle('work', ({ scheduledAt }) => {
      if (scheduledAt % 97_000 === 0) throw new Error('now and then');
      return { done: true };
    });
  },
});
await world.start();
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney'];
for (let from = 0; from < count; from += 500) {
  const some = Array.from({ length: Math.min(500, count - from) }, (_, index) => from + index);
  await Promise.all(
    some.map((n) =>
      world.carillon().schedules.create(nameOf(n), {
        cron: `${n % 60} * * * *`,
        zone: zones[n % zones.length],
        run: 'work',
        owner: `team-${n % 10}`,
        tags: [`team-${n % 10}`],
        ...(n % 50 === 0 ? { paused: 'for the bench' } : {}),
        // A third shares a holiday calendar; their dates differ in part, so that there are several different specs.
        ...(n % 3 === 0 ? { excludeDates: [dateIn(1 + (n % 5)), dateIn(10), dateIn(20)] } : {}),
      }),
    ),
  );
}
await world.advanceTo(now);
world.crash(0);
await store.close();
console.log(
  `${count} schedules, ${hours} hours: filled in ${((performance.now() - began) / 1000).toFixed(1)} s`,
);

const carillon = await openCarillon({ store: url, name: 'bench' });
carillon.handle('work', () => ({ done: true }));
const server = await startServer({ carillon, port: 0, grpc: false });
const { total: runs } = await countRuns();
console.log(`${runs} runs; answers over loopback, ${rounds} calls each\n`);

const middle = nameOf(Math.floor(count / 2) + 1);
const at = (ms) => new Date(ms).toISOString();
const span = `from=${at(now - 24 * hour)}&to=${at(now + 2 * hour)}`;
const week = `from=${at(now)}&to=${at(now + 7 * 24 * hour)}`;
const month = `from=${at(now - 14 * 24 * hour)}&to=${at(now + 28 * 24 * hour)}`;
const year = `from=${at(now)}&to=${at(now + 365 * 24 * hour)}`;
const calls = [
  ['counts', '/schedules:counts'],
  ['list by attention, 50, strips', '/schedules?sort=attention&strip=true&limit=50'],
  ['list by next, 50', '/schedules?sort=next&limit=50'],
  ['list, text, 50, strips', '/schedules?sort=attention&strip=true&limit=50&text=job-0042'],
  ['counts of a team', '/schedules:counts?tag=team-3'],
  ['timeline, 26 h', `/schedules/${middle}/timeline?${span}`],
  ['bins, 26 h', `/schedules/${middle}/bins?${span}&bin=1h`],
  ['stretches, 26 h', `/schedules/${middle}/stretches?${span}`],
  ['explanation', `/schedules/${middle}/explanation?at=${at(Math.floor(now / hour) * hour - hour)}`],
  ['series, 24 h', `/series?${span}&bin=1h`],
  ['load, 7 days by hour', `/load?${week}&bin=1h`],
  ['load of a team, 7 days by hour', `/load?${week}&bin=1h&tag=team-3`],
  ['days, six weeks', `/days?${month}&zone=Europe/Berlin`],
  ['days of a team, six weeks', `/days?${month}&zone=Europe/Berlin&tag=team-3`],
  ['clock changes, a year', `/clock-changes?${year}`],
  ['audit, 50', '/audit?limit=50&brief=true'],
  ['dry run of a pause', `/schedules/${middle}:pause?dryRun=true`, 'POST'],
];
console.log(row(['call', 'first', 'its CPU', 'p50', 'worst', 'blocked', 'size', 'gzipped']));
for (const [name, path, method = 'GET'] of calls) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const first = await ask(path, method);
  const rest = [];
  for (let round = 0; round < rounds; round += 1) {
    await carillon.schedules.patch(nameOf(round * 7), { note: `round ${round}` });
    rest.push((await ask(path, method)).ms);
  }
  delay.disable();
  rest.sort((a, b) => a - b);
  const { length } = first.text;
  console.log(
    row([
      name,
      ms(first.ms),
      ms(first.cpuMs),
      ms(rest[Math.floor(rest.length / 2)]),
      ms(rest.at(-1)),
      ms(delay.max / 1e6),
      kb(length),
      kb(gzipSync(first.text).length),
    ]),
  );
}
console.log(`\nmemory of the process: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
await server.stop();
rmSync(scratch, { recursive: true, force: true });

async function ask(path, method) {
  const start = performance.now();
  const before = process.cpuUsage();
  const response = await fetch(`${server.url}/api/v1${path}`, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000, text };
}

function dateIn(days) {
  return new Date(now + days * 24 * hour).toISOString().slice(0, 10);
}

async function countRuns() {
  let total = 0;
  for await (const schedule of carillon.schedules.each({ limit: 1000 })) total += schedule.counters.actions;
  return { total };
}

function nameOf(n) {
  return `job-${String(n).padStart(6, '0')}`;
}

function ids() {
  let last = 0;
  return () => {
    last += 1;
    return `b${last.toString(36).padStart(8, '0')}`;
  };
}

function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function kb(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

function row([name, ...cells]) {
  return `${name.padEnd(32)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}
