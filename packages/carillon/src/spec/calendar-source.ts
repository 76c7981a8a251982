/**
 * A calendar in a zone. Between two changes of the clock the offset is constant, so the search is one on the
 * wall clock; only at a change do the rules for gaps and folds matter.
 *
 * For each segment of the zone the fold rule leaves a window of local time it answers for ('first' cuts the
 * repeated hour from the later segment, 'last' from the earlier one, 'both' cuts nothing). A gap belongs to no
 * window; under 'shift' its times are read with the old offset, which puts them as much later as the clock
 * jumped, and under 'gapEnd' they all become the instant of the change. Times that coincide are one time.
 */
import { lastSecond } from './civil.ts';
import type { Calendar, DstPolicy, FoldRule, GapRule, Source, Zone } from './model.ts';
import { none } from './model.ts';
import { compileWallClock, type WallClock } from './wall-clock.ts';
import { segmentOf, tableOf, windowsOf } from './zone/table.ts';

/** The rule of other systems and of exclusions: wall-clock times are compared, nothing is moved. */
export const literalRule: Required<DstPolicy> = { gap: 'skip', fold: 'both' };

export const defaultGap: GapRule = 'shift';

/** A month without a match takes a few nanoseconds; this span is one unit of work. */
const secondsPerUnit = 16 * 30 * 86_400;
/** The cost of a search to the end of the calendar. */
const wholeCalendar = 100;

/**
 * A calendar that seldom matches is searched month by month. Such a search costs units by its distance, and its
 * answer is kept: among many sources, most searches fall into the same long gap, and only the first of them costs
 * anything.
 */
function rememberRare(search: (from: number) => number, direction: 1 | -1): Source['next'] {
  /** A search that starts between here (inclusive) and the answer (exclusive), in its direction, has that answer. */
  let askedFrom = Number.POSITIVE_INFINITY;
  let answer = Number.POSITIVE_INFINITY;
  return (from, budget) => {
    const key = from * direction;
    if (key >= askedFrom && key < answer)
      return answer < Number.POSITIVE_INFINITY ? answer * direction : none;
    const found = search(from);
    const distance = found * direction - key;
    if (distance < secondsPerUnit) return found;
    askedFrom = key;
    answer = Number.isNaN(found) ? Number.POSITIVE_INFINITY : found * direction;
    const units = Math.min(wholeCalendar, Math.floor((answer - key) / secondsPerUnit));
    budget.left = Math.max(0, budget.left - units);
    return found;
  };
}

function foldRuleOf(clock: WallClock, policy: DstPolicy): FoldRule {
  return policy.fold ?? (clock.everyHour ? 'both' : 'first');
}

export function calendarSource(calendar: Calendar, zone: Zone, policy: DstPolicy): Source {
  const clock = compileWallClock(calendar);
  const gap = policy.gap ?? defaultGap;
  const table = tableOf(zone);
  const { starts, offsets } = table;
  const { from, to } = windowsOf(table, foldRuleOf(clock, policy));
  const lastSegment = offsets.length - 1;
  let segment = 0;

  const find = (second: number): number => {
    if (second < (starts[segment] as number) || second >= (starts[segment + 1] as number)) {
      segment = segmentOf(table, second);
    }
    return segment;
  };

  /** How far the clock jumped ahead at the start of segment i; 0 or less when there is no gap. */
  const jump = (i: number): number => (i === 0 ? 0 : (offsets[i] as number) - (offsets[i - 1] as number));

  const next = (after: number): number => {
    const second = after < 0 ? 0 : after + 1;
    let i = find(second);
    // The change itself is the first second of its segment, so a search that begins there does not come through the gap.
    if (gap === 'gapEnd' && second === starts[i] && jump(i) > 0 && fromGap(i, second) === second)
      return second <= lastSecond ? second : none;
    // A shifted time of the gap that has just passed may still be ahead.
    let shifted = Number.POSITIVE_INFINITY;
    if (gap === 'shift' && i > 0 && second < (starts[i] as number) + jump(i)) {
      const old = offsets[i - 1] as number;
      const local = clock.atOrAfter(second + old);
      if (local < (starts[i] as number) + (offsets[i] as number)) shifted = local - old;
    }
    let searched = second + (offsets[i] as number);
    if (searched < (from[i] as number)) searched = from[i] as number;
    let local = clock.atOrAfter(searched);
    for (;;) {
      if (local < (to[i] as number)) {
        const found = Math.min(local - (offsets[i] as number), shifted);
        return found <= lastSecond ? found : none;
      }
      if (shifted < Number.POSITIVE_INFINITY) return shifted <= lastSecond ? shifted : none;
      if (i === lastSegment) return none;
      i++;
      const begin = from[i] as number;
      const change = starts[i] as number;
      if (gap !== 'skip' && local < begin && local >= change + (offsets[i - 1] as number) && jump(i) > 0) {
        if (gap === 'gapEnd') return change <= lastSecond ? change : none;
        shifted = local - (offsets[i - 1] as number);
      }
      // `local` is the first match at or after `searched`; it remains valid unless the window begins elsewhere.
      if (begin < searched || local < begin) {
        searched = begin;
        local = clock.atOrAfter(begin);
      } else if (Number.isNaN(local)) return none;
    }
  };

  /** Latest time, not after `second`, that the gap before segment i contributes; −Infinity when none. */
  const fromGap = (i: number, second: number): number => {
    const change = starts[i] as number;
    const old = offsets[i - 1] as number;
    const end = change + (offsets[i] as number);
    const limit = gap === 'shift' ? Math.min(second + old, end - 1) : end - 1;
    const local = clock.atOrBefore(limit);
    if (!(local >= change + old)) return Number.NEGATIVE_INFINITY;
    return gap === 'shift' ? local - old : change;
  };

  const previous = (before: number): number => {
    const second = before > lastSecond ? lastSecond : before - 1;
    if (!(second >= 0)) return none;
    let i = find(second);
    let searched = Math.min(second + (offsets[i] as number), (to[i] as number) - 1);
    let local = clock.atOrBefore(searched);
    for (;;) {
      let found = local >= (from[i] as number) ? local - (offsets[i] as number) : Number.NEGATIVE_INFINITY;
      const passed = jump(i);
      if (gap !== 'skip' && passed > 0) {
        const change = starts[i] as number;
        // Skipped when a later regular time hides the gap, or when nothing in the gap matches.
        const hidden = found >= change + passed;
        if (!hidden && local >= change + (offsets[i - 1] as number))
          found = Math.max(found, fromGap(i, second));
      }
      if (found > Number.NEGATIVE_INFINITY) return found >= 0 ? found : none;
      if (i === 0) return none;
      i--;
      const end = (to[i] as number) - 1;
      if (end > searched || local > end) {
        searched = end;
        local = clock.atOrBefore(end);
      } else if (Number.isNaN(local)) return none;
    }
  };

  const matches = (second: number): boolean => {
    if (second < 0 || second > lastSecond) return false;
    const i = find(second);
    const local = second + (offsets[i] as number);
    if (local >= (from[i] as number) && local < (to[i] as number) && clock.matches(local)) return true;
    if (gap === 'skip' || second >= (starts[i] as number) + jump(i)) return false;
    if (gap === 'gapEnd') return second === starts[i] && fromGap(i, second) === second;
    return clock.matches(second + (offsets[i - 1] as number));
  };

  return { next: rememberRare(next, 1), previous: rememberRare(previous, -1), matches };
}
