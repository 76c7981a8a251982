/** How many slots lie in a stretch of time, up to a bound. */
import type { Instant } from '../base/time.ts';
import { compiledOf } from './compiled-of.ts';
import type { ScheduleDefinition } from './definition.ts';

/** Slots counted before we say "many". */
const mostCounted = 100_000;

export interface SlotCount {
  readonly count: number;
  /** Null when there is none. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** The bound of the count, or of the search, came first: `count` is a lower bound. */
  readonly uncounted: boolean;
}

/** Slots with a nominal time in (from, to]. */
export function countSlots(definition: ScheduleDefinition, from: Instant, to: Instant): SlotCount {
  const compiled = compiledOf(definition);
  let first: Instant | null = null;
  let last: Instant | null = null;
  for (let count = 0; ; count += 1) {
    const found = compiled.search(last ?? from);
    const ended =
      found.kind === 'unfinished' ? found.reached > to : found.kind === 'none' || found.nominal > to;
    if (ended) return { count, first, last, uncounted: false };
    if (found.kind !== 'found' || count >= mostCounted) return { count, first, last, uncounted: true };
    first ??= found.nominal;
    last = found.nominal;
  }
}
