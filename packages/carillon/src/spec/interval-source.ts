/** Sources that need no calendar: even intervals and single points in time. */
import { lastSecond } from './civil.ts';
import type { Interval, Source } from './model.ts';
import { none } from './model.ts';

/** Division is floored, so a phase later than `after` counts as it should. Fractions of a second are cut off. */
export function intervalSource(interval: Interval): Source {
  const every = Math.trunc(interval.everyMs / 1000);
  const phase = Math.trunc((interval.phaseMs ?? 0) / 1000);
  return {
    next: (after) => {
      const from = after < 0 ? -1 : after;
      const found = (Math.floor((from - phase) / every) + 1) * every + phase;
      return found <= lastSecond ? found : none;
    },
    previous: (before) => {
      const from = before > lastSecond ? lastSecond + 1 : before;
      const found = (Math.ceil((from - phase) / every) - 1) * every + phase;
      return found >= 0 ? found : none;
    },
    matches: (second) => second >= 0 && second <= lastSecond && (second - phase) % every === 0,
  };
}

/** Rounded up to whole seconds: nothing fires before its time. */
export function timesSource(times: readonly number[]): Source {
  const seconds = [...new Set(times.map((time) => Math.ceil(time / 1000)))]
    .filter((second) => second >= 0 && second <= lastSecond)
    .sort((a, b) => a - b);
  /** Number of entries that are at most `second`. */
  const countUpTo = (second: number): number => {
    let low = 0;
    let high = seconds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((seconds[middle] as number) <= second) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    next: (after) => seconds[countUpTo(after)] ?? none,
    previous: (before) => seconds[countUpTo(before - 1) - 1] ?? none,
    matches: (second) => seconds[countUpTo(second) - 1] === second,
  };
}
