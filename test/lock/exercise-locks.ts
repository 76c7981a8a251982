/** One suite for every place that keeps locks: behaviours 41 to 43, and the fence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LockBackend } from '../../packages/carillon/src/lock/lock.ts';
import { acquireLock, type DistributedLock } from '../../packages/carillon/src/lock/lock.ts';
import { withLock } from '../../packages/carillon/src/lock/with-lock.ts';

export interface LockStage {
  readonly backend: LockBackend;
  /** Advances the clock that the backend uses. */
  pass(ms: number): Promise<void>;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

let keys = 0;
function aKey(): string {
  keys += 1;
  return `key-${process.pid}-${keys}`;
}

export function exerciseLocks(name: string, open: () => Promise<LockStage>): void {
  describe(`locks in ${name}`, () => {
    test('a free one is acquired with a token of its own, a held one is not', async () => {
      const { backend } = await open();
      const key = aKey();
      const first = await acquireLock(backend, key, { ttl: '30s' });
      expect(first).toMatchObject({ key, ttlMs: 30_000, fence: 1 });
      expect(await acquireLock(backend, key, { ttl: '30s' })).toBeNull();
      const other = await acquireLock(backend, aKey(), { ttl: '30s' });
      expect(other?.token).not.toBe(first?.token);
    });

    test('without a ttl it is held for a minute', async () => {
      const { backend } = await open();
      const key = aKey();
      const asked: number[] = [];
      const noting: LockBackend = {
        acquire: (what, ttlMs) => {
          asked.push(ttlMs);
          return backend.acquire(what, ttlMs);
        },
        release: (what, token) => backend.release(what, token),
        extend: (what, token, ttlMs) => backend.extend(what, token, ttlMs),
      };
      const lock = (await acquireLock(noting, key)) as DistributedLock;
      expect(lock.ttlMs).toBe(60_000);
      await lock.release();
      expect(await withLock(noting, key, {}, async () => 'done')).toEqual({ result: 'done' });
      expect(asked).toEqual([60_000, 60_000]);
    });

    test('of ten that try at once, one gets it', async () => {
      const { backend } = await open();
      const key = aKey();
      const tries = await Promise.all(
        Array.from({ length: 10 }, () => acquireLock(backend, key, { ttl: '30s' })),
      );
      expect(tries.filter((lock) => lock !== null)).toHaveLength(1);
    });

    test('an expired one can be acquired, and its old holder can neither extend nor release it', async () => {
      const { backend, pass } = await open();
      const key = aKey();
      const old = (await acquireLock(backend, key, { ttl: 50 })) as DistributedLock;
      await pass(60);
      await expect(old.extend()).rejects.toMatchObject({ code: 'aborted', reason: 'LOCK_LOST' });
      const fresh = (await acquireLock(backend, key, { ttl: '30s' })) as DistributedLock;
      expect(fresh.fence).toBeGreaterThan(old.fence);
      await old.release();
      await expect(old.extend()).rejects.toThrow(`the lock '${key}' was lost`);
      expect(await acquireLock(backend, key, { ttl: '30s' })).toBeNull();
      await fresh.extend();
    });

    test('released, it is free at once; released twice, nothing happens', async () => {
      const { backend } = await open();
      const key = aKey();
      const lock = (await acquireLock(backend, key, { ttl: '30s' })) as DistributedLock;
      await lock.release();
      await lock.release();
      const next = (await acquireLock(backend, key, { ttl: '30s' })) as DistributedLock;
      await lock.release();
      expect(await acquireLock(backend, key, { ttl: '30s' })).toBeNull();
      expect(next.fence).toBe(lock.fence + 1);
    });

    test('extended by its owner, it is held longer', async () => {
      const { backend, pass } = await open();
      const key = aKey();
      const extended = async () => {
        const lock = (await acquireLock(backend, key, { ttl: 100 })) as DistributedLock;
        return await lock.extend('1h').then(
          () => true,
          () => false,
        );
      };
      // A machine so busy that the lock expires before it is extended tries again.
      while (!(await extended()));
      await pass(150);
      expect(await acquireLock(backend, key, { ttl: 100 })).toBeNull();
    });

    test('the fence grows with every acquisition, whatever happens in between', async () => {
      const { backend, pass } = await open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('acquire', 'release', 'extend', 'expire'), {
            minLength: 1,
            maxLength: 12,
          }),
          async (steps) => {
            const key = aKey();
            let held: DistributedLock | null = null;
            let highest = 0;
            for (const step of steps) {
              if (step === 'acquire') {
                const lock = await acquireLock(backend, key, { ttl: 20 });
                if (held === null) expect(lock).not.toBeNull();
                if (lock === null) continue;
                expect(lock.fence).toBeGreaterThan(highest);
                highest = lock.fence;
                held = lock;
              } else if (step === 'release') {
                await held?.release();
                held = null;
              } else if (step === 'expire') {
                await pass(25);
                if (held !== null) await expect(held.extend()).rejects.toThrow('was lost');
                held = null;
              } else {
                await held?.extend(20).catch(() => {
                  held = null;
                });
              }
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    test('an empty key and an invalid ttl are refused', async () => {
      const { backend } = await open();
      await expect(acquireLock(backend, '', { ttl: 10 })).rejects.toThrow(
        'the key of a lock must have 1 to 500',
      );
      for (const ttl of [0, -1, Number.NaN, 'soon', '2d']) {
        await expect(acquireLock(backend, aKey(), { ttl })).rejects.toThrow('is not a valid ttl of a lock');
      }
    });

    test('work under a lock gets its fence, gives its result, and leaves the lock free', async () => {
      const { backend } = await open();
      const key = aKey();
      const done = await withLock(backend, key, { ttl: '10s' }, async (signal, lock) => {
        expect(await withLock(backend, key, { ttl: '10s' }, () => 'never')).toBeNull();
        return { fence: lock.fence, aborted: signal.aborted };
      });
      expect(done).toEqual({ result: { fence: 1, aborted: false } });
      expect(await acquireLock(backend, key, { ttl: '10s' })).toMatchObject({ fence: 2 });
    });

    test('work that throws leaves the lock free too', async () => {
      const { backend } = await open();
      const key = aKey();
      const failing = withLock(backend, key, { ttl: '10s' }, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await acquireLock(backend, key, { ttl: '10s' })).not.toBeNull();
    });

    test('ten workers that take turns never meet', async () => {
      const { backend } = await open();
      const key = aKey();
      let inside = 0;
      let most = 0;
      let turns = 0;
      const fences: number[] = [];
      const worker = async () => {
        while (turns < 30) {
          await pause();
          await withLock(backend, key, { ttl: '10s' }, async (_, { fence }) => {
            inside += 1;
            most = Math.max(most, inside);
            fences.push(fence);
            await pause();
            turns += 1;
            inside -= 1;
          });
        }
      };
      await Promise.all(Array.from({ length: 10 }, worker));
      expect(most).toBe(1);
      expect(fences).toEqual([...fences].sort((a, b) => a - b));
      expect(new Set(fences).size).toBe(fences.length);
    });
  });
}
