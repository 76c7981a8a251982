// How many executions per second the SQLite store steps: one transaction takes N due executions, rewrites the
// state of each, moves its wake time and writes one slot, as a fire does. Prints a table; takes about a minute.
//
//   node bench/store.mjs [--rows 100000] [--state 300] [--seconds 2] [--dir <folder on the disk to measure>]
//
// "aligned": executions due at the same moment were created together (crons on the minute); their rows lie side
// by side. "scattered": the worst case, every due row on a page of its own.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { SqliteStore } = await import('../src/store/sqlite/index.ts');
const { SeededRandom } = await import('../src/base/random.ts');

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    state: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '2' },
    dir: { type: 'string', default: tmpdir() },
  },
});
const rows = Number(values.rows);
const seconds = Number(values.seconds);
const stepSizes = [1, 10, 100, 1000];
const inFlight = 64;

/** A stand-in for the engine's hot document, of the size asked for. */
function stateOf(n) {
  const text = JSON.stringify({ v: 1, n, at: 1_700_000_000_000 + n, tasks: [['generate', n]], pad: '' });
  return text.replace('"pad":""', `"pad":"${'x'.repeat(Math.max(0, Number(values.state) - text.length))}"`);
}

/** Everything is always due; a step pushes its rows to the end of the line. */
const clock = { now: () => 4_000_000_000_000, wakeAt: () => () => {} };
const period = 1_000_000_000;

function anExecution(i, wakeAt) {
  const id = `schedule-${String(i).padStart(7, '0')}`;
  return {
    key: { namespace: 'default', archetype: 'scheduler.schedule', id },
    incarnation: `01931f2c-6a7b-7000-8000-${String(i).padStart(12, '0')}`,
    version: 1,
    status: 'open',
    wakeAt,
    state: stateOf(i),
    signals: { nextAt: wakeAt, running: 0 },
    incident: null,
    createdAt: 1_700_000_000_000,
    closedAt: null,
    attributes: { paused: false, type: 'report' },
  };
}

function fire(row, i) {
  const wakeAt = row.wakeAt + period;
  return {
    execution: {
      ...row,
      version: row.version + 1,
      wakeAt,
      state: stateOf(row.version),
      signals: { nextAt: wakeAt, running: 1 },
    },
    slot: {
      incarnation: row.incarnation,
      cause: 'auto',
      nominal: row.wakeAt,
      until: row.wakeAt,
      count: 1,
      verdict: 'started',
      at: row.wakeAt,
      runId: `01931f2c-6a7b-7000-8000-${String(i).padStart(12, '0')}`,
      detail: null,
    },
  };
}

const step = {
  decide: ({ executions }) => {
    const fired = executions.map(fire);
    const writes = { executions: fired.map((each) => each.execution), slots: fired.map((each) => each.slot) };
    return { writes, result: executions.length };
  },
};

async function preload(path, layout) {
  const random = new SeededRandom(1);
  const store = new SqliteStore({ path, clock, durability: 'fast' });
  await store.migrate();
  for (let from = 0; from < rows; from += 1000) {
    const executions = Array.from({ length: Math.min(1000, rows - from) }, (_, j) => {
      const at = layout === 'aligned' ? Math.floor((from + j) / 1000) : random.integer(0, period / 1000);
      return anExecution(from + j, 1_700_000_000_000 + at * 1000);
    });
    await store.transact(
      { kind: 'keys', keys: [] },
      { decide: () => ({ writes: { executions }, result: 0 }) },
    );
  }
  await store.close();
  return statSync(path).size / rows;
}

async function measure(work) {
  const times = [];
  let done = 0;
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1000) {
    const before = performance.now();
    done += await work();
    times.push(performance.now() - before);
  }
  const elapsed = (performance.now() - begun) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { rate: done / elapsed, p50: at(0.5), p99: at(0.99) };
}

function print(...cells) {
  console.log(
    cells.map((cell, i) => (i < 3 ? String(cell).padEnd(11) : String(cell).padStart(12))).join(' '),
  );
}

const folder = mkdtempSync(join(values.dir, 'carillon-bench-'));
try {
  console.log(`Node ${process.version}, ${rows} executions, state of ${values.state} bytes, ${values.dir}\n`);
  print('layout', 'durability', 'step', 'executions/s', 'p50 ms', 'p99 ms');
  const sizes = [];
  for (const layout of ['aligned', 'scattered']) {
    const path = join(folder, `${layout}.db`);
    sizes.push(`${layout} ${Math.round(await preload(path, layout))}`);
    for (const durability of ['full', 'fast']) {
      const store = new SqliteStore({ path, clock, durability });
      await store.migrate();
      for (const limit of stepSizes) {
        const { rate, p50, p99 } = await measure(() => store.transact({ kind: 'due', limit }, step));
        print(layout, durability, limit, Math.round(rate), p50.toFixed(2), p99.toFixed(2));
      }
      const together = await measure(async () => {
        const one = () => store.transact({ kind: 'due', limit: 1 }, step);
        const counts = await Promise.all(Array.from({ length: inFlight }, one));
        return counts.reduce((sum, count) => sum + count, 0);
      });
      const { rate, p50, p99 } = together;
      print(layout, durability, `${inFlight} × 1`, Math.round(rate), p50.toFixed(2), p99.toFixed(2));
      await store.close();
    }
  }
  console.log(`\nbytes on disk per execution, before the first fire: ${sizes.join(', ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
