import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import {
  acquireLock,
  type DistributedLock,
  type LockBackend,
} from '../../packages/carillon/src/lock/lock.ts';
import { redisLocks } from '../../packages/carillon/src/lock/redis-lock.ts';
import { storeLocks } from '../../packages/carillon/src/lock/store-lock.ts';
import { withLock } from '../../packages/carillon/src/lock/with-lock.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/memory-store.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { describeWithRedis, freshPrefix, redisNow } from '../support/redis-server.ts';
import { exerciseLocks } from './exercise-locks.ts';

const start = Date.UTC(2026, 0, 1) as Instant;

function virtual() {
  const clock = new VirtualClock(start);
  const pass = async (ms: number) => {
    clock.moveTo((clock.now() + ms) as Instant);
  };
  return { clock, pass };
}

exerciseLocks('a memory store', async () => {
  const { clock, pass } = virtual();
  return { backend: storeLocks({ store: new MemoryStore({ clock }) }), pass };
});

exerciseLocks('an SQLite file', async () => {
  const { clock, pass } = virtual();
  const directory = mkdtempSync(join(tmpdir(), 'carillon-lock-'));
  const store = new SqliteStore({ path: join(directory, 'a.db'), clock, durability: 'fast' });
  await store.migrate();
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { backend: storeLocks({ store }), pass };
});

await describeWithRedis('Redis', ({ url }) => {
  const connect = () => {
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    return redis;
  };

  exerciseLocks('Redis', async () => ({
    backend: redisLocks(connect(), { prefix: freshPrefix() }),
    // Redis' own time is what counts, and it cannot be moved.
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }));

  test('the key holds the token and expires by itself, as documented', async () => {
    const redis = connect();
    const prefix = freshPrefix();
    const before = await redisNow(redis);
    const lock = (await acquireLock(redisLocks(redis, { prefix }), 'schedule_lock:cleanup', {
      ttl: '60s',
    })) as DistributedLock;
    expect(await redis.get(`${prefix}:schedule_lock:cleanup`)).toBe(lock.token);
    const left = await redis.pttl(`${prefix}:schedule_lock:cleanup`);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    // However long that took, by Redis' own clock it ends a minute after it was acquired.
    expect((await redisNow(redis)) + left - before).toBeGreaterThanOrEqual(60_000);
    await lock.release();
    expect(await redis.exists(`${prefix}:schedule_lock:cleanup`)).toBe(0);
  });
});

describe('work under a lock', () => {
  /** Time moves in small steps and everything due happens, until the condition holds. */
  async function until(clock: VirtualClock, holds: () => boolean): Promise<void> {
    for (let step = 0; step < 10_000 && !holds(); step += 1) {
      if (!clock.fireNext()) clock.moveTo((clock.now() + 10) as Instant);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(holds()).toBe(true);
  }

  test('keeps its lock for as long as it goes on', async () => {
    const { clock } = virtual();
    const backend = storeLocks({ store: new MemoryStore({ clock }) });
    let end = () => {};
    const working = withLock(backend, 'k', { ttl: '1s', clock }, async (signal) => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return signal.aborted;
    });
    await until(clock, () => clock.now() > start + 10_000);
    expect(await acquireLock(backend, 'k', { ttl: '1s' })).toBeNull();
    end();
    expect(await working).toEqual({ result: false });
  });

  test('is told when the lock is lost: refused, or out of reach for too long', async () => {
    for (const broken of [
      { extend: async () => false },
      {
        extend: async () => {
          throw new Error('no route');
        },
      },
    ] satisfies Partial<LockBackend>[]) {
      const { clock } = virtual();
      const backend = { ...storeLocks({ store: new MemoryStore({ clock }) }), ...broken };
      let reason: unknown;
      const working = withLock(backend, 'k', { ttl: '1s', clock }, async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        reason = signal.reason;
      });
      await until(clock, () => reason !== undefined);
      expect(clock.now() - start).toBeLessThanOrEqual(1500);
      await working;
      expect((reason as Error).message).toMatch(/was lost|no route/);
    }
  });

  test('ends with the signal it was given', async () => {
    const { clock } = virtual();
    const backend = storeLocks({ store: new MemoryStore({ clock }) });
    const controller = new AbortController();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const working = withLock(
      backend,
      'k',
      { ttl: '1s', clock, signal: controller.signal },
      async (signal) => {
        begin();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw signal.reason;
      },
    );
    await begun;
    controller.abort(new Error('enough'));
    await expect(working).rejects.toThrow('enough');
    const { signal } = controller;
    await expect(withLock(backend, 'k', { ttl: '1s', clock, signal }, () => 1)).rejects.toThrow('enough');
    expect(await acquireLock(backend, 'k', { ttl: '1s' })).not.toBeNull();
  });
});
