/**
 * A clock that moves only when a test moves it. Timers fire in the order of their time, and equal ones in the order
 * of their creation, so that the same calls give the same history.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';

interface Timer {
  readonly at: Instant;
  readonly order: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  #now: Instant;
  #order = 0;
  /** Kept sorted, latest first, so that the next one is taken from the end. */
  readonly #timers: Timer[] = [];

  constructor(start: Instant) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    this.#order += 1;
    const timer = { at, order: this.#order, wake };
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle] as Timer).at > at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** When the next timer fires; undefined when none is set. */
  get nextTimer(): Instant | undefined {
    return this.#timers[this.#timers.length - 1]?.at;
  }

  /** Moves to `at` without firing anything; never backwards. */
  moveTo(at: Instant): void {
    if (at > this.#now) this.#now = at;
  }

  /** Fires one timer whose time has come. Returns false when there is none. */
  fireNext(): boolean {
    const timer = this.#timers[this.#timers.length - 1];
    if (timer === undefined || timer.at > this.#now) return false;
    this.#timers.pop();
    timer.wake();
    return true;
  }
}

/** The clock of a process that can be suspended. Timers that were due meanwhile fire when it resumes. */
export class PausableClock implements Clock {
  readonly #base: Clock;
  #isFrozen = false;
  #late: (() => void)[] = [];

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): Instant {
    return this.#base.now();
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    let isCancelled = false;
    const call = () => {
      if (isCancelled) return;
      if (this.#isFrozen) this.#late.push(call);
      else wake();
    };
    const cancel = this.#base.wakeAt(at, call);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    const late = this.#late;
    this.#late = [];
    for (const call of late) call();
  }
}

/** The clock of a node that differs from the store's clock by an amount that may change at any time. */
export class SkewedClock implements Clock {
  readonly #base: Clock;
  skew = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): Instant {
    return (this.#base.now() + this.skew) as Instant;
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    let cancel: () => void;
    const arm = () => {
      cancel = this.#base.wakeAt((at - this.skew) as Instant, () => {
        // The skew may have changed while the timer ran.
        if (this.now() >= at) wake();
        else arm();
      });
    };
    arm();
    return () => cancel();
  }
}
