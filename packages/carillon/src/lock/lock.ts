/**
 * A lock that several processes compete for. The holder keeps it for `ttl`, identifies itself by its token, and may
 * extend or release the lock. The lock is an *aid*, not a guarantee: a holder that is suspended for longer than its
 * ttl still believes that it holds a lock which another process has acquired. Therefore each acquisition of a key
 * gets a larger fence number. Pass it to the protected resource and let that refuse numbers smaller than the largest
 * it has seen; then a late holder can do no harm.
 *
 * Carillon's scheduler does not use it: a slot is claimed by the transaction that writes it.
 */
import { parseDuration } from '../base/duration.ts';
import { ServiceError } from '../base/error.ts';

/** Where locks are kept. The backend's clock decides when a lock expires, never the clock of a caller. */
export interface LockBackend {
  /** Returns null when the lock is held. Each acquisition gets a new token. */
  acquire(key: string, ttlMs: number): Promise<Grant | null>;
  /** Returns false when that token does not, or no longer, hold the lock. */
  release(key: string, token: string): Promise<boolean>;
  extend(key: string, token: string, ttlMs: number): Promise<boolean>;
}

export interface Grant {
  readonly token: string;
  /** A number larger than the fence of every earlier holder of the same key. */
  readonly fence: number;
}

/** The options of a lock. */
export interface LockOptions {
  /** How long the lock is held unless it is extended: milliseconds, or a text such as `'30s'`. Default 60 s. */
  readonly ttl?: number | string;
}

/** The most characters of a key. */
export const longestLockKey = 500;
const longestTtl = 86_400_000;
const defaultTtl = 60_000;

/** A lock that this process holds until it is released or lost. */
export class DistributedLock {
  /** What is locked. */
  readonly key: string;
  /** Tells this holder from others. */
  readonly token: string;
  /** Rises with every holder: a store that keeps the highest can refuse a late one. */
  readonly fence: number;
  /** How long the lock lasts without renewal, in milliseconds. */
  readonly ttlMs: number;
  readonly #backend: LockBackend;

  constructor(backend: LockBackend, held: Grant & { readonly key: string; readonly ttlMs: number }) {
    this.#backend = backend;
    this.key = held.key;
    this.token = held.token;
    this.fence = held.fence;
    this.ttlMs = held.ttlMs;
  }

  /** Releases the lock. Does nothing when the lock was lost or released before. */
  async release(): Promise<void> {
    await this.#backend.release(this.key, this.token);
  }

  /** Holds the lock for `ttl` from now. Throws when it was lost, because the caller is about to rely on it. */
  async extend(ttl: number | string = this.ttlMs): Promise<void> {
    if (await this.#backend.extend(this.key, this.token, readTtl(ttl))) return;
    throw lockLost(this.key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

export function lockLost(key: string): ServiceError {
  return new ServiceError({
    code: 'aborted',
    reason: 'LOCK_LOST',
    message: `the lock '${key}' was lost: it expired or was released; acquire it again`,
  });
}

/** Returns the lock, or null when another holder has it. */
export async function acquireLock(
  backend: LockBackend,
  key: string,
  { ttl = defaultTtl }: LockOptions = {},
): Promise<DistributedLock | null> {
  if (key === '' || key.length > longestLockKey) {
    throw ServiceError.invalid([
      {
        path: 'key',
        reason: 'BAD_KEY',
        message: `the key of a lock must have 1 to ${longestLockKey} characters; this one has ${key.length}`,
        fix: 'write a short name such as invoices',
      },
    ]);
  }
  const ttlMs = readTtl(ttl);
  const grant = await backend.acquire(key, ttlMs);
  return grant === null ? null : new DistributedLock(backend, { ...grant, key, ttlMs });
}

export function readTtl(ttl: number | string): number {
  const ms = typeof ttl === 'number' ? ttl : parseDuration(ttl);
  if (ms !== undefined && Number.isFinite(ms) && ms >= 1 && ms <= longestTtl) return Math.trunc(ms);
  throw ServiceError.invalid([
    {
      path: 'ttl',
      reason: 'BAD_TTL',
      message: `${JSON.stringify(ttl)} is not a valid ttl of a lock`,
      fix: "write a number of milliseconds or a duration such as '30s', up to a day",
    },
  ]);
}
