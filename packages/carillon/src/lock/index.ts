/**
 * `carillon/lock`: a distributed lock, usable by itself, on any Carillon store or on Redis.
 *
 * ```ts
 * const done = await withLock(storeLocks(carillon), 'invoices', { ttl: '30s' }, async (signal, lock) => {
 *   await writeInvoices({ signal, fence: lock.fence });
 * });
 * if (done === null) console.log('another process holds the lock');
 * ```
 */
export type { Grant, LockBackend, LockOptions } from './lock.ts';
export { acquireLock, DistributedLock, longestLockKey } from './lock.ts';
export type { RedisConnection } from './redis-connection.ts';
export { type RedisLocksOptions, redisLocks } from './redis-lock.ts';
export { type StoreLocksOptions, storeLocks } from './store-lock.ts';
export { type LockedWork, type WithLockOptions, withLock } from './with-lock.ts';
