/** What can go wrong between a store and its Redis, with a real one: restarts, lost answers, wrong settings. */
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
import { loadDriver } from '../../packages/carillon/src/store/redis/driver.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { describeWithRedis, freshPrefix, startRedis } from '../support/redis-server.ts';
import { turnsOf } from '../support/turns.ts';
import { RedisProxy } from './redis-proxy.ts';
import {
  aKey,
  anAudit,
  anEvent,
  anExecution,
  aPart,
  aRun,
  aSlot,
  everyPage,
  nextOf,
  StandingClock,
  write,
} from './store-fixture.ts';

const unavailable = { name: 'StoreError', trouble: 'unavailable' };

/** Adds one to a counter, once per request id, however often it is asked. */
function addOnce(store: Store, requestId: string): Promise<number> {
  return store.transact<number>(
    { kind: 'keys', keys: [aKey('one')] },
    {
      decide: ({ executions: [row] }) => {
        if (row === undefined) throw new Error('absent');
        const state = JSON.parse(row.state) as { readonly count: number; readonly seen: readonly string[] };
        if (state.seen.includes(requestId)) return { writes: {}, result: state.count };
        const next = { count: state.count + 1, seen: [...state.seen, requestId] };
        return {
          writes: {
            executions: [nextOf(row, { state: JSON.stringify(next) })],
            newEvents: [anEvent({ id: requestId, sequence: next.count, data: requestId })],
          },
          result: next.count,
        };
      },
    },
  );
}

const counter = anExecution({ state: '{"count":0,"seen":[]}' });

await describeWithRedis(
  'a Redis that keeps what it acknowledges',
  (server) => {
    it('has every acknowledged commit after it was killed, and the store finds it again by itself', async () => {
      const store = new RedisStore({ url: server.url, prefix: freshPrefix() });
      await store.migrate();
      const numbers = Array.from({ length: 500 }, (_, i) => i);
      for (let from = 0; from < numbers.length; from += 50) {
        await Promise.all(
          numbers.slice(from, from + 50).map((n) =>
            write(store, {
              executions: [anExecution({ id: `e${n}`, state: String(n), attributes: { n } })],
              parts: [aPart({ incarnation: `e${n}#1`, data: String(n) })],
              slots: [aSlot({ incarnation: `e${n}#1` })],
              newRuns: [aRun({ id: `run-${n}`, owner: `e${n}#1` })],
              newEvents: [anEvent({ owner: `e${n}#1`, data: String(n) })],
              audit: [anAudit({ note: String(n) })],
            }),
          ),
        );
      }
      await server.restart('SIGKILL');
      await expect.poll(() => store.count({}).catch(() => -1)).toBe(500);
      const sorted = (texts: readonly string[]) => texts.map(Number).sort((a, b) => a - b);
      const { items: rows } = await everyPage((after) =>
        store.list({ limit: 200, ...(after ? { after } : {}) }),
      );
      expect(sorted(rows.map((row) => row.state))).toEqual(numbers);
      const events = await Promise.all(
        numbers.map((n) => store.events({ owner: `e${n}#1`, topic: 'news', limit: 9 })),
      );
      expect(sorted(events.flatMap(({ items }) => items.map(({ data }) => data)))).toEqual(numbers);
      expect(sorted((await store.audit({ limit: 1000 })).items.map((row) => row.note))).toEqual(numbers);
      const runs = (await store.runs({ limit: 1000 })).items;
      expect(sorted(runs.map((run) => run.id.slice(4)))).toEqual(numbers);
      const parts = await store.parts({ refs: numbers.map((n) => aPart({ incarnation: `e${n}#1` })) });
      expect(sorted(parts.map((part) => part.data))).toEqual(numbers);
      for (const n of [0, 250, 499]) {
        expect((await store.slots({ incarnation: `e${n}#1`, limit: 9 })).items).toHaveLength(1);
      }
      // Scripts are gone with the old server; the first commit brings them again.
      await write(store, { executions: [nextOf(anExecution({ id: 'e0' }), { state: 'after' })] });
      expect((await store.read({ keys: [aKey('e0')] }))[0]).toMatchObject({ state: 'after', version: 2 });
      await store.close();
    });

    it('is not warned about', async () => {
      const warnings: string[] = [];
      const warn = (message: string) => warnings.push(message);
      const store = new RedisStore({ url: server.url, prefix: freshPrefix(), warn });
      await store.migrate();
      await store.close();
      expect(warnings).toEqual([]);
    });
  },
  { appendonly: 'always' },
);

