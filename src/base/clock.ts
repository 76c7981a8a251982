/** The only source of time and of timers. Real code receives a `SystemClock`, tests and simulation a virtual one. */
import type { Instant } from './time.ts';
import { instant } from './time.ts';

export interface Clock {
  now(): Instant;
  /** Calls `wake` once at or after `at` (this clock's time). The returned function cancels it. */
  wakeAt(at: Instant, wake: () => void): () => void;
}

/** Milliseconds with fractions from some fixed point, never going back: for how long something took, never for when. */
export function stopwatch(): number {
  return performance.now();
}

/** Node's timers hold at most 2^31 − 1 ms (24.8 days); longer waits are taken in legs of this length. */
const longestTimer = 2_000_000_000;

/** Wall-clock time. A jump of the wall clock is noticed at the latest when the current leg of a wait ends. */
export class SystemClock implements Clock {
  now(): Instant {
    return instant(Date.now());
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const wait = at - Date.now();
      timer = setTimeout(
        () => {
          // setTimeout may fire a millisecond early; nothing may ever run before its time.
          if (Date.now() >= at) wake();
          else arm();
        },
        Math.min(Math.max(wait, 0), longestTimer),
      );
    };
    arm();
    return () => clearTimeout(timer);
  }
}
