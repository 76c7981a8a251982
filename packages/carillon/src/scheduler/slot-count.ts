/** The number of slots in a stretch of time, as far as the schedule's share of work allows. */
import type { Instant } from '../base/time.ts';
import type { Budget } from '../spec/index.ts';
import { budgetOf } from '../spec/index.ts';
import { compiledOf } from './compiled-of.ts';
import type { ScheduleNode } from './schedule.ts';

/** Slots counted before the answer is "many". */
const mostCounted = 100_000;

export interface SlotCount {
  readonly count: number;
  /** The first counted slot; null when there is none. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** The limit of the count, or the share of work, was reached first: `count` is a lower bound. */
  readonly uncounted: boolean;
}

/** Lets a search use the work that this schedule may do in the present transaction. */
export function spend<T>(schedule: ScheduleNode, search: (budget: Budget) => T): T {
  const { work } = schedule;
  const budget = budgetOf(work.left);
  const result = search(budget);
  work.left = Math.max(0, budget.left);
  return result;
}

/** Counts slots with a nominal time in (from, to]. */
export function countSlots(schedule: ScheduleNode, from: Instant, to: Instant): SlotCount {
  const definition = schedule.child('definition').state;
  return spend(schedule, (budget) => {
    const walk = compiledOf(definition).walk(from, { last: to });
    let first: Instant | null = null;
    let last: Instant | null = null;
    for (let count = 0; ; count += 1) {
      const found = walk.next(budget);
      if (found.kind === 'none') return { count, first, last, uncounted: false };
      if (found.kind === 'unfinished' || count >= mostCounted) return { count, first, last, uncounted: true };
      first ??= found.nominal;
      last = found.nominal;
    }
  });
}
