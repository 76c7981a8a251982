/**
 * One budget of work for every search over time. The caller makes it, every source and exclusion that takes part
 * spends from it, and nothing has its own bound: only the caller decides what a search may cost.
 *
 * A unit is one query of one source or exclusion, one period expanded by a recurrence rule (more for a long one), or
 * one span of a zone between two clock changes. It takes 0.1 to 0.5 µs. The budget counts work, not time: the same
 * search costs the same on every machine, so decisions can be repeated.
 */

export interface Budget {
  /** The remaining units. */
  left: number;
  /**
   * Set by a search that ends without an answer: there is no time between the start of the search and this second,
   * inclusive. For a backward search: there is no time from this second on.
   */
  reached: number;
}

/** Returned in place of a second when the budget ended before an answer was found. */
export const unfinished = Number.POSITIVE_INFINITY;

/** The default cost of a search: about a second in the worst case. */
export const defaultUnits = 2_000_000;

/** The cost of a search within a process that has other work, where the caller cannot wait in slices: at most about 50 ms. */
export const unitsPerTurn = 100_000;

export function budgetOf(units: number): Budget {
  return { left: units, reached: Number.NaN };
}
