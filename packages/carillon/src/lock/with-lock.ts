/**
 * Work under a lock that is kept alive while it goes on. The signal aborts as soon as the lock may be somebody else's: when
 * an extension was refused, or when none got through before the ttl was over. The ttl is counted here from when the lock
 * or its extension was asked for: whoever keeps it began to count no earlier than that.
 */
import type { Clock } from '../base/clock.ts';
import { isServiceError } from '../base/error.ts';
import { addTime, type Instant } from '../base/time.ts';
import type { DistributedLock, LockBackend, LockOptions } from './lock.ts';
import { acquireLock, lockLost } from './lock.ts';
import { systemClock } from './system-clock.ts';

export interface WithLockOptions extends LockOptions {
  /** Ends the wait and the work. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export type LockedWork<T> = (signal: AbortSignal, lock: DistributedLock) => T | Promise<T>;

/** Extended when this part of the ttl is over, which leaves two more tries before it is lost. */
const renewalPart = 1 / 3;

/** What the work returned, or null when somebody else holds the lock. */
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
    // What the work came to is not spoilt by a store that is away: the lock runs out by itself.
    await lock.release().catch(() => {});
  }
}

class Keeper {
  readonly #lock: DistributedLock;
  readonly #clock: Clock;
  readonly #lose: (reason: unknown) => void;
  /** Why the last extension did not get through. */
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

  /** A timer of its own ends it: an extension that gets no answer must not keep anybody believing. */
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