await describeWithRedis(
  'a store whose Redis is in trouble',
  (server) => {
    let proxy: RedisProxy;
    let store: RedisStore;
    let direct: RedisStore;
    let client: Redis;
    beforeEach(async () => {
      proxy = new RedisProxy(server.port);
      const prefix = freshPrefix();
      const clock = new StandingClock(1_000_000);
      store = new RedisStore({ url: await proxy.open(), prefix, clock });
      direct = new RedisStore({ url: server.url, prefix, clock });
      client = new Redis(server.url);
      await Promise.all([store.migrate(), direct.migrate()]);
      await write(direct, { executions: [counter] });
    });
    afterEach(async () => {
      await Promise.all([store.close(), direct.close()]);
      await proxy.close();
      client.disconnect();
    });

    it('says that a commit may have happened when its answer is lost, and does not send it again', async () => {
      const lost = store.transact<void>(
        { kind: 'keys', keys: [counter.key] },
        {
          decide: ({ executions: [row] }) => {
            if (row === undefined) throw new Error('absent');
            // The question goes through, the server carries it out, and the answer never arrives.
            void proxy.mute().then(() => proxy.cut());
            return {
              writes: { executions: [nextOf(row, { state: '{"count":1,"seen":["a"]}' })] },
              result: undefined,
            };
          },
        },
      );
      await expect(lost).rejects.toMatchObject(unavailable);
      await expect.poll(() => store.count({}).catch(() => -1)).toBe(1);
      expect((await direct.read({ keys: [counter.key] }))[0]).toMatchObject({ version: 2 });
      // Asking again under the same request id finds that it was done.
      expect(await addOnce(store, 'a')).toBe(1);
      expect(await addOnce(store, 'b')).toBe(2);
      expect((await direct.read({ keys: [counter.key] }))[0]).toMatchObject({ version: 3 });
    });

    it('counts every request once although the wire is cut again and again', async () => {
      const persist = async (requestId: string) => {
        for (;;) {
          try {
            return await addOnce(store, requestId);
          } catch (error) {
            expect(error).toMatchObject(unavailable);
            await nextTurn();
          }
        }
      };
      const ids = Array.from({ length: 200 }, (_, i) => `request-${i}`);
      for (const [index, id] of ids.entries()) {
        const persisted = persist(id);
        // Under way, at another point of it each time.
        if (index % 13 === 0) {
          for (let turns = index % 7; turns > 0; turns -= 1) await nextTurn();
          proxy.cut();
        }
        await persisted;
      }
      const [row] = await direct.read({ keys: [counter.key] });
      expect(JSON.parse(row?.state ?? '')).toEqual({ count: ids.length, seen: ids });
      expect(row?.version).toBe(ids.length + 1);
      const { items } = await direct.events({ owner: 'one#1', topic: 'news', limit: 1000 });
      expect(items.map((event) => event.data)).toEqual(ids);
    });

    it('fails at once while the server is away', async () => {
      await proxy.close();
      await expect.poll(() => store.count({}).catch((error) => error.trouble)).toBe('unavailable');
      const calls = [
        addOnce(store, 'a'),
        store.wakeTimes({}),
        store.list({ limit: 1 }),
        store.sweep({ limit: 1, closedBefore: counter.createdAt }),
      ];
      const settled = Promise.allSettled(calls);
      const turns = await turnsOf(settled);
      const outcomes = await settled;
      // Nothing was waited for: the connection, which is tried again after tens of milliseconds, least of all.
      expect(turns).toBeLessThan(20);
      for (const each of outcomes) expect(each).toMatchObject({ status: 'rejected', reason: unavailable });
    });

    it('does not report a refusal of the server as its own fault', async () => {
      await client.call('REPLICAOF', '127.0.0.1', '1');
      try {
        await expect(addOnce(store, 'a')).rejects.toMatchObject({
          ...unavailable,
          message: expect.stringContaining('takes no writes'),
        });
      } finally {
        await client.call('REPLICAOF', 'NO', 'ONE');
      }
      await expect.poll(() => addOnce(store, 'a').catch(() => -1)).toBe(1);
    });

    it('teaches the server its scripts again when they were forgotten', async () => {
      await addOnce(store, 'a');
      await client.script('FLUSH');
      expect(await addOnce(store, 'b')).toBe(2);
    });

    it('refuses a commit too large for one script, and writes nothing of it', async () => {
      const newRuns = Array.from({ length: 20_001 }, (_, i) => aRun({ id: `r${i}` }));
      await expect(write(store, { newRuns })).rejects.toMatchObject({ trouble: 'conflict' });
      expect((await store.runs({ limit: 1 })).items).toEqual([]);
    });

    it('keeps all its keys under one hash tag', async () => {
      await client.flushall();
      const own = new RedisStore({ url: server.url, prefix: 'tagged', clock: new StandingClock(1_000_000) });
      await own.migrate();
      await write(own, {
        executions: [
          anExecution({ attributes: { a: 1 } }),
          anExecution({ id: 'shut', status: 'closed', closedAt: counter.createdAt }),
        ],
        parts: [aPart()],
        slots: [aSlot({ until: counter.createdAt })],
        newRuns: [
          aRun({ owner: 'one#1', alias: 'x', checkAt: counter.createdAt }),
          aRun({ id: 'done', state: 'done', finishedAt: counter.createdAt }),
        ],
        newEvents: [anEvent(), anEvent({ id: 'held', sequence: 2, state: 'reserved', holder: 'run-1' })],
        audit: [anAudit()],
      });
      await own.transact({ kind: 'due', limit: 9 }, { decide: () => ({ writes: {}, result: undefined }) });
      const keys = await client.keys('*');
      expect(keys.length).toBeGreaterThan(20);
      expect(keys.filter((key) => !key.startsWith('{tagged}:'))).toEqual([]);
      expect(await client.ttl('{tagged}:executions')).toBe(-1);
      await own.close();
    });

    it('warns that nothing is kept', async () => {
      const warnings: string[] = [];
      const warn = (message: string) => warnings.push(message);
      const own = new RedisStore({ url: server.url, prefix: freshPrefix(), warn });
      await own.migrate();
      await own.close();
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/appendonly no/);
    });

    it('refuses a Redis that forgets, unless told that this is meant', async () => {
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      try {
        const options = { url: server.url, prefix: freshPrefix() };
        const refused = new RedisStore(options);
        await expect(refused.migrate()).rejects.toMatchObject({ reason: 'EVICTION_ENABLED' });
        await expect(refused.count({})).rejects.toMatchObject(unavailable);
        await refused.close();
        const meant = new RedisStore({ ...options, allowEviction: true });
        await meant.migrate();
        expect(await meant.count({})).toBe(0);
        await meant.close();
      } finally {
        await client.config('SET', 'maxmemory-policy', 'noeviction');
      }
    });

    it('refuses rows of a newer version of Carillon', async () => {
      const prefix = freshPrefix();
      await client.set(`{${prefix}}:layout`, '2');
      const old = new RedisStore({ url: server.url, prefix });
      await expect(old.migrate()).rejects.toMatchObject({ reason: 'STORE_TOO_NEW' });
      await old.close();
    });
  },
  { appendonly: 'no' },
);

