// All kinds of trouble at once: a server on a SQLite file is killed repeatedly and sometimes stays down, its wall clock jumps forward and
// back, readers of live events stall, hostile specs, previews over 73 years and backfills arrive, and missed slots are caught up. Then
// every slot of the ordinary schedules must have exactly one verdict and one run, and no handler may have begun twice unless its process
// was killed. Needs a build.
//
//   npm run bench -- soak [--seconds 600] [--schedules 50] [--readers 200] [--kill 12] [--step 60]      (times in seconds)
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CarillonClient } from '../packages/carillon/dist/client/index.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    schedules: { type: 'string', default: '50' },
    readers: { type: 'string', default: '200' },
    kill: { type: 'string', default: '12' },
    step: { type: 'string', default: '60' },
  },
});
const until = performance.now() + Number(values.seconds) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'carillon-soak-'));
const log = join(folder, 'begun.log');
writeFileSync(log, '');
const bin = fileURLToPath(new URL('../packages/carillon/bin/carillon.js', import.meta.url));
const child = fileURLToPath(new URL('./soak-node.mjs', import.meta.url));

let node;
let client;
let url;
let offset = 0;
const count = { kills: 0, steps: 0, hostile: 0, refused: 0, previews: 0, backfills: 0, cut: 0 };
/** The longest block of the server's event loop in each second, in ms. */
const blocks = [];
/** Times at which fires may be late for another reason: the process was down, or its clock jumped. */
const disturbed = [];

