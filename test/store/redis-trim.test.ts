/** Forgetting the surplus of an owner's runs reads no more rows than go, however many the owner has. */
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { anExecution, aRun, write } from './store-fixture.ts';

await describeWithRedis('trimming runs on Redis', (server) => {
  test('reads the rows that go and no others', async () => {
    const store = new RedisStore({ url: server.url, prefix: freshPrefix() });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    const id = (n: number) => `run-${String(n).padStart(6, '0')}`;
    for (let from = 0; from < 10_000; from += 1000) {
      await write(store, {
        newRuns: Array.from({ length: 1000 }, (_, n) =>
          aRun({
            id: id(from + n),
            owner: 'one#1',
            input: 'x'.repeat(500),
            // Every hundredth is still running and neither goes nor counts.
            ...((from + n) % 100 === 0
              ? { state: 'leased', checkAt: instant(1) }
              : { state: 'done', outcome: 'completed', finishedAt: instant(5), checkAt: null }),
          }),
        ),
      });
    }
    const client = new Redis(server.url);
    const callsOf = async (command: string) => {
      const found = new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await client.info('commandstats'));
      return Number(found?.[1] ?? 0);
    };
    await client.config('RESETSTAT');
    const swept = await store.sweep({ limit: 500, runsPerOwner: 1000 });
    expect(swept.rows).toBe(500);
    expect(await callsOf('hget')).toBe(500);
    expect(await callsOf('hmget')).toBe(0);
    const walk = async () => {
      for (let after: string | undefined; ; ) {
        const { rows, next } = await store.sweep({
          limit: 500,
          runsPerOwner: 1000,
          ...(after === undefined ? {} : { after }),
        });
        if (next === null) return rows;
        after = next;
      }
    };
    while ((await walk()) > 0);
    const left = await store.runs({ owner: 'one#1', limit: 5000 });
    expect(left.items.filter(({ state }) => state === 'done')).toHaveLength(1000);
    expect(left.items.filter(({ state }) => state === 'leased')).toHaveLength(100);
    expect(left.items.filter(({ state }) => state === 'done').at(-1)?.id).toBe(id(8990));
    client.disconnect();
    await store.close();
  });
});
