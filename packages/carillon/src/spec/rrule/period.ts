/**
 * The times of one period of a rule (a year, a week, an hour …) as a sorted list that is never written out: every
 * base (a day, or the period itself below a day) is combined with every offset, and BYSETPOS picks positions.
 */
import { none } from '../model.ts';

export interface Period {
  readonly bases: readonly number[];
  readonly offsets: readonly number[];
  /** Sorted positions in the combined list; undefined means all. */
  readonly picks: readonly number[] | undefined;
}

export function makePeriod(
  bases: readonly number[],
  offsets: readonly number[],
  setPositions: readonly number[],
): Period {
  if (setPositions.length === 0) return { bases, offsets, picks: undefined };
  const total = bases.length * offsets.length;
  const positions = setPositions
    .map((position) => (position > 0 ? position - 1 : total + position))
    .filter((position) => position >= 0 && position < total);
  return { bases, offsets, picks: [...new Set(positions)].sort((a, b) => a - b) };
}

export function periodNext(period: Period, after: number): number {
  const index = countUpTo(period, after);
  return index < size(period) ? at(period, index) : none;
}

export function periodPrevious(period: Period, before: number): number {
  const index = countUpTo(period, before - 1) - 1;
  return index >= 0 ? at(period, index) : none;
}

function size(period: Period): number {
  return period.picks?.length ?? period.bases.length * period.offsets.length;
}

function at(period: Period, index: number): number {
  const position = period.picks === undefined ? index : (period.picks[index] ?? 0);
  const base = period.bases[Math.floor(position / period.offsets.length)] ?? 0;
  return base + (period.offsets[position % period.offsets.length] ?? 0);
}

/** How many times of the period are at or before `second`. */
function countUpTo(period: Period, second: number): number {
  let low = 0;
  let high = size(period);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(period, middle) <= second) low = middle + 1;
    else high = middle;
  }
  return low;
}
