/** Networks that are slow, silent or interrupted while a caller works under a lock. */
import { setImmediate } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { LockBackend } from '../../packages/carillon/src/lock/index.ts';
import { redisLocks, withLock } from '../../packages/carillon/src/lock/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';

const start = Date.UTC(2026, 0, 1) as Instant;

function setting(backend: Partial<LockBackend>) {
  const clock = new VirtualClock(start);
  const pass = async (ms: number) => {
    const until = (clock.now() + ms) as Instant;
    for (;;) {
      for (let i = 0; i < 5; i += 1) await setImmediate();
      const next = clock.nextTimer;
      if (next === undefined || next > until) break;
      clock.moveTo(next);
      clock.fireNext();
    }
    clock.moveTo(until);
  };
  const locks: LockBackend = {
    acquire: async () => ({ token: 't', fence: 1 }),
    extend: async () => true,
    release: async () => true,
    ...backend,
  };
  return { clock, pass, locks };
}

function wait(clock: VirtualClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt((clock.now() + ms) as Instant, resolve);
  });
}

describe('work under a lock', () => {
  test('is told in time when an extension gets no answer at all', async () => {
    const { clock, pass, locks } = setting({ extend: () => new Promise(() => {}) });
    let lostAt: number | undefined;
    void withLock(locks, 'k', { ttl: 3000, clock }, async (signal) => {
      signal.addEventListener('abort', () => {
        lostAt = clock.now() - start;
      });
      await new Promise(() => {});
    });
    await pass(10_000);
    expect(lostAt).toBe(3000);
  });

  test('is told in time when extensions fail slowly', async () => {
    const { clock, pass, locks } = setting({
      extend: async () => {
        await wait(clock, 2500);
        throw new Error('away');
      },
    });
    let lostAt: number | undefined;
    void withLock(locks, 'k', { ttl: 3000, clock }, async (signal) => {
      signal.addEventListener('abort', () => {
        lostAt = clock.now() - start;
      });
      await new Promise(() => {});
    });
    await pass(20_000);
    expect(lostAt).toBe(3000);
  });

  test('counts its time from when the lock was asked for: the answer may have taken long', async () => {
    const { clock, pass, locks } = setting({
      acquire: async () => {
        await wait(clock, 2000);
        return { token: 't', fence: 1 };
      },
      extend: async () => {
        throw new Error('away');
      },
    });
    let lostAt: number | undefined;
    void withLock(locks, 'k', { ttl: 3000, clock }, async (signal) => {
      signal.addEventListener('abort', () => {
        lostAt = clock.now() - start;
      });
      await new Promise(() => {});
    });
    await pass(20_000);
    expect(lostAt).toBe(3000);
  });

  test('does not begin when the answer came after the lock had run out', async () => {
    const released: string[] = [];
    const { clock, pass, locks } = setting({
      acquire: async () => {
        await wait(clock, 4000);
        return { token: 't', fence: 1 };
      },
      release: async (_, token) => released.push(token) > 0,
    });
    let began = false;
    const outcome = withLock(locks, 'k', { ttl: 3000, clock }, () => {
      began = true;
    });
    const refused = expect(outcome).rejects.toMatchObject({ reason: 'LOCK_LOST' });
    await pass(10_000);
    await refused;
    expect([began, released]).toEqual([false, ['t']]);
  });

  test('keeps its result when only letting go fails: the lock runs out by itself', async () => {
    const { clock, pass, locks } = setting({
      release: async () => {
        throw new Error('away');
      },
    });
    const done = withLock(locks, 'k', { ttl: 3000, clock }, () => 'done');
    const failed = withLock(locks, 'k', { ttl: 3000, clock }, () => {
      throw new Error('the work itself');
    });
    const expected = Promise.all([
      expect(done).resolves.toEqual({ result: 'done' }),
      expect(failed).rejects.toThrow('the work itself'),
    ]);
    await pass(1000);
    await expected;
  });

  test('leaves no timer behind', async () => {
    const { clock, pass, locks } = setting({});
    const done = withLock(locks, 'k', { ttl: 3000, clock }, () => wait(clock, 5000));
    await pass(6000);
    await done;
    expect(clock.nextTimer).toBeUndefined();
  });
});

await describeWithRedis('locks in Redis', ({ url }) => {
  test('a fence that cannot be counted leaves no lock behind', async () => {
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    const prefix = freshPrefix();
    const locks = redisLocks(redis, { prefix });
    await redis.set(`{${prefix}:k}:fence`, 'written by hand');
    await expect(locks.acquire('k', 60_000)).rejects.toThrow('not an integer');
    expect(await redis.exists(`${prefix}:k`)).toBe(0);
  });
});
