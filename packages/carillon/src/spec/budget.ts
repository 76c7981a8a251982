/**
 * One budget of work for every search over time. The caller makes it, every source and exclusion that takes part spends
 * from it, and nothing has a bound of its own: what a question may cost is decided in one place, by the caller.
 *
 * A unit is one question to one source or exclusion, one period expanded by a recurrence rule (more for a long one), or
 * one stretch of a zone between two changes of its clock. It takes 0.1 to 0.5 µs. Work is counted, never time: the same
 * question costs the same on every machine, so decisions can be repeated.
 */

export interface Budget {
  /** Units not spent yet. */
  left: number;
  /**
   * Written by a search that ends without an answer: nothing lies between the question and this second, this second
   * included. For a search backwards: nothing lies from this second on.
   */
  reached: number;
}

/** In place of a second: the budget ended before the answer was found. It is no answer. */
export const unfinished = Number.POSITIVE_INFINITY;

/** What a question may cost when the caller says nothing: about a second in the worst case. */
export const defaultUnits = 2_000_000;

export function budgetOf(units: number): Budget {
  return { left: units, reached: Number.NaN };
}
