// How many executions per second a store steps: one transaction takes N due executions, rewrites the
// state of each, moves its wake time and writes one slot, as a fire does. Prints a table; takes about a minute.
//
//   node bench/store.mjs [--on sqlite] [--rows 100000] [--state 300] [--seconds 2] [--dir <folder on the disk to measure>]
//
// `--on postgres` measures a server of its own (or the one CARILLON_TEST_POSTGRES names) with 1, 2 and 4 stores at once.
//
// "aligned": executions due at the same moment were created together (crons on the minute); their rows lie side
// by side. "scattered": the worst case, every due row on a page of its own.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { SqliteStore } = await import('../packages/carillon/src/store/sqlite/index.ts');
const { SeededRandom } = await import('../packages/carillon/src/base/random.ts');

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'sqlite' },
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

/** Everything is always due; a step moves its rows to the end of the order. */
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

async function fill(store, layout) {
  const random = new SeededRandom(1);
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

async function together(store) {
  const one = () => store.transact({ kind: 'due', limit: 1 }, step);
  return sum(await Promise.all(Array.from({ length: inFlight }, one)));
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}

function printResult(first, second, third, { rate, p50, p99 }) {
  print(first, second, third, Math.round(rate), p50.toFixed(2), p99.toFixed(2));
}

async function benchSqlite() {
  const folder = mkdtempSync(join(values.dir, 'carillon-bench-'));
  try {
    print('layout', 'durability', 'step', 'executions/s', 'p50 ms', 'p99 ms');
    const sizes = [];
    for (const layout of ['aligned', 'scattered']) {
      const path = join(folder, `${layout}.db`);
      await fill(new SqliteStore({ path, clock, durability: 'fast' }), layout);
      sizes.push(`${layout} ${Math.round(statSync(path).size / rows)}`);
      for (const durability of ['full', 'fast']) {
        const store = new SqliteStore({ path, clock, durability });
        await store.migrate();
        for (const limit of stepSizes) {
          const result = await measure(() => store.transact({ kind: 'due', limit }, step));
          printResult(layout, durability, limit, result);
        }
        printResult(layout, durability, `${inFlight} × 1`, await measure(() => together(store)));
        await store.close();
      }
    }
    console.log(`\nbytes on disk per execution, before the first fire: ${sizes.join(', ')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests that name their rows: each reads and rewrites one execution. */
async function updates(store, random) {
  const one = () => {
    const { key } = anExecution(random.integer(0, rows - 1), 0);
    const decide = ({ executions }) => {
      const written = executions.map((row, i) => fire(row, i).execution);
      return { writes: { executions: written }, result: written.length };
    };
    return store.transact({ kind: 'keys', keys: [key] }, { decide });
  };
  return sum(await Promise.all(Array.from({ length: inFlight }, one)));
}

async function benchPostgres() {
  const { PostgresStore } = await import('../packages/carillon/src/store/postgres/index.ts');
  const { startPostgres } = await import('../test/support/postgres-server.ts');
  const server = await startPostgres({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  if ('missing' in server) throw new Error(`PostgreSQL could not be had: ${server.missing}`);
  const open = (durability) => new PostgresStore({ url: server.url, clock, durability });
  try {
    await fill(open('fast'), 'scattered');
    await server.query('select 1');
    print('stores', 'durability', 'step', 'executions/s', 'p50 ms', 'p99 ms');
    for (const durability of ['full', 'fast']) {
      for (const count of durability === 'full' ? [1, 2, 4] : [1]) {
        const stores = Array.from({ length: count }, () => open(durability));
        const each = async (work) => {
          const results = await Promise.all(stores.map((store) => measure(() => work(store))));
          const worst = (pick) => Math.max(...results.map(pick));
          const rate = sum(results.map((result) => result.rate));
          return { rate, p50: worst((result) => result.p50), p99: worst((result) => result.p99) };
        };
        for (const limit of stepSizes) {
          printResult(
            count,
            durability,
            limit,
            await each((store) => store.transact({ kind: 'due', limit }, step)),
          );
        }
        printResult(count, durability, `${inFlight} × 1`, await each(together));
        const random = new SeededRandom(2);
        printResult(count, durability, `${inFlight} keys`, await each((store) => updates(store, random)));
        await Promise.all(stores.map((store) => store.close()));
      }
    }
  } finally {
    await server.stop();
  }
}

console.log(`Node ${process.version}, ${rows} executions, state of ${values.state} bytes, ${values.on}\n`);
await (values.on === 'postgres' ? benchPostgres() : benchSqlite());
