/** The only source of time and of timers. Real code receives a `SystemClock`, tests and simulation a virtual one. */
import type { Instant } from './time.ts';
import { instant } from './time.ts';

export interface Clock {
  now(): Instant;
  /**
   * Calls `wake` once, when the time from now until `at` has passed: at or after `at`, unless the clock is set back
   * meanwhile. Returns a function that cancels the timer.
   */
  wakeAt(at: Instant, wake: () => void): () => void;
}

/**
 * Milliseconds, with fractions, since some fixed point; they never go back. Use them to measure durations, not to
 * read the time.
 */
export function stopwatch(): number {
  return performance.now();
}

/** Node's timers hold at most 2^31 − 1 ms (24.8 days); a longer wait is split into timers of this length. */
const longestTimer = 2_000_000_000;

/**
 * Wall-clock time. Timers use the stopwatch: when the wall clock is set back an hour, a sleeper wakes after the
 * planned span and checks again, instead of sleeping an hour longer.
 */
export class SystemClock implements Clock {
  now(): Instant {
    return instant(Date.now());
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    let timer: ReturnType<typeof setTimeout>;
    const end = stopwatch() + (at - Date.now());
    const arm = () => {
      const wait = Math.ceil(end - stopwatch());
      timer = setTimeout(
        () => {
          // setTimeout may fire a millisecond early, but nothing may run before its time.
          if (Date.now() >= at || stopwatch() >= end) wake();
          else arm();
        },
        Math.min(Math.max(wait, 0), longestTimer),
      );
    };
    arm();
    return () => clearTimeout(timer);
  }
}

/**
 * A clock that starts at the wall-clock time and is never set afterwards. Leases and timeouts use it, because a jump
 * of the wall clock would end them while their holder is alive.
 */
export class SteadyClock extends SystemClock {
  readonly #origin = Date.now() - stopwatch();

  override now(): Instant {
    return instant(this.#origin + stopwatch());
  }

  override wakeAt(at: Instant, wake: () => void): () => void {
    return super.wakeAt(instant(Date.now() + (at - this.now())), wake);
  }
}