async function launch() {
  node = fork(child, [join(folder, 'soak.db'), log, String(offset)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [ready] = await once(node, 'message');
  node.on('message', ({ block }) => blocks.push(block));
  url = ready.url;
  client = new CarillonClient({ url });
}

async function kill() {
  const from = Date.now() + offset;
  const gone = once(node, 'exit');
  node.kill('SIGKILL');
  await gone;
  count.kills += 1;
  // Every third time the server stays away for a while, and has more to catch up with.
  if (count.kills % 3 === 0) await sleep(5000);
  await launch();
  disturbed.push([from - 1000, Date.now() + offset + 3000]);
}

function stepClock(by) {
  const now = Date.now() + offset;
  disturbed.push([Math.min(now, now + by) - 1000, Math.max(now, now + by) + 3000]);
  offset += by;
  count.steps += 1;
  node.send({ step: by });
}

function stall() {
  const { port } = new URL(url);
  for (let index = 0; index < Number(values.readers); index += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.pause();
    socket.on('error', () => {});
    socket.on('close', () => {
      count.cut += 1;
    });
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  }
}

const never = 'DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30';
const everySecond = { second: '*', minute: '*', hour: '*' };
const interval = { intervals: [{ everyMs: 1000 }] };
/** Left out second by second, so that no stretch can be passed in one step. */
const halves = [
  { second: '*/2', minute: '*', hour: '*' },
  { second: '1-59/2', minute: '*', hour: '*' },
];

/** Exclusions of everything that begin in two minutes: for an hour, or for good. */
function soon(isForGood) {
  const at = new Date(Date.now() + offset + 120_000);
  const date = { month: `${at.getUTCMonth() + 1}`, dayOfMonth: `${at.getUTCDate()}` };
  const calendars = halves.flatMap((half) => [
    { ...half, ...date, hour: `${at.getUTCHours()}`, minute: `${at.getUTCMinutes()}-59` },
    ...(isForGood ? [{ ...half, year: `${at.getUTCFullYear() + 1}-2100` }] : []),
  ]);
  return { ...interval, exclude: { calendars } };
}

const hostile = [
  () => ({ ...interval, rrules: [{ text: never }], exclude: { calendars: [everySecond] } }),
  () => ({ ...interval, exclude: { calendars: halves } }),
  () => ({ rrules: [{ text: never }] }),
  () => soon(true),
  () => soon(false),
  () => ({
    ...interval,
    calendars: Array.from({ length: 40 }, (_, hour) => ({
      hour: `${hour % 24}`,
      dayOfMonth: '30',
      month: '2',
    })),
    rrules: [{ text: never }],
    exclude: { calendars: [...halves, everySecond] },
  }),
  () => ({
    cron: [{ text: '* * * * * *' }],
    zone: 'Australia/Lord_Howe',
    exclude: { calendars: halves },
    jitterMs: 86_400_000,
  }),
];

async function attack(n) {
  count.hostile += 1;
  try {
    await client.schedules.upsert(`hostile-${n % 14}`, { run: 'tick', spec: hostile[n % hostile.length]() });
  } catch {
    count.refused += 1;
  }
}

/** Every second, minus all but midnight on three days of the month: 73 years of it. */
async function preview() {
  try {
    await client.schedules.previewBackfill('sparse', {
      from: '2027-01-01T00:00:00Z',
      to: '2099-12-31T00:00:00Z',
      limit: 1000,
    });
    count.previews += 1;
  } catch {}
}

async function backfill(n) {
  const to = Math.floor((Date.now() + offset) / 1000) * 1000;
  try {
    await client.schedules.backfill(`busy-${n % 3}`, { from: to - 300_000, to, overlap: 'allowAll' });
    count.backfills += 1;
  } catch {}
}

await launch();
const names = Array.from({ length: Number(values.schedules) }, (_, index) => `calm-${index}`);
for (const name of names)
  await client.schedules.create(name, { every: '1s', overlap: 'allowAll', run: 'tick' });
for (let n = 0; n < 3; n += 1)
  await client.schedules.create(`busy-${n}`, { every: '1s', overlap: 'allowAll', run: 'tick', paused: true });
const rare = [
  { second: '1-59', minute: '*', hour: '*' },
  { second: '*', minute: '1-59', hour: '*' },
  { second: '*', minute: '*', hour: '1-23' },
  { ...everySecond, dayOfMonth: '2-10,12-20,22-31' },
];
await client.schedules.create('sparse', {
  run: 'tick',
  paused: true,
  spec: { ...interval, exclude: { calendars: rare } },
});
stall();
for (let second = 1; performance.now() < until; second += 1) {
  await sleep(1000);
  // Not awaited: they meet each other, and the kills and steps below.
  void attack(second);
  void attack(second * 3 + 1);
  if (second % 4 === 0) void preview();
  if (second % 5 === 0) void backfill(second);
  if (second % Number(values.step) === 0) stepClock(20_000);
  if (second % Number(values.step) === 10) stepClock(-5000);
  if (second % Number(values.kill) === 0) {
    await kill();
    stall();
  }
}
await sleep(25_000);
for (const name of names) await client.schedules.pause(name);
await sleep(3000);

const begun = new Map();
for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
  const [schedule, at, attempt, late] = line.split(' ');
  const slot = `${schedule} ${at}`;
  begun.set(slot, [
    ...(begun.get(slot) ?? []),
    { attempt: Number(attempt), late: Number(late), at: Number(at) },
  ]);
}
const problems = [];
let slots = 0;
let repeated = 0;
const lateness = [];
for (const name of names) {
  const seen = new Map();
  for (let after; ; ) {
    const page = await client.schedules.slots(name, {
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    for (const slot of page.items) {
      const at = Date.parse(slot.nominal);
      if (slot.count > 1 || seen.has(at))
        problems.push(`${name} ${slot.nominal}: ${slot.verdict} × ${slot.count}, or twice`);
      seen.set(at, slot.verdict);
    }
    if (page.next === null) break;
    after = page.next;
  }
  const times = [...seen.keys()].sort((a, b) => a - b);
  for (const [index, at] of times.entries()) {
    slots += 1;
    if (index > 0 && at !== times[index - 1] + 1000)
      problems.push(`${name}: nothing between ${times[index - 1]} and ${at}`);
    const starts = begun.get(`${name} ${at}`) ?? [];
    if (!seen.get(at).startsWith('started')) {
      if (seen.get(at) !== 'paused') problems.push(`${name} ${at}: ${seen.get(at)}`);
      continue;
    }
    if (starts.length === 0) problems.push(`${name} ${at}: its handler never began`);
    const attempts = new Set(starts.map(({ attempt }) => attempt));
    if (attempts.size < starts.length)
      problems.push(`${name} ${at}: one attempt began ${starts.length} times`);
    if (starts.length > 1) repeated += 1;
    if (!disturbed.some(([from, to]) => at >= from && at <= to))
      lateness.push({ late: starts[0]?.late ?? 0, at });
  }
}
lateness.sort((a, b) => a.late - b.late);
const share = (part) => lateness[Math.min(lateness.length - 1, Math.floor(part * lateness.length))]?.late;
console.log(JSON.stringify(count));
console.log(
  `${slots} slots of ${names.length} schedules, ${problems.length} problems, ${repeated} run again after a kill`,
);
console.log(
  `lateness beside kills and clock steps: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms of ${lateness.length}`,
);
for (const { late, at } of lateness.slice(-3)) {
  const ended = disturbed.filter(([, to]) => to < at).map(([, to]) => at - to);
  console.log(`${late} ms late, ${Math.min(...ended)} ms after the last kill or step`);
}
blocks.sort((a, b) => a - b);
const blocked = (part) => (blocks[Math.floor(part * (blocks.length - 1))] ?? 0).toFixed(0);
console.log(
  `longest block of the event loop per second: p50 ${blocked(0.5)} ms, p99 ${blocked(0.99)} ms, most ${blocked(1)} ms`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
const verifying = spawnSync(process.execPath, [bin, 'verify', ...names, '--server', url], {
  encoding: 'utf8',
});
console.log(`carillon verify: exit code ${verifying.status}, ${verifying.stdout.trim().split('\n').at(-1)}`);
node.send({ end: true });
await once(node, 'exit');
rmSync(folder, { recursive: true, force: true });
process.exit(problems.length === 0 && verifying.status === 0 ? 0 : 1);
