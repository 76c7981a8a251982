/**
 * A lock that several processes compete for: whoever gets it holds it for `ttl`, proves it by its token, and may extend
 * or release it. It is an *aid*, not a proof: a holder that stands still longer than its ttl goes on believing in a lock
 * that another one has. Hence the fence: a number that grows with every acquisition of a key. Hand it to what the lock
 * protects and let that refuse a smaller number than it has seen; then a late holder can do no harm.
 *
 * Carillon itself decides nothing with it: its slots are claimed by the transaction that writes them.
 */
import { parseDuration } from '../base/duration.ts';
import { ServiceError } from '../base/error.ts';

/** Where locks are kept. Its own clock judges, never the clock of a caller. */
export interface LockBackend {
  /** Null: somebody holds it. A token is fresh for each acquisition. */
  acquire(key: string, ttlMs: number): Promise<Grant | null>;
  /** False: that token does not hold it (any more). */
  release(key: string, token: string): Promise<boolean>;
  extend(key: string, token: string, ttlMs: number): Promise<boolean>;
}

export interface Grant {
  readonly token: string;
  /** Larger than that of every earlier holder of the same key. */
  readonly fence: number;
}

export interface LockOptions {
  /** How long it is held unless extended: milliseconds, or `'30s'`. */
  readonly ttl: number | string;
}

/** Characters of a key. */
export const longestLockKey = 500;
const longestTtl = 86_400_000;

export class DistributedLock {
  readonly key: string;
  readonly token: string;
  readonly fence: number;
  readonly ttlMs: number;
  readonly #backend: LockBackend;

  constructor(backend: LockBackend, held: Grant & { readonly key: string; readonly ttlMs: number }) {
    this.#backend = backend;
    this.key = held.key;
    this.token = held.token;
    this.fence = held.fence;
    this.ttlMs = held.ttlMs;
  }

  /** Lets go. Without effect, and without complaint, when it was lost or released before. */
  async release(): Promise<void> {
    await this.#backend.release(this.key, this.token);
  }

  /** Holds it for `ttl` from now. Refused when it was lost: whoever extends is about to rely on it. */
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
    message: `the lock '${key}' was lost: it expired, or was released`,
  });
}

/** The lock, or null when somebody else holds it. */
export async function acquireLock(
  backend: LockBackend,
  key: string,
  { ttl }: LockOptions,
): Promise<DistributedLock | null> {
  if (key === '' || key.length > longestLockKey) {
    throw ServiceError.invalid([
      {
        path: 'key',
        reason: 'BAD_KEY',
        message: `a lock has a key of 1 to ${longestLockKey} characters, this one has ${key.length}`,
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
      message: `${JSON.stringify(ttl)} is no time that a lock can be held`,
      fix: "write a number of milliseconds or a duration such as '30s', up to a day",
    },
  ]);
}
