// What a run costs in CPU time on a worker over HTTP, beside a handler in the process of the Carillon. Runs are queued first, so
// that only claiming, running and reporting is measured; SQLite with full durability.
//   npm run bench -- workers [--runs 5000] [--concurrency 100]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createWorker } from '../packages/carillon/dist/client/index.js';
import { openCarillon } from '../packages/carillon/dist/main.js';
import { startServer } from '../packages/server/dist/server/index.js';

if (process.argv[2] === 'worker') await work(process.argv[3], Number(process.argv[4]));
else await main();

/** The worker's own process: reports its CPU time on request. */
async function work(url, concurrency) {
  const worker = createWorker({ url, concurrency, handlers: { work: ({ input }) => input } });
  process.on('message', async () => {
    process.send(process.cpuUsage());
    await worker.stop();
    process.disconnect();
  });
  await worker.start();
}

async function main() {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, concurrency: { type: 'string' } } });
  const count = Number(values.runs ?? 5000);
  const concurrency = Number(values.concurrency ?? 100);
  const inProcess = await measure(count, async ({ carillon }) => {
    carillon.handle('work', ({ input }) => input, { concurrency });
    return async () => ({ user: 0, system: 0 });
  });
  const remote = await measure(count, async ({ url }) => {
    const child = fork(fileURLToPath(import.meta.url), ['worker', url, String(concurrency)]);
    return async () => {
      child.send('cpu');
      const [usage] = await once(child, 'message');
      await once(child, 'exit');
      return usage;
    };
  });
  console.log(`${count} runs, ${concurrency} at once, CPU time per run:`);
  console.log(`  in the process   ${inProcess.server} µs`);
  console.log(`  over HTTP        ${remote.server} µs in the server, ${remote.worker} µs in the worker`);
}

async function measure(count, startWorker) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const carillon = await openCarillon(`sqlite:${join(folder, 'runs.db')}`);
  const server = await startServer({ carillon, port: 0 });
  let ended = 0;
  const all = new Promise((resolve) => {
    carillon.subscribe((event) => {
      if (event.type === 'finished' && ++ended === count) resolve();
    });
  });
  for (let from = 0; from < count; from += 500) {
    const some = Array.from({ length: Math.min(500, count - from) }, (_, index) =>
      carillon.runs.enqueue({ run: 'work', input: from + index }),
    );
    await Promise.all(some);
  }
  const began = process.cpuUsage();
  const cpuOfWorker = await startWorker({ carillon, url: server.url });
  await all;
  const own = process.cpuUsage(began);
  const theirs = await cpuOfWorker();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  const perRun = ({ user, system }) => Math.round((user + system) / count);
  return { server: perRun(own), worker: perRun(theirs) };
}
