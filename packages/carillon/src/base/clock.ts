/** The only source of time and of timers. Real code receives a `SystemClock`, tests and simulation a virtual one. */
import type { Instant } from './time.ts';
import { instant } from './time.ts';

export interface Clock {
  now(): Instant;
  /**
   * Calls `wake` once, when the time from now until `at` has passed: at or after `at`, unless the clock was set back
   * meanwhile. The returned function cancels it.
   */
  wakeAt(at: Instant, wake: () => void): () => void;
}

/** Milliseconds with fractions from some fixed point, never going back: for how long something took, never for when. */
export function stopwatch(): number {
  return performance.now();
}

/** Node's timers hold at most 2^31 − 1 ms (24.8 days); longer waits are taken in legs of this length. */
const longestTimer = 2_000_000_000;

/**
 * Wall-clock time. Waiting is by the stopwatch: whoever sleeps when the wall clock is set back an hour wakes when it would
 * have, and looks again, instead of sleeping an hour longer.
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
          // setTimeout may fire a millisecond early; nothing may ever run before its time.
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
 * Like the wall clock when it was made, and never set afterwards: for leases and timeouts, which a wall clock that jumps by
 * an hour would end, or let lapse, while their holder is alive.
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
