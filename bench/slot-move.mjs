// The slot of a store moves from one server of a Redis Cluster to another while two nodes work: how long commits pause, and whether
// anything is lost. Some schedules fire every second, the others lie there. Starts two servers of its own.
//
//   npm run bench -- slot-move [--schedules 20000] [--firing 200] [--keys 10]      (keys per MIGRATE; 10 is redis-cli's own)
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { openCarillon } = await import('../packages/carillon/src/main.ts');
const { moveSlot, startRedisCluster, stopRedisCluster } = await import('../test/support/redis-cluster.ts');

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    firing: { type: 'string', default: '200' },
    keys: { type: 'string', default: '10' },
  },
});
const total = Number(values.schedules);
const firing = Number(values.firing);
const [a, b] = await startRedisCluster();
const prefix = 'slot-move';
const store = `${a.server.url}?cluster=true&prefix=${prefix}`;

const begun = new Map();
let last = performance.now();
let longestPause = 0;
const nodes = [];
for (const name of ['one', 'two']) {
  const carillon = await openCarillon({ store, name, concurrency: 1000, onTrouble: () => {} });
  carillon.handle('tick', ({ schedule, scheduledAt }) => {
    const slot = `${schedule} ${scheduledAt}`;
    begun.set(slot, (begun.get(slot) ?? 0) + 1);
    longestPause = Math.max(longestPause, performance.now() - last);
    last = performance.now();
  });
  nodes.push(carillon);
}
const [first] = nodes;
for (let from = 0; from < total; from += 500) {
  const ids = Array.from({ length: Math.min(500, total - from) }, (_, index) => from + index);
  await Promise.all(
    ids.map((id) =>
      first.schedules.create(`s-${id}`, {
        ...(id < firing ? { every: '1s', overlap: 'allowAll' } : { cron: '0 4 1 1 *' }),
        run: 'tick',
      }),
    ),
  );
}
for (const node of nodes) await node.start();
await sleep(5000);
longestPause = 0;
const slot = Number(await a.client.cluster('KEYSLOT', `{${prefix}}:layout`));
const began = performance.now();
const moved = await moveSlot(slot, { from: a, to: b, keysAtOnce: Number(values.keys) }, async () => {});
const tookMs = performance.now() - began;
await sleep(15_000);

const problems = [];
for (let id = 0; id < firing; id += 1) await first.schedules.pause(`s-${id}`);
await sleep(3000);
let slots = 0;
for (let id = 0; id < firing; id += 1) {
  let previous;
  const { items } = await first.schedules.slots(`s-${id}`, { limit: 1000, order: 'ascending' });
  for (const { nominal, verdict, count } of items) {
    if (verdict === 'paused') continue;
    slots += 1;
    if (count !== 1 || (previous !== undefined && nominal !== previous + 1000))
      problems.push(`s-${id}: ${verdict} × ${count} at ${nominal}, after ${previous}`);
    if (!verdict.startsWith('started')) problems.push(`s-${id} ${nominal}: ${verdict}`);
    else if (begun.get(`s-${id} ${nominal}`) !== 1)
      problems.push(`s-${id} ${nominal}: begun ${begun.get(`s-${id} ${nominal}`) ?? 0} times`);
    previous = nominal;
  }
}
const stored = await first.schedules.count();
if (stored !== total) problems.push(`${stored} of ${total} schedules are left`);
if ((await a.client.dbsize()) > 0) problems.push(`${await a.client.dbsize()} keys were left behind`);
console.log(
  `moved ${moved} keys in ${(tookMs / 1000).toFixed(1)} s; longest time without a fire ${(longestPause / 1000).toFixed(1)} s; ${slots} slots of ${firing} schedules, ${problems.length} problems`,
);
for (const problem of problems.slice(0, 10)) console.log(problem);
for (const node of nodes) await node.stop();
await stopRedisCluster([a, b]);
process.exit(problems.length === 0 ? 0 : 1);
