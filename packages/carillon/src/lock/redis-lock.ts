/**
 * Locks in Redis, under the names of the original design: the lock is a string that holds the token and expires by
 * itself, so that people can inspect it. The fence is a counter under a second key, which does not expire. Each
 * operation is one script and uses the clock of Redis.
 *
 * It works with one Redis, or one master with replicas. A failover may lose the newest locks, as with every lock of
 * this kind. The fence grows by at least one per acquisition that the master has kept.
 */
import { uniqueIds } from '../base/unique-id.ts';
import type { Grant, LockBackend } from './lock.ts';
import type { RedisConnection } from './redis-connection.ts';
import { systemClock } from './system-clock.ts';

export interface RedisLocksOptions {
  /** A prefix of every key, followed by a colon. Default none: keys are used as they are. */
  readonly prefix?: string;
  readonly newId?: () => string;
}

/** Increments the fence first: if that fails, the script ends without taking the lock. */
const acquireScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
local fence = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return fence`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`;

const extendScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0`;

/** Locks on a Redis server of their own. */
export function redisLocks(
  redis: RedisConnection,
  { prefix, newId = uniqueIds(systemClock) }: RedisLocksOptions = {},
): LockBackend {
  const name = (key: string) => (prefix === undefined ? key : `${prefix}:${key}`);
  // The braces put the counter into the same hash slot of a cluster as the lock itself.
  const fenceOf = (key: string) => `{${name(key)}}:fence`;
  return {
    async acquire(key, ttlMs): Promise<Grant | null> {
      const token = newId();
      const fence = await redis.call('EVAL', acquireScript, 2, name(key), fenceOf(key), token, ttlMs);
      return Number(fence) === 0 ? null : { token, fence: Number(fence) };
    },
    async release(key, token): Promise<boolean> {
      return Number(await redis.call('EVAL', releaseScript, 1, name(key), token)) === 1;
    },
    async extend(key, token, ttlMs): Promise<boolean> {
      return Number(await redis.call('EVAL', extendScript, 1, name(key), token, ttlMs)) === 1;
    },
  };
}