await describeWithRedis(
  'a Redis with a password',
  (server) => {
    it('is opened with it, and tells those without what is wrong', async () => {
      const good = new RedisStore({ url: server.url, prefix: freshPrefix() });
      await good.migrate();
      await good.close();
      for (const [url, said] of [
        [`redis://:guess-7@127.0.0.1:${server.port}`, /WRONGPASS/],
        [`redis://127.0.0.1:${server.port}`, /wants a password/],
      ] as const) {
        const store = new RedisStore({ url });
        const error = await store.migrate().then(
          () => undefined,
          (reason: unknown) => reason as Error & { readonly cause?: unknown },
        );
        expect(error).toMatchObject(unavailable);
        expect(error?.message).toMatch(said);
        expect(`${JSON.stringify(error?.cause)} ${error?.message}`).not.toContain('guess-7');
        await store.close();
      }
    });
  },
  { settings: ['--requirepass', 'open-sesame'] },
);

await describeWithRedis(
  'a Redis Cluster',
  (server) => {
    it('holds a store in one of its slots', async () => {
      const client = new Redis(server.url);
      await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      await expect.poll(() => client.cluster('INFO')).toContain('cluster_state:ok');
      const store = new RedisStore({ url: `${server.url}?cluster=true&prefix=team-a` });
      await store.migrate();
      await write(store, { executions: [counter], newRuns: [aRun()], slots: [aSlot()], parts: [aPart()] });
      expect(await addOnce(store, 'a')).toBe(1);
      expect(await addOnce(store, 'a')).toBe(1);
      expect((await store.list({ limit: 9 })).items).toHaveLength(1);
      const slots = new Set<unknown>();
      for (const key of await client.keys('*')) slots.add(await client.cluster('KEYSLOT', key));
      expect(slots.size).toBe(1);
      await store.close();
      client.disconnect();
    });
  },
  { settings: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'] },
);

describe('an address of a Redis', () => {
  it('at which no server answers is unavailable, and the message says so', async () => {
    const store = new RedisStore({ url: 'redis://127.0.0.1:1' });
    await expect(store.migrate()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/^Redis at 127\.0\.0\.1:1: .*ECONNREFUSED/),
    });
    await store.close();
  });

  it('that is none is refused with what to write instead, and without its password', () => {
    for (const url of [
      'redis:',
      'http://host',
      'nonsense',
      'redis://:secret@host/db-x',
      'redis://:secret@host?colour=red',
    ]) {
      expect(() => new RedisStore({ url }), url).toThrow(/write redis:\/\//);
      expect(() => new RedisStore({ url }), url).not.toThrow(/secret/);
    }
    expect(() => new RedisStore({ url: 'redis://host', prefix: 'a{b}' })).toThrow(/prefix/);
  });

  it('is of no use without the driver, which is asked for by name', async () => {
    const absent = Object.assign(new Error("Cannot find package 'ioredis'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(loadDriver(() => Promise.reject(absent))).rejects.toMatchObject({
      reason: 'DRIVER_MISSING',
      message: expect.stringContaining('npm install ioredis'),
    });
    const broken = new Error('its native part does not load');
    await expect(loadDriver(() => Promise.reject(broken))).rejects.toBe(broken);
  });
});

describe('the harness', () => {
  it('names what is missing when a server does not start', async () => {
    const server = await startRedis({ settings: ['--no-such-setting', 'x'] });
    expect(server).toMatchObject({ missing: expect.stringContaining('no-such-setting') });
  });
});
