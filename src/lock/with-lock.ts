/**
 * Work under a lock that is kept alive while it goes on. The signal aborts as soon as the lock may be somebody else's: when
 * an extension was refused, or when none got through before the ttl was over.
 */
import type { Clock } from '../base/clock.ts';
import { SystemClock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import { addTime } from '../base/time.ts';
import type { DistributedLock, LockBackend, LockOptions } from './lock.ts';
import { acquireLock } from './lock.ts';

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
  const { clock = new SystemClock(), signal: outer } = options;
  outer?.throwIfAborted();
  const lock = await acquireLock(backend, key, options);
  if (lock === null) return null;
  const lost = new AbortController();
  const keeper = new Keeper(lock, clock, (reason) => lost.abort(reason));
  keeper.begin();
  try {
    const signal = outer === undefined ? lost.signal : AbortSignal.any([outer, lost.signal]);
    signal.throwIfAborted();
    return { result: await work(signal, lock) };
  } finally {
    await keeper.end();
    await lock.release();
  }
}

class Keeper {
  readonly #lock: DistributedLock;
  readonly #clock: Clock;
  readonly #lose: (reason: unknown) => void;
  /** By this clock; the store's began to count no later than the request was sent. */
  #heldUntil = 0;
  #cancel: () => void = () => {};
  #extending: Promise<void> = Promise.resolve();
  #over = false;

  constructor(lock: DistributedLock, clock: Clock, lose: (reason: unknown) => void) {
    this.#lock = lock;
    this.#clock = clock;
    this.#lose = lose;
  }

  begin(): void {
    this.#heldUntil = this.#clock.now() + this.#lock.ttlMs;
    this.#arm();
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#cancel();
    await this.#extending;
  }

  #arm(): void {
    const pause = Math.max(1, Math.floor(this.#lock.ttlMs * renewalPart));
    this.#cancel = this.#clock.wakeAt(addTime(this.#clock.now(), pause), () => {
      this.#extending = this.#extend();
    });
  }

  async #extend(): Promise<void> {
    if (this.#over) return;
    const asked = this.#clock.now();
    try {
      await this.#lock.extend();
      this.#heldUntil = asked + this.#lock.ttlMs;
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.reason === 'LOCK_LOST';
      if (isRefused || this.#clock.now() >= this.#heldUntil) {
        this.#lose(error);
        return;
      }
    }
    if (!this.#over) this.#arm();
  }
}
