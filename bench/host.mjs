// Workflows on a host: runs per second and their CPU, promptness, a million pending events, 10,000 workflows.
// Usage: npm run bench -- host [rate|prompt|pending|many …] [--events 1000000] [--on sqlite,postgres,redis]
// PostgreSQL and Redis are servers of the test harness, or those that CARILLON_TEST_POSTGRES and CARILLON_TEST_REDIS name.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';
import { createHost, defineWorkflow, topic } from '../packages/carillon/dist/embed/host.js';
import { openCarillon } from '../packages/carillon/dist/main.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '1000000' },
    on: { type: 'string', default: 'sqlite,postgres,redis' },
  },
});
const isWanted = (part) => positionals.length === 0 || positionals.includes(part);
const folder = mkdtempSync(join(tmpdir(), 'host-bench-'));
const since = (start) => Number(process.hrtime.bigint() - start) / 1e6;
const cpuSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const turn = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const percentiles = (taken) => {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  return `median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms`;
};

/** Takes one event per run. `onPrepare` is called when it looks, `onTake` after it has chosen an event. */
const one = (name, { onPrepare = () => {}, onTake = () => {} } = {}) =>
  defineWorkflow({ name, topics: { t: topic() } }).consumer('take', {
    subscribe: ['t'],
    prepare: async (ctx) => {
      onPrepare();
      const [first] = await ctx.peek('t', { limit: 1 });
      if (first !== undefined) onTake();
      return { reservations: [{ topic: 't', ids: first === undefined ? [] : [first.id] }], data: null };
    },
  });

/** A counter with which a caller can wait for a number. */
const counter = () => {
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = () => {};
  return {
    add: () => {
      count += 1;
      if (count >= wanted) reached();
    },
    until: (number) =>
      new Promise((resolve) => {
        wanted = count + number;
        reached = resolve;
      }),
  };
};

let files = 0;
async function withHost(store, workflows, work) {
  files += 1;
  const carillon = await openCarillon(store ?? `sqlite:${join(folder, `${files}.db`)}`);
  const host = createHost({ carillon, workflows });
  await carillon.start();
  try {
    return await work(host, carillon);
  } finally {
    await carillon.stop();
  }
}

const publishAll = async (host, workflow, count) => {
  for (let from = 0; from < count; from += 1000) {
    const length = Math.min(1000, count - from);
    const messages = Array.from({ length }, (_, place) => ({ id: `e${from + place}`, payload: {} }));
    await host.publish(workflow, 't', messages);
  }
};

const drained = async (host, names) => {
  for (const name of names) while ((await host.describe(name)).pending > 0) await turn(2);
};

async function rate(store, workflows, each) {
  const names = Array.from({ length: workflows }, (_, place) => `rate-${workflows}-${place}`);
  const taken = counter();
  const all = names.map((name) => one(name, { onTake: taken.add }));
  await withHost(store, all, async (host) => {
    for (const name of names) await host.pause(name);
    for (const name of names) await publishAll(host, name, each);
    const runs = workflows * each;
    const finished = taken.until(runs);
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    await Promise.all(names.map((name) => host.resume(name)));
    await finished;
    const ms = since(start);
    const perRun = cpuSince(cpu) / runs;
    console.log(
      `  ${workflows} workflow(s), one event per run: ${Math.round((runs * 1000) / ms)} runs/s, ${perRun.toFixed(3)} ms CPU per run`,
    );
  });
}

async function promptSame(store) {
  let prepared = () => {};
  const taken = [];
  await withHost(store, [one('same', { onPrepare: () => prepared() })], async (host) => {
    for (let time = 0; time < 500; time += 1) {
      const seen = new Promise((resolve) => {
        prepared = resolve;
      });
      const start = process.hrtime.bigint();
      await Promise.all([host.publish('same', 't', { payload: time }), seen]);
      taken.push(since(start));
      await drained(host, ['same']);
    }
  });
  console.log(`  publish to prepare, same node: ${percentiles(taken)} (target p99 25)`);
}

/** The publisher does not know the workflow; both nodes are in this process, with connections of their own. */
async function promptOther(store) {
  let prepared = () => {};
  const taken = [];
  await withHost(store, [one('other', { onPrepare: () => prepared() })], async (host) => {
    const publisher = await openCarillon({ store, name: 'publisher' });
    await publisher.start();
    for (let time = 0; time < 300; time += 1) {
      const seen = new Promise((resolve) => {
        prepared = resolve;
      });
      const start = process.hrtime.bigint();
      await Promise.all([publisher.hosts.publish('other', 't', { payload: time }), seen]);
      taken.push(since(start));
      await drained(host, ['other']);
    }
    await publisher.stop();
  });
  console.log(`  publish to prepare, another node: ${percentiles(taken)} (target p99 100)`);
}

async function pending(store, count) {
  const name = `pending-${count}`;
  const runs = 500;
  const taken = counter();
  await withHost(store, [one(name, { onTake: taken.add })], async (host) => {
    await host.pause(name);
    await publishAll(host, name, count + runs);
    const asked = process.hrtime.bigint();
    const { topics } = await host.describe(name);
    const described = since(asked);
    const finished = taken.until(runs);
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    await host.resume(name);
    await finished;
    const rate = Math.round((runs * 1000) / since(start));
    console.log(
      `  ${topics[0].pending - runs} pending: ${rate} runs/s, ${(cpuSince(cpu) / runs).toFixed(3)} ms CPU per run, describe ${described.toFixed(1)} ms`,
    );
    await host.pause(name);
  });
}

async function many(store) {
  const names = Array.from({ length: 10_000 }, (_, place) => `many-${place}`);
  globalThis.gc?.();
  const heap = process.memoryUsage().rss;
  const start = process.hrtime.bigint();
  await withHost(
    store,
    names.map((name) => one(name)),
    async (host) => {
      const deployed = since(start);
      const used = (process.memoryUsage().rss - heap) / 1e6;
      const cpu = process.cpuUsage();
      await turn(10_000);
      const idle = cpuSince(cpu) / 100;
      const begun = process.hrtime.bigint();
      await Promise.all(names.slice(0, 1000).map((name) => host.publish(name, 't', { payload: 1 })));
      await drained(host, names.slice(0, 1000));
      console.log(
        `  10,000 workflows: started in ${Math.round(deployed)} ms, ${Math.round(used)} MB more, idle ${idle.toFixed(2)} % of a core, 1,000 of them ran in ${Math.round(since(begun))} ms`,
      );
    },
  );
}

/** The store of each kind, and what ends its server. */
async function open(kind) {
  if (kind === 'sqlite') return { store: undefined, stop: async () => {} };
  const unregister = register();
  const server =
    kind === 'postgres'
      ? await (await import('../test/support/postgres-server.ts')).startPostgres()
      : await (await import('../test/support/redis-server.ts')).startRedis();
  await unregister();
  if ('missing' in server) throw new Error(`${kind}: ${server.missing}`);
  return { store: server.url, stop: async () => await server.stop?.() };
}

try {
  for (const kind of values.on.split(',')) {
    const { store, stop } = await open(kind);
    console.log(`${kind}:`);
    if (isWanted('rate')) {
      await rate(store, 1, 1000);
      await rate(store, 50, 200);
    }
    if (isWanted('prompt')) {
      await promptSame(store);
      if (store !== undefined) await promptOther(store);
    }
    if (isWanted('pending'))
      for (const count of [10, 10_000, Number(values.events)]) await pending(store, count);
    if (isWanted('many')) await many(store);
    await stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
