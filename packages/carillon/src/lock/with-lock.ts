/**
 * Runs work under a lock and extends the lock until the work ends. The signal aborts as soon as another process may
 * hold the lock: when an extension is refused, or when none succeeds before the ttl is over. The ttl is counted from
 * the moment of the request, because the backend cannot have started to count earlier.
 */
import type { Clock } from '../base/clock.ts';
import { isServiceError } from '../base/error.ts';
import { addTime, type Instant } from '../base/time.ts';
import type { DistributedLock, LockBackend, LockOptions } from './lock.ts';
import { acquireLock, lockLost } from './lock.ts';
import { systemClock } from './system-clock.ts';

/** The options of `withLock`. */
export interface WithLockOptions extends LockOptions {
  /** Aborts both the wait for the lock and the work. */
  readonly signal?: AbortSignal;
  /** Measures the wait and the renewal. Default: the system's clock. */
  readonly clock?: Clock;
}

export type LockedWork<T> = (signal: AbortSignal, lock: DistributedLock) => T | Promise<T>;

/** The lock is extended when this part of the ttl is over, which leaves two more tries before it is lost. */
const renewalPart = 1 / 3;

/** Returns what the work returned, or null when another process holds the lock. */
export async function withLock<T>(
  backend: LockBackend,
  key: string,
  options: WithLockOptions,
  work: LockedWork<T>,
): Promise<{ readonly result: T } | null> {
  const { clock = systemClock, signal: outer } = options;
  outer?.throwIfAborted();
  const asked = clock.now();
  const lock = await acquireLock(backend, key, options);
  if (lock === null) return null;
  const lost = new AbortController();
  const keeper = new Keeper(lock, clock, (reason) => lost.abort(reason));
  keeper.begin(asked);
  try {
    const signal = outer === undefined ? lost.signal : AbortSignal.any([outer, lost.signal]);
    signal.throwIfAborted();
    return { result: await work(signal, lock) };
  } finally {
    keeper.end();
    // A backend that cannot be reached does not spoil the result of the work: the lock expires by itself.
    await lock.release().catch(() => {});
  }
}

class Keeper {
  readonly #lock: DistributedLock;
  readonly #clock: Clock;
  readonly #lose: (reason: unknown) => void;
  /** The error of the last extension. */
  #trouble: unknown;
  #cancelExtension: () => void = () => {};
  #cancelExpiry: () => void = () => {};
  #over = false;

  constructor(lock: DistributedLock, clock: Clock, lose: (reason: unknown) => void) {
    this.#lock = lock;
    this.#clock = clock;
    this.#lose = lose;
  }

  begin(asked: Instant): void {
    this.#hold(asked);
    if (!this.#over) this.#extendLater();
  }

  end(): void {
    this.#over = true;
    this.#cancelExtension();
    this.#cancelExpiry();
  }

  /** A separate timer aborts the work at the end of the ttl, because an extension may never get an answer. */
  #hold(asked: Instant): void {
    this.#cancelExpiry();
    this.#trouble = undefined;
    const until = addTime(asked, this.#lock.ttlMs);
    if (this.#clock.now() >= until) this.#giveUp();
    else this.#cancelExpiry = this.#clock.wakeAt(until, () => this.#giveUp());
  }

  #giveUp(reason: unknown = this.#trouble ?? lockLost(this.#lock.key)): void {
    if (this.#over) return;
    this.end();
    this.#lose(reason);
  }

  #extendLater(): void {
    const pause = Math.max(1, Math.floor(this.#lock.ttlMs * renewalPart));
    this.#cancelExtension = this.#clock.wakeAt(addTime(this.#clock.now(), pause), () => void this.#extend());
  }

  async #extend(): Promise<void> {
    const asked = this.#clock.now();
    try {
      await this.#lock.extend();
      if (!this.#over) this.#hold(asked);
    } catch (error) {
      this.#trouble = error;
      if (isServiceError(error) && error.reason === 'LOCK_LOST') this.#giveUp(error);
    }
    if (!this.#over) this.#extendLater();
  }
}
