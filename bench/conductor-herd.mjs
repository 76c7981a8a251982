// A herd through the Conductor door: schedules that are due in the same second, saved over HTTP, on a SQLite file with full durability.
//   npm run bench -- conductor-herd [--count 500] [--rounds 3]
// Prints when the first and the last run started, counted from the slot. The real server (conductor-oss 3.32.3, SQLite, quiet
// machine, the same workload): last start after 18 s with its defaults, 6 to 8 s at its best tuning, the first up to 985 ms early.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCarillon } from '../packages/carillon/dist/main.js';
import { startServer } from '../packages/server/dist/server/index.js';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '500' }, rounds: { type: 'string', default: '3' } },
});
const count = Number(values.count);
const original = { defaults: 18_000, tuned: 6000 };

async function round() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const carillon = await openCarillon({ store: `sqlite:${join(folder, 'herd.db')}`, concurrency: 2 * count });
  const begun = [];
  carillon.handle('noop', ({ scheduledAt }) => {
    begun.push({ slot: scheduledAt, at: Date.now() });
    return null;
  });
  const server = await startServer({ carillon, port: 0 });
  try {
    const slot = Math.ceil((Date.now() + 4000) / 1000) * 1000;
    const savedFrom = performance.now();
    for (let from = 0; from < count; from += 50) {
      const some = Array.from({ length: Math.min(50, count - from) }, (_, index) => from + index);
      await Promise.all(some.map((index) => save(server.url, `herd-${index}`, slot)));
    }
    const saving = performance.now() - savedFrom;
    while (begun.length < count) await sleep(50);
    await sleep(200);
    const response = await fetch(`${server.url}/api/scheduler/search/executions?size=10000`);
    const { results } = await response.json();
    const starts = results.map(({ executionTime }) => executionTime - slot).sort((a, b) => a - b);
    const handlers = begun.map(({ at }) => at - slot).sort((a, b) => a - b);
    if (results.length !== count || begun.length !== count)
      throw new Error(`${results.length} starts, ${begun.length} handlers`);
    return { saving, first: starts[0], last: starts.at(-1), handler: handlers.at(-1) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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
  const { saving, first, last, handler } = await round();
  const times = (ms) => `${Math.round(ms / Math.max(1, last))} times`;
  console.log(
    `${count} due in one second: first start +${first} ms, last start +${last} ms, last handler +${handler} ms ` +
      `(saved at ${Math.round((1000 * count) / saving)} per second); ` +
      `the original's defaults ${times(original.defaults)}, its best tuning ${times(original.tuned)}`,
  );
}
