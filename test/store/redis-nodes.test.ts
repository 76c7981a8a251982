/** Several stores on one Redis: what is due is done once, and no node prevents it. */
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import type { CommittedChange } from '../../packages/carillon/src/store/store.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { RedisProxy } from './redis-proxy.ts';
import { aKey, anExecution, aRun, aSlot, look, nextOf, StandingClock, write } from './store-fixture.ts';

await describeWithRedis(
  'stores on one Redis',
  (server) => {
    let prefix: string;
    let stores: RedisStore[];
    const open = async (options: { readonly clock?: Clock; readonly url?: string } = {}) => {
      const store = new RedisStore({ url: server.url, prefix, ...options });
      await store.migrate();
      stores.push(store);
      return store;
    };
    beforeEach(() => {
      prefix = freshPrefix();
      stores = [];
    });
    afterEach(() => Promise.all(stores.map((store) => store.close())));

    it('go by the clock of the server when they are given none', async () => {
      const store = await open();
      const client = new Redis(server.url);
      const [seconds] = await client.time();
      client.disconnect();
      const now = Number(seconds) * 1000;
      await write(store, {
        executions: [
          anExecution({ id: 'past', wakeAt: instant(now) }),
          anExecution({ id: 'future', wakeAt: instant(now + 3_600_000) }),
        ],
      });
      const loaded = await look(store, { kind: 'due', limit: 9 });
      expect(loaded.executions.map((row) => row.key.id)).toEqual(['past']);
      expect(loaded.now).toBeGreaterThanOrEqual(now);
      expect(loaded.now).toBeLessThan(now + 60_000);
      expect((await store.wakeTimes({})).now).toBeGreaterThanOrEqual(loaded.now);
    });

    for (const nodes of [2, 4]) {
      it(`step each due row exactly once per due time, ${nodes} of them, and waste little work`, async () => {
        const rows = 200;
        const rounds = 3;
        const all = await Promise.all(Array.from({ length: nodes }, () => open()));
        const [first] = all as [RedisStore];
        const start = addTime((await first.wakeTimes({})).now, -1000);
        await write(first, {
          executions: Array.from({ length: rows }, (_, i) => anExecution({ id: `e${i}`, wakeAt: start })),
        });
        let decided = 0;
        const committed: string[] = [];
        const stepUntilDone = async (store: RedisStore) => {
          while (committed.length < rows * rounds) {
            const stepped = await store.transact<readonly string[]>(
              { kind: 'due', limit: 20 },
              {
                decide: ({ executions }) => {
                  decided += executions.length;
                  return {
                    writes: {
                      executions: executions.map((row) =>
                        nextOf(row, {
                          wakeAt: row.version < rounds ? addTime(row.wakeAt ?? start, 1) : null,
                        }),
                      ),
                      slots: executions.map((row) =>
                        aSlot({ incarnation: row.incarnation, nominal: row.wakeAt ?? start }),
                      ),
                      newRuns: executions.map((row) => aRun({ id: `${row.incarnation}/${row.wakeAt}` })),
                    },
                    result: executions.map((row) => `${row.incarnation}/${row.wakeAt}`),
                  };
                },
              },
            );
            committed.push(...stepped);
          }
        };
        await Promise.all(all.map(stepUntilDone));
        expect(committed).toHaveLength(rows * rounds);
        expect(new Set(committed).size).toBe(rows * rounds);
        // Rows that a node has in hand are passed by, so hardly a decision is made in vain.
        expect(decided).toBeLessThanOrEqual(rows * rounds * 1.2);
        const { items } = await first.list({ limit: 1000 });
        expect(items.every((row) => row.version === rounds + 1)).toBe(true);
        expect((await first.slots({ incarnation: 'e7#1', limit: 9 })).items).toHaveLength(rounds);
      });
    }

    it('lose no increment of rows that all of them change at once', async () => {
      const all = await Promise.all([open(), open(), open()]);
      await write(all[0] as RedisStore, { executions: [anExecution({ state: '0' })] });
      let decided = 0;
      const increment = (store: RedisStore) =>
        store.transact(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions }) => {
              decided++;
              const [row] = executions;
              if (row === undefined) throw new Error('absent');
              const next = nextOf(row, { state: String(Number(row.state) + 1) });
              return { writes: { executions: [next] }, result: undefined };
            },
          },
        );
      await Promise.all(all.flatMap((store) => Array.from({ length: 40 }, () => increment(store))));
      const [row] = await (all[0] as RedisStore).read({ keys: [aKey('one')] });
      expect(row).toMatchObject({ state: '120', version: 121 });
      // Each store has one of its own at it at a time; among three, one decision in three is the least that fits.
      expect(decided).toBeLessThan(120 * 6);
    });

    it('create one execution under a key that all of them find free', async () => {
      const all = await Promise.all([open(), open(), open()]);
      const create = (store: RedisStore, incarnation: string) =>
        store.transact<string>(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions: [found] }) =>
              found === undefined
                ? { writes: { executions: [anExecution({ incarnation })] }, result: incarnation }
                : { writes: {}, result: found.incarnation },
          },
        );
      const answers = await Promise.all(all.map((store, i) => create(store, `one#${i}`)));
      expect(new Set(answers).size).toBe(1);
      expect(await (all[0] as RedisStore).count({})).toBe(1);
    });

    it('are notified of each other’s commits, and once of their own', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      const heardByOne: CommittedChange[] = [];
      const heardByTwo: CommittedChange[] = [];
      one.subscribe((change) => heardByOne.push(change));
      two.subscribe((change) => heardByTwo.push(change));
      // The listening connection opens by itself; notifications before that are lost.
      await expect
        .poll(async () => {
          await write(one, { executions: [anExecution({ id: `e${heardByOne.length}` })] });
          return heardByTwo.length;
        })
        .toBeGreaterThan(0);
      const id = 'odd\n"\u0000\u0001';
      const before = heardByOne.length;
      await write(one, { executions: [anExecution({ id, incarnation: 'odd#1', wakeAt: instant(7) })] });
      await write(one, { remove: ['odd#1'] });
      await expect.poll(() => heardByTwo.at(-1)?.wakeAt).toBe(null);
      expect(heardByTwo.slice(-2)).toEqual([
        { keys: [aKey(id)], wakeAt: 7, queues: [], cancelledRuns: [] },
        { keys: [aKey(id)], wakeAt: null, queues: [], cancelledRuns: [] },
      ]);
      expect(heardByOne.slice(before)).toEqual(heardByTwo.slice(-2));
    });

    describe('when one dies with rows in hand', () => {
      it('pass them by for a moment, then take them', async () => {
        const clock = new StandingClock(1_000_000);
        const proxy = new RedisProxy(server.port);
        const dying = await open({ clock, url: await proxy.open() });
        const other = await open({ clock });
        await write(other, {
          executions: [anExecution({ wakeAt: instant(500_000) })],
          newRuns: [aRun({ checkAt: instant(600_000) })],
        });
        const selections = [
          { kind: 'due', limit: 9 },
          { kind: 'claimable', queues: ['main'], limit: 9 },
          { kind: 'lapsed', limit: 9 },
        ] as const;
        const found = async (store: RedisStore) => {
          const counts: number[] = [];
          for (const selection of selections) {
            const { executions, runs } = await look(store, selection);
            counts.push(executions.length + runs.length);
          }
          return counts;
        };
        for (const selection of selections) {
          await dying.transact(selection, {
            decide: () => {
              proxy.cut();
              return { writes: {}, result: undefined };
            },
          });
          await expect.poll(() => dying.count({}).catch(() => -1)).toBe(1);
        }
        expect(await found(other)).toEqual([0, 0, 0]);
        expect(await other.wakeTimes({ queues: ['main'] })).toMatchObject({
          due: 1_001_500,
          lapsed: 1_001_500,
          claimable: 1_001_500,
        });
        clock.set(1_001_500);
        expect(await found(other)).toEqual([1, 1, 1]);
        // Given back, they stand where they stood.
        expect(await other.wakeTimes({ queues: ['main'] })).toMatchObject({
          due: 500_000,
          lapsed: 600_000,
          claimable: 1000,
        });
        await dying.close();
        await proxy.close();
      });
    });
  },
  { appendonly: 'no' },
);
