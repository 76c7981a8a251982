// A herd: many schedules due in the same second, through the public API on a SQLite file with full durability.
//   npm run bench -- herd [--count 10000] [--rounds 3] [path of a built main.js …]
//       last start (the last handler begins) and all reported (the last end is durable), with the CPU time of both, several builds in turn
//   npm run bench -- herd --kill [--count 5000] [--bullmq] [path of a built main.js …]
//       kill -9 after two fifths of the handlers have run, then restart: how many handlers run again, how many never run.
//       --bullmq does the same with BullMQ's job schedulers on a Redis of its own (redis-server on PATH).
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    kill: { type: 'boolean' },
    bullmq: { type: 'boolean' },
    child: { type: 'string' },
    folder: { type: 'string' },
    due: { type: 'string' },
  },
});
const self = fileURLToPath(import.meta.url);
const builds =
  positionals.length > 0
    ? positionals.map((path) => resolve(path))
    : [fileURLToPath(new URL('../packages/carillon/dist/main.js', import.meta.url))];
const count = Number(values.count ?? (values.kill ? 5000 : 10_000));
const clock = () => performance.timeOrigin + performance.now();
const cronAt = (due) => `${new Date(due).getUTCSeconds()} ${new Date(due).getUTCMinutes()} * * * *`;

async function openWith(main, folder, handler) {
  const { openCarillon } = await import(pathToFileURL(main).href);
  const carillon = await openCarillon({ store: `sqlite:${join(folder, 'herd.db')}`, concurrency: 2 * count });
  carillon.handle('tick', handler);
  return carillon;
}

async function createAll(carillon, due) {
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: Math.min(1000, count - from) }, (_, index) => from + index);
    await Promise.all(
      some.map((index) =>
        carillon.schedules.create(`s-${index}`, { cron: cronAt(due), run: 'tick', input: index }),
      ),
    );
  }
}

/** One herd in this process: prints when the last handler began and when the last end was durable. */
async function herd(main) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  let started = 0;
  let reported = 0;
  let lastStart = 0;
  let done;
  const all = new Promise((resolve) => {
    done = resolve;
  });
  const due = Math.ceil((Date.now() + 8000 + count) / 1000) * 1000;
  const carillon = await openWith(main, folder, () => {
    started += 1;
    if (started === count) lastStart = clock() - due;
  });
  carillon.subscribe((event) => {
    if (event.type !== 'finished') return;
    reported += 1;
    if (reported === count) done(clock() - due);
  });
  await createAll(carillon, due);
  if (Date.now() > due) throw new Error('creating the schedules took longer than until they were due');
  await carillon.start();
  await sleep(due - 200 - Date.now());
  const before = process.cpuUsage();
  const allReported = await all;
  const { user, system } = process.cpuUsage(before);
  await carillon.stop();
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify({ lastStart, allReported, cpu: (user + system) / 1000 }));
}

/** A process that is killed in the middle of its herd, or that finishes the herd of a killed one. */
async function ourChild(main) {
  const log = join(values.folder, 'fires');
  const carillon = await openWith(main, values.folder, ({ input }) => appendFileSync(log, `${input}\n`));
  if (values.due !== undefined) await createAll(carillon, Number(values.due));
  await carillon.start();
  console.log('ready');
}

async function bullmqChild(port) {
  const { Queue, Worker } = await import('bullmq');
  const log = join(values.folder, 'fires');
  const connection = { port: Number(port), host: '127.0.0.1', maxRetriesPerRequest: null };
  const queue = new Queue('herd', { connection });
  if (values.due !== undefined) {
    const pattern = `${new Date(Number(values.due)).getUTCSeconds()} ${cronAt(Number(values.due)).split(' ').slice(1).join(' ')}`;
    for (let from = 0; from < count; from += 500) {
      const some = Array.from({ length: Math.min(500, count - from) }, (_, index) => from + index);
      await Promise.all(
        some.map((index) =>
          queue.upsertJobScheduler(`s-${index}`, { pattern, tz: 'UTC' }, { name: 'tick', data: { index } }),
        ),
      );
    }
  }
  const worker = new Worker('herd', async (job) => appendFileSync(log, `${job.data.index}\n`), {
    connection,
    concurrency: 300,
  });
  worker.on('error', () => {});
  await worker.waitUntilReady();
  console.log('ready');
}

const fires = (folder) => {
  const log = join(folder, 'fires');
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
};

async function untilReady(child) {
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready') && resolve());
    child.on('exit', (code) => reject(new Error(`the process ended with ${code}`)));
  });
}

/** `begin(due)` starts a process; with `due` it makes the schedules first. */
async function killed(name, folder, begin) {
  const due = Math.ceil((Date.now() + 15_000 + 2 * count) / 1000) * 1000;
  const first = begin(due);
  await untilReady(first);
  while (fires(folder).length < 0.4 * count) await sleep(1);
  first.kill('SIGKILL');
  const before = fires(folder);
  const second = begin(undefined);
  // Bounded: BullMQ looks for stalled jobs every 30 s.
  const end = Date.now() + 120_000;
  while (new Set(fires(folder)).size < count && Date.now() < end) await sleep(50);
  await sleep(3000);
  second.kill('SIGKILL');
  const all = fires(folder);
  const unique = new Set(all).size;
  console.log(
    `${name}: killed after ${before.length} of ${count} handlers; ${all.length - unique} ran again, ${count - unique} never ran`,
  );
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function killAll() {
  for (const build of builds) {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
    await killed(build, folder, (due) =>
      child([
        '--child',
        'carillon',
        '--folder',
        folder,
        ...(due === undefined ? [] : ['--due', String(due)]),
        build,
      ]),
    );
    rmSync(folder, { recursive: true, force: true });
  }
  if (!values.bullmq) return;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--dir', folder, '--appendonly', 'yes'], {
    stdio: 'ignore',
  });
  try {
    await sleep(1000);
    await killed('BullMQ', folder, (due) =>
      child([
        '--child',
        `bullmq:${port}`,
        '--folder',
        folder,
        ...(due === undefined ? [] : ['--due', String(due)]),
      ]),
    );
  } finally {
    redis.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function child(args) {
  return spawn(process.execPath, [self, '--count', String(count), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

if (values.child === 'carillon') await ourChild(builds[0]);
else if (values.child?.startsWith('bullmq:')) await bullmqChild(values.child.slice('bullmq:'.length));
else if (values.child === 'herd') await herd(builds[0]);
else if (values.kill) await killAll();
else {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const build of builds) {
      const { stdout } = spawnSync(
        process.execPath,
        [self, '--count', String(count), '--child', 'herd', build],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const { lastStart, allReported, cpu } = JSON.parse(stdout.trim().split('\n').at(-1));
      console.log(
        `${build}: last start ${lastStart.toFixed(0)} ms, all reported ${allReported.toFixed(0)} ms, CPU ${cpu.toFixed(0)} ms`,
      );
    }
  }
}
