/** Several processes' worth of Carillons on each store that can be shared, in real time. */
import { expect, onTestFinished, test } from 'vitest';
import { acquireLock } from '../../packages/carillon/src/lock/lock.ts';
import { storeLocks } from '../../packages/carillon/src/lock/store-lock.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { createPeriodic, type Periodic } from '../../packages/carillon/src/periodic/periodic.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { exerciseLocks } from '../lock/exercise-locks.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

/** Three instances with the same code on one store; `open` gives a connection of its own to each. */
async function threeInstances(open: () => Store): Promise<void> {
  const ran: number[] = [];
  const instances: Periodic[] = [];
  for (let index = 0; index < 3; index += 1) {
    const periodic = createPeriodic({ carillon: await openCarillon({ store: open() }), prune: 'delete' });
    onTestFinished(() => periodic.stop({ drainMs: 0 }));
    periodic.task({ id: 'beat', cron: '* * * * * *', run: ({ scheduledAt }) => void ran.push(scheduledAt) });
    periodic.task({ id: 'gone', cron: '@yearly', run: () => {} });
    instances.push(periodic);
  }
  const [first] = instances as [Periodic];
  await Promise.all(instances.map((each) => each.start()));
  await until(() => ran.length >= 4);
  expect(new Set(ran).size).toBe(ran.length);
  await first.pause('beat', 'enough', { actor: 'ann' });
  expect((await first.states()).map(({ id, enabled }) => `${id} ${enabled}`)).toEqual([
    'beat false',
    'gone true',
  ]);
  const { counts, lastError } = await first.state('beat');
  expect(counts.runs).toBeGreaterThanOrEqual(4);
  expect(lastError).toBeNull();
  expect((await first.history('beat', 3)).map(({ decision }) => decision)).toEqual([
    'fired',
    'fired',
    'fired',
  ]);

  // Newer code comes, and prunes; older code that starts again changes nothing.
  const newer = createPeriodic({
    carillon: await openCarillon({ store: open() }),
    prune: 'delete',
    version: 2,
  });
  onTestFinished(() => newer.stop({ drainMs: 0 }));
  newer.task({ id: 'beat', cron: '*/2 * * * * *', run: () => {} });
  expect(await newer.sync()).toMatchObject({ updated: ['beat'], pruned: ['gone'] });
  expect(await first.sync()).toMatchObject({ supersededBy: 2 });
  expect((await newer.states()).map(({ id, enabled }) => `${id} ${enabled}`)).toEqual(['beat false']);
}

/** Ten tries through ten connections, for an unused key. */
async function tenConnections(open: () => Store): Promise<void> {
  const stores = Array.from({ length: 10 }, open);
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  for (const store of stores) await store.migrate();
  for (const key of ['a', 'b', 'c']) {
    const tries = await Promise.all(
      stores.map((store) => acquireLock(storeLocks({ store }), key, { ttl: '30s' })),
    );
    expect(tries.filter((lock) => lock !== null)).toMatchObject([{ key, fence: 1 }]);
  }
}

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

await describeWithRedis('on a Redis', ({ url }) => {
  test('three instances make each job once, and agree about what is declared', async () => {
    const prefix = freshPrefix();
    await threeInstances(() => new RedisStore({ url, prefix, warn: () => {} }));
  });

  test('of ten processes that want one lock for the first time, one gets it', async () => {
    const prefix = freshPrefix();
    await tenConnections(() => new RedisStore({ url, prefix, warn: () => {} }));
  });

  exerciseLocks('a Redis store', async () => {
    const store = new RedisStore({ url, prefix: freshPrefix(), warn: () => {} });
    await store.migrate();
    onTestFinished(() => store.close());
    return { backend: storeLocks({ store }), pass };
  });
});

await describePostgres('on a PostgreSQL', (server) => {
  test('three instances make each job once, and agree about what is declared', async () => {
    const url = await server.newDatabase();
    await threeInstances(() => new PostgresStore({ url }));
  });

  test('of ten processes that want one lock for the first time, one gets it', async () => {
    const url = await server.newDatabase();
    await tenConnections(() => new PostgresStore({ url }));
  });

  const database = server.newDatabase();
  exerciseLocks('a PostgreSQL store', async () => {
    const store = new PostgresStore({ url: await database });
    await store.migrate();
    onTestFinished(() => store.close());
    return { backend: storeLocks({ store }), pass };
  });
});
