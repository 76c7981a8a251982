// Workflows on a host: runs per second, promptness, and whether a million pending events slow a workflow down.
// Usage: npm run bench -- host [--events 1000000]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, defineWorkflow, topic } from '../packages/carillon/dist/embed/host.js';
import { openCarillon } from '../packages/carillon/dist/main.js';

const events = Number(process.argv[process.argv.indexOf('--events') + 1] || 100_000);
const folder = mkdtempSync(join(tmpdir(), 'host-bench-'));
const since = (start) => Number(process.hrtime.bigint() - start) / 1e6;

/** Takes one event per run; calls back when it has begun `prepare`. */
const one = (name, onPrepare = () => {}) =>
  defineWorkflow({ name, topics: { t: topic() } }).consumer('take', {
    subscribe: ['t'],
    prepare: async (ctx) => {
      onPrepare();
      const [first] = await ctx.peek('t', { limit: 1 });
      return { reservations: [{ topic: 't', ids: first === undefined ? [] : [first.id] }], data: null };
    },
  });

async function withHost(file, workflows, work) {
  const carillon = await openCarillon(`sqlite:${join(folder, file)}`);
  const host = createHost({ carillon, workflows });
  await carillon.start();
  try {
    return await work(host);
  } finally {
    await carillon.stop();
  }
}

const publishAll = async (host, workflow, count) => {
  for (let from = 0; from < count; from += 1000) {
    const messages = Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({
      id: `e${from + i}`,
      payload: {},
    }));
    await host.publish(workflow, 't', messages);
  }
};

const drained = async (host, names, left = 0) => {
  for (const name of names) {
    while ((await host.describe(name)).pending > left) await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

async function rate(workflows, each) {
  const names = Array.from({ length: workflows }, (_, i) => `w${i}`);
  return await withHost(
    `rate-${workflows}.db`,
    names.map((name) => one(name)),
    async (host) => {
      for (const name of names) await host.pause(name);
      for (const name of names) await publishAll(host, name, each);
      const start = process.hrtime.bigint();
      await Promise.all(names.map((name) => host.resume(name)));
      await drained(host, names);
      return (workflows * each * 1000) / since(start);
    },
  );
}

console.log(`one workflow, one event per run: ${Math.round(await rate(1, 1000))} runs/s`);
console.log(`50 workflows, one event per run: ${Math.round(await rate(50, 60))} runs/s (target 1,000)`);

{
  let prepared = () => {};
  const taken = [];
  await withHost('prompt.db', [one('w', () => prepared())], async (host) => {
    for (let i = 0; i < 300; i += 1) {
      const seen = new Promise((resolve) => {
        prepared = resolve;
      });
      const start = process.hrtime.bigint();
      await Promise.all([host.publish('w', 't', { payload: i }), seen]);
      taken.push(since(start));
      await drained(host, ['w']);
    }
  });
  taken.sort((a, b) => a - b);
  console.log(
    `publish to prepare, same node: median ${taken[150].toFixed(1)} ms, p99 ${taken[296].toFixed(1)} ms (target 25 ms)`,
  );
}

for (const pending of [10, events]) {
  await withHost(`pending-${pending}.db`, [one('w')], async (host) => {
    await host.pause('w');
    await publishAll(host, 'w', pending + 500);
    const start = process.hrtime.bigint();
    await host.describe('w');
    const described = since(start);
    const begun = process.hrtime.bigint();
    await host.resume('w');
    await drained(host, ['w'], pending);
    console.log(
      `${pending} pending: ${Math.round(500_000 / since(begun))} runs/s, describe ${described.toFixed(1)} ms`,
    );
  });
}

{
  const names = Array.from({ length: 10_000 }, (_, i) => `w${i}`);
  const start = process.hrtime.bigint();
  await withHost(
    'many.db',
    names.map((name) => one(name)),
    async (host) => {
      const deployed = since(start);
      const begun = process.hrtime.bigint();
      await Promise.all(names.slice(0, 1000).map((name) => host.publish(name, 't', { payload: 1 })));
      await drained(host, names.slice(0, 1000));
      console.log(
        `10,000 workflows: deployed in ${Math.round(deployed)} ms, 1,000 of them ran in ${Math.round(since(begun))} ms`,
      );
    },
  );
}
rmSync(folder, { recursive: true, force: true });
