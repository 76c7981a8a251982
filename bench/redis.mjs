// How many executions per second the Redis store steps: one transaction takes N due executions, rewrites the state of
// each, moves its wake time and writes one slot, as a fire does. Then the same with 2 and 4 stores (nodes) that step
// together, each in a thread of its own; and what a schedule, a slot and a run take of the server's memory.
// On a machine with other work, the processor time per execution, of the server and of Node, is more reliable than the rate.
//
//   node bench/redis.mjs [--rows 20000] [--state 300] [--seconds 2]
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { register } from 'tsx/esm/api';

register();
const { RedisStore } = await import('../packages/carillon/src/store/redis/index.ts');

const { values } = parseArgs({
  args: isMainThread ? process.argv.slice(2) : workerData.args,
  options: {
    rows: { type: 'string', default: '20000' },
    state: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '2' },
  },
});
const rows = Number(values.rows);
const seconds = Number(values.seconds);
const stepSizes = [1, 10, 100, 1000];

/** A stand-in for the engine's hot document, of the size asked for. */
function stateOf(n) {
  const text = JSON.stringify({ v: 1, n, at: 1_700_000_000_000 + n, tasks: [['generate', n]], pad: '' });
  return text.replace('"pad":""', `"pad":"${'x'.repeat(Math.max(0, Number(values.state) - text.length))}"`);
}

/** Everything is always due; a step moves its rows to the end of the order. */
const clock = { now: () => 4_000_000_000_000, wakeAt: () => () => {} };
const period = 1_000_000_000;
const uuid = (i) => `01931f2c-6a7b-7000-8000-${String(i).padStart(12, '0')}`;

function anExecution(i) {
  const wakeAt = 1_700_000_000_000 + Math.floor(i / 1000) * 1000;
  return {
    key: {
      namespace: 'default',
      archetype: 'scheduler.schedule',
      id: `schedule-${String(i).padStart(7, '0')}`,
    },
    incarnation: uuid(i),
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
  const execution = {
    ...row,
    version: row.version + 1,
    wakeAt,
    state: stateOf(row.version),
    signals: { nextAt: wakeAt, running: 1 },
  };
  const slot = {
    incarnation: row.incarnation,
    cause: 'auto',
    nominal: row.wakeAt,
    until: row.wakeAt,
    count: 1,
    verdict: 'started',
    at: row.wakeAt,
    runId: uuid(i),
    detail: null,
  };
  return { execution, slot };
}

const step = {
  decide: ({ executions }) => {
    const fired = executions.map(fire);
    const writes = { executions: fired.map((each) => each.execution), slots: fired.map((each) => each.slot) };
    return { writes, result: executions.length };
  },
};

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
  return { rate: done / elapsed, done, p50: at(0.5), p99: at(0.99) };
}

async function open(url) {
  const store = new RedisStore({ url, clock });
  await store.migrate();
  return store;
}

function write(store, writes) {
  return store.transact({ kind: 'keys', keys: [] }, { decide: () => ({ writes, result: undefined }) });
}

async function inPieces(count, work) {
  for (let from = 0; from < count; from += 1000) {
    await work(Array.from({ length: Math.min(1000, count - from) }, (_, j) => from + j));
  }
}

/** A node in a thread of its own: reports that it is ready, steps on request, and reports its speed. */
async function beNode() {
  const store = await open(workerData.url);
  parentPort.postMessage('ready');
  await once(parentPort, 'message');
  parentPort.postMessage(await measure(() => store.transact({ kind: 'due', limit: workerData.limit }, step)));
  await store.close();
}

