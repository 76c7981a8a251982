// A herd and a crash in the middle of it: how many handlers run again, and whether any is lost. Ours on a SQLite file,
// beside BullMQ on a Redis of its own (append-only file, fsync every second).
//   npm run bench -- crash [ours|bullmq] …      kill -9 after about 2,100 of 5,000 handlers, then start again
//   npm run bench -- crash herd [main.js]       10,000 due in one second: last start, and when all ends are reported;
//                                               the file names another build of the library to compare with
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(import.meta.url);
const count = 5000;
const killAfter = 2100;

/** The measured process: makes the schedules when asked to, and notes every handler as it begins. */
async function worker(system, place, notes, due) {
  const fd = openSync(notes, 'a');
  const note = (id) => writeSync(fd, `${id}\n`);
  const at = new Date(Number(due));
  const cron = `${at.getUTCSeconds()} ${at.getUTCMinutes()} * * * *`;
  if (system === 'ours') {
    const { openCarillon } = await import('../packages/carillon/dist/main.js');
    const carillon = await openCarillon({ store: `sqlite:${place}`, concurrency: 2 * count });
    carillon.handle('tick', ({ schedule }) => note(schedule));
    if (due !== '') {
      for (let from = 0; from < count; from += 1000) {
        const some = Array.from({ length: 1000 }, (_, index) => `s${from + index}`);
        await Promise.all(some.map((id) => carillon.schedules.create(id, { cron, run: 'tick' })));
      }
    }
    await carillon.start();
  } else {
    const { Queue, Worker } = await import('bullmq');
    const connection = { host: '127.0.0.1', port: Number(place), maxRetriesPerRequest: null };
    const queue = new Queue('bench', { connection });
    if (due !== '') {
      const opts = { removeOnComplete: true, removeOnFail: true };
      for (let from = 0; from < count; from += 200) {
        const some = Array.from({ length: 200 }, (_, index) => from + index);
        await Promise.all(
          some.map((i) =>
            queue.upsertJobScheduler(`s${i}`, { pattern: cron, tz: 'UTC' }, { name: 'n', data: { i }, opts }),
          ),
        );
      }
    }
    new Worker('bench', async (job) => note(`s${job.data.i}`), { connection, concurrency: 300 });
  }
  process.send?.('ready');
}

const lines = (notes) => readFileSync(notes, 'utf8').split('\n').filter(Boolean);

async function startRedis(folder) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--dir', folder, '--appendonly', 'yes', '--save', ''],
    { stdio: 'ignore' },
  );
  await sleep(1500);
  return { port, server };
}

async function crash(system) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-crash-'));
  const notes = join(folder, 'notes');
  closeSync(openSync(notes, 'a'));
  const redis = system === 'bullmq' ? await startRedis(folder) : undefined;
  const place = redis === undefined ? join(folder, 'crash.db') : String(redis.port);
  const begin = async (due) => {
    const child = spawn(process.execPath, [here, 'worker', system, place, notes, due], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await new Promise((done) => child.once('message', done));
    return child;
  };
  try {
    const due = Math.ceil((Date.now() + 25_000) / 1000) * 1000;
    const first = await begin(String(due));
    while (lines(notes).length < killAfter && Date.now() < due + 60_000) await sleep(2);
    first.kill('SIGKILL');
    await new Promise((done) => first.once('exit', done));
    const before = lines(notes).length;
    const second = await begin('');
    const restarted = Date.now();
    let seen = 0;
    let changed = Date.now();
    // Until nothing has happened for 80 s: longer than either waits for a dead process.
    while (Date.now() - changed < 80_000) {
      const now = lines(notes).length;
      if (now !== seen) changed = Date.now();
      seen = now;
      await sleep(200);
    }
    second.kill('SIGKILL');
    const all = lines(notes);
    const distinct = new Set(all).size;
    console.log(
      `${system}: killed after ${before} handlers; ${all.length - distinct} ran again, ${count - distinct} lost, the last ${((changed - restarted) / 1000).toFixed(1)} s after the restart`,
    );
  } finally {
    redis?.server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function herd(build, size = 10_000) {
  const { openCarillon } = await import(pathToFileURL(resolve(build)).href);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-herd-'));
  const carillon = await openCarillon({ store: `sqlite:${join(folder, 'herd.db')}`, concurrency: 2 * size });
  let started = 0;
  let lastStart = 0;
  let reported = 0;
  let allReported = 0;
  carillon.handle('tick', () => {
    started += 1;
    lastStart = Date.now();
  });
  carillon.subscribe((event) => {
    if (event.type !== 'finished') return;
    reported += 1;
    allReported = Date.now();
  });
  const due = Math.ceil((Date.now() + 10_000) / 1000) * 1000;
  const at = new Date(due);
  for (let from = 0; from < size; from += 1000) {
    const some = Array.from({ length: 1000 }, (_, index) => `s${from + index}`);
    const cron = `${at.getUTCSeconds()} ${at.getUTCMinutes()} * * * *`;
    await Promise.all(some.map((id) => carillon.schedules.create(id, { cron, run: 'tick' })));
  }
  await carillon.start();
  while (reported < size && Date.now() < due + 60_000) await sleep(20);
  console.log(
    `herd of ${size}: ${started} started, the last after ${lastStart - due} ms; ${reported} reported, all after ${allReported - due} ms`,
  );
  await carillon.stop();
  rmSync(folder, { recursive: true, force: true });
}

const [what = 'ours', ...rest] = process.argv.slice(2);
if (what === 'worker') await worker(...rest);
else if (what === 'herd') await herd(rest[0] ?? 'packages/carillon/dist/main.js');
else for (const system of [what, ...rest]) await crash(system);
