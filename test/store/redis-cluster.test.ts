/**
 * A Redis Cluster that moves the slot of a store from one server to another while nodes work: nothing is lost, nothing is
 * written to the wrong server, and work goes on when the slot has moved.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import { type ClusterNode, moveSlot, startRedisCluster, stopRedisCluster } from '../support/redis-cluster.ts';
import { freshPrefix } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { aKey, anExecution, aPart, aSlot, nextOf, write } from './store-fixture.ts';

describe('a Redis Cluster that moves our slot', () => {
  let a: ClusterNode;
  let b: ClusterNode;
  beforeAll(async () => {
    [a, b] = await startRedisCluster();
  });
  afterAll(async () => {
    await stopRedisCluster([a, b]);
  });

  test('loses nothing, and shows no node an empty store', async () => {
    const prefix = freshPrefix();
    const url = `${a.server.url}?cluster=true&prefix=${prefix}`;
    const stores = [new RedisStore({ url }), new RedisStore({ url })];
    for (const store of stores) await store.migrate();
    const [first, second] = stores as [RedisStore, RedisStore];
    const names = Array.from({ length: 300 }, (_, n) => `e${n}`);
    await write(first, {
      executions: names.map((id) => anExecution({ id, state: '0' })),
      parts: names.map((id) => aPart({ incarnation: `${id}#1` })),
      slots: names.map((id) => aSlot({ incarnation: `${id}#1` })),
    });

    const acknowledged = new Map<string, number>();
    const inDoubt = new Map<string, number>();
    let isOver = false;
    let lastAnswer = performance.now();
    let longestPause = 0;
    const more = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
    const work = async (store: RedisStore, offset: number) => {
      for (let n = offset; !isOver; n++) {
        const id = names[(n * 7) % names.length] as string;
        try {
          await store.transact<void>(
            { kind: 'keys', keys: [aKey(id)] },
            {
              decide: ({ executions: [row] }) => {
                if (row === undefined) throw new Error(`${id} is not there`);
                const next = nextOf(row, { state: String(Number(row.state) + 1) });
                return { writes: { executions: [next] }, result: undefined };
              },
            },
          );
          more(acknowledged, id);
          longestPause = Math.max(longestPause, performance.now() - lastAnswer);
          lastAnswer = performance.now();
        } catch (error) {
          expect(error).toMatchObject({ name: 'StoreError', trouble: 'unavailable' });
          more(inDoubt, id);
        }
      }
    };
    const working = [work(first, 0), work(first, 50), work(second, 100), work(second, 150)];
    const total = () => [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
    await until(() => total() > 500);

    const slot = Number(await a.client.cluster('KEYSLOT', `{${prefix}}:layout`));
    const began = performance.now();
    const moved = await moveSlot(slot, { from: a, to: b }, async () => {
      // With nothing moved yet: a listing waits for the move, and nothing is written at the target.
      const listed = first.count({});
      const opened = new RedisStore({ url });
      const opening = opened.migrate().then(() => opened.count({}));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await b.client.dbsize()).toBe(0);
      void Promise.allSettled([listed, opening]).then(async ([count, found]) => {
        for (const each of [count, found]) if (each.status === 'fulfilled') expect(each.value).toBe(300);
        await opened.close();
      });
    });
    const tookMs = performance.now() - began;
    const before = total();
    await until(() => total() > before + 500);
    isOver = true;
    await Promise.all(working);

    console.log(
      `moved ${moved} keys in ${Math.round(tookMs)} ms under load; longest pause of commits ${Math.round(longestPause)} ms, ${total()} acknowledged, ${inDoubt.size} in doubt`,
    );
    expect(await a.client.dbsize()).toBe(0);
    expect(await second.count({})).toBe(300);
    for (const { key, state } of (await first.list({ limit: 1000 })).items) {
      const sure = acknowledged.get(key.id) ?? 0;
      expect(Number(state), key.id).toBeGreaterThanOrEqual(sure);
      expect(Number(state), key.id).toBeLessThanOrEqual(sure + (inDoubt.get(key.id) ?? 0));
    }
    for (const store of stores) await store.close();
  });

  test('refuses to work where the data of the store is gone', async () => {
    const store = new RedisStore({ url: `${a.server.url}?cluster=true&prefix=${freshPrefix()}` });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    for (const { client } of [a, b]) await client.flushall().catch(() => {});
    await expect(store.list({ limit: 9 })).rejects.toMatchObject({
      trouble: 'unavailable',
      message: expect.stringContaining('is not there'),
    });
    await expect(write(store, { executions: [anExecution()] })).rejects.toMatchObject({
      trouble: 'unavailable',
    });
    expect((await a.client.dbsize()) + (await b.client.dbsize())).toBe(0);
    await store.close();
  });
});
