// A herd through the Conductor door: schedules that are due in the same second, saved over HTTP, on a SQLite file with full durability.
//   npm run bench -- conductor-herd [--count 500] [--rounds 3] [--work workflow|handler]
// Each starts a workflow of one SET_VARIABLE task, as the original's did, or a handler of this process. Prints when the first and the
// last start was, counted from the slot, when the last of them had ended, and the CPU time of the process from the slot on. The real server (conductor-oss 3.32.3, SQLite, quiet
// machine, the same workload): last start after 18 s with its defaults, 6 to 8 s at its best tuning, the first up to 985 ms early.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCarillon } from '../packages/carillon/dist/main.js';
import { flow, startServer } from '../packages/server/dist/server/index.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    work: { type: 'string', default: 'workflow' },
  },
});
const count = Number(values.count);
const original = { defaults: 18_000, tuned: 6000 };

async function round() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const workflows = flow();
  const carillon = await openCarillon({
    store: `sqlite:${join(folder, 'herd.db')}`,
    concurrency: 2 * count,
    archetypes: [workflows],
  });
  let ended = 0;
  if (values.work === 'handler')
    carillon.handle('noop', () => {
      ended += 1;
      return null;
    });
  const server = await startServer({ carillon, port: 0, flow: workflows });
  try {
    if (values.work === 'workflow') await register(server.url);
    // Later than the last save, even on a busy machine.
    const slot = Math.ceil((Date.now() + 4000 + 30 * count) / 1000) * 1000;
    const savedFrom = performance.now();
    for (let from = 0; from < count; from += 50) {
      const some = Array.from({ length: Math.min(50, count - from) }, (_, index) => from + index);
      await Promise.all(some.map((index) => save(server.url, `herd-${index}`, slot)));
    }
    const saving = performance.now() - savedFrom;
    if (Date.now() > slot) throw new Error('the slot came before the last schedule was saved');
    await sleep(slot - Date.now() - 20);
    const cpu = process.cpuUsage();
    // Reading while the herd runs would slow it down: handlers are counted here, workflows by their own times afterwards.
    while (values.work === 'handler' ? ended < count : Date.now() < slot + 3000) await sleep(50);
    const { user, system } = process.cpuUsage(cpu);
    const { results } = await read(`${server.url}/api/scheduler/search/executions?size=10000`);
    const starts = results.map(({ executionTime }) => executionTime - slot).sort((a, b) => a - b);
    if (results.length !== count) throw new Error(`${results.length} starts`);
    const done = values.work === 'handler' ? Date.now() - slot : await lastEnd(server.url, slot);
    return { saving, first: starts[0], last: starts.at(-1), done, cpu: (user + system) / 1000 };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lastEnd(url, slot) {
  for (;;) {
    const { totalHits, results } = await read(`${url}/api/workflow/search?size=10000&query=status=COMPLETED`);
    if (totalHits === count) return Math.max(...results.map(({ endTime }) => Date.parse(endTime))) - slot;
    await sleep(200);
  }
}

async function read(address) {
  return await (await fetch(address)).json();
}

async function register(url) {
  const tasks = [{ name: 's', taskReferenceName: 's', type: 'SET_VARIABLE', inputParameters: { x: 1 } }];
  const response = await fetch(`${url}/api/metadata/workflow`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'noop', version: 1, schemaVersion: 2, tasks }),
  });
  if (response.status !== 200) throw new Error(await response.text());
}

async function save(url, name, slot) {
  const response = await fetch(`${url}/api/scheduler/schedules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      cronExpression: '* * * * * *',
      scheduleStartTime: slot,
      scheduleEndTime: slot,
      startWorkflowRequest: { name: 'noop', version: 1 },
    }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  await response.arrayBuffer();
}

for (let index = 0; index < Number(values.rounds); index += 1) {
  const { saving, first, last, done, cpu } = await round();
  const times = (ms) => `${Math.round(ms / Math.max(1, last))} times`;
  console.log(
    `${count} due in one second: first start +${first} ms, last start +${last} ms, all ended +${done} ms, ` +
      `${(cpu / count).toFixed(2)} ms of CPU each (saved at ${Math.round((1000 * count) / saving)} per second); ` +
      `the original's defaults ${times(original.defaults)}, its best tuning ${times(original.tuned)}`,
  );
}