async function measureNodes(url, nodes, limit) {
  const workers = Array.from(
    { length: nodes },
    () => new Worker(new URL(import.meta.url), { workerData: { url, limit, args: process.argv.slice(2) } }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const results = workers.map(async (worker) => (await once(worker, 'message'))[0]);
  for (const worker of workers) worker.postMessage('go');
  const measured = await Promise.all(results);
  return {
    rate: measured.reduce((sum, each) => sum + each.rate, 0),
    p50: Math.max(...measured.map((each) => each.p50)),
    p99: Math.max(...measured.map((each) => each.p99)),
  };
}

function print(...cells) {
  console.log(
    cells.map((cell, i) => (i < 3 ? String(cell).padEnd(11) : String(cell).padStart(12))).join(' '),
  );
}

async function usedMemory(client) {
  const [, used] = /used_memory:(\d+)/.exec(await client.info('memory'));
  return Number(used);
}

/** Processor time the server has used, in microseconds. */
async function serverTime(client) {
  const text = await client.info('cpu');
  const [, system] = /used_cpu_sys:([\d.]+)/.exec(text);
  const [, user] = /used_cpu_user:([\d.]+)/.exec(text);
  return (Number(system) + Number(user)) * 1e6;
}

async function measureMemory(url) {
  const client = new Redis(url);
  await client.flushall();
  const store = await open(url);
  const sizes = [];
  let before = await usedMemory(client);
  const since = async (what, count) => {
    const now = await usedMemory(client);
    sizes.push(`${what} ${Math.round((now - before) / count)}`);
    before = now;
  };
  await inPieces(rows, (pieces) => write(store, { executions: pieces.map(anExecution) }));
  await since('schedule', rows);
  await inPieces(rows, (pieces) =>
    write(store, {
      parts: pieces.map((i) => ({
        incarnation: uuid(i),
        name: 'definition',
        stamp: 1,
        at: 0,
        data: 'x'.repeat(500),
      })),
    }),
  );
  await since('part of 500 characters', rows);
  for (let k = 0; k < 20; k++) {
    await inPieces(rows / 10, (pieces) =>
      write(store, {
        slots: pieces.map((i) => fire({ ...anExecution(i), wakeAt: 1.7e12 + k * 60_000 }, i).slot),
      }),
    );
  }
  await since('slot', rows * 2);
  const run = (i) => ({
    ...{
      id: uuid(i),
      alias: null,
      exclusive: false,
      namespace: 'default',
      owner: uuid(i % 1000),
      queue: 'main',
      name: 'report',
    },
    ...{
      priority: 0,
      state: 'done',
      outcome: 'completed',
      attempt: 1,
      createdAt: 1.7e12,
      availableAt: 1.7e12,
    },
    ...{ checkAt: null, startedAt: 1.7e12, finishedAt: 1.7e12 + i, worker: 'node-1/3', leaseToken: uuid(i) },
    ...{
      cancel: 'none',
      options: '{"timeoutMs":60000}',
      input: '{"day":"2026-11-16"}',
      progress: null,
      result: '"ok"',
    },
  });
  await inPieces(rows, (pieces) => write(store, { newRuns: pieces.map(run) }));
  await since('finished run', rows);
  await store.close();
  client.disconnect();
  return sizes;
}

async function main() {
  const { startRedis } = await import('../test/support/redis-server.ts');
  console.log(`Node ${process.version}, ${rows} executions, state of ${values.state} bytes\n`);
  print('appendfsync', 'nodes', 'step', 'executions/s', 'p50 ms', 'p99 ms', 'server µs', 'Node µs');
  for (const appendonly of ['always', 'everysec', 'no']) {
    const server = await startRedis({ appendonly });
    if ('missing' in server) throw new Error(server.missing);
    try {
      const store = await open(server.url);
      await inPieces(rows, (pieces) => write(store, { executions: pieces.map(anExecution) }));
      const client = new Redis(server.url);
      for (const limit of stepSizes) {
        const served = await serverTime(client);
        const { user, system } = process.cpuUsage();
        const { rate, done, p50, p99 } = await measure(() => store.transact({ kind: 'due', limit }, step));
        const spent = process.cpuUsage();
        const each = [(await serverTime(client)) - served, spent.user + spent.system - user - system];
        const times = each.map((time) => (time / done).toFixed(1));
        print(appendonly, 1, limit, Math.round(rate), p50.toFixed(2), p99.toFixed(2), ...times);
      }
      client.disconnect();
      await store.close();
      for (const nodes of [2, 4]) {
        const { rate, p50, p99 } = await measureNodes(server.url, nodes, 100);
        print(appendonly, nodes, 100, Math.round(rate), p50.toFixed(2), p99.toFixed(2));
      }
      if (appendonly === 'no') {
        console.log(`\nbytes of memory: ${(await measureMemory(server.url)).join(', ')}`);
      }
    } finally {
      await server.stop();
    }
  }
}

await (isMainThread ? main() : beNode());
