/**
 * The times of one period of a rule (a year, a week, an hour …) as a sorted list that is never materialised: every
 * base (a day, or the period itself below a day) is combined with every offset, and BYSETPOS picks positions.
 */
import { none } from '../model.ts';

/**
 * Times of day in order: hours × minutes × seconds. They are not materialised either, because a day may hold 86,400
 * of them.
 */
export interface Offsets {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

export function offsetTotal({ hours, minutes, seconds }: Offsets): number {
  return hours.length * minutes.length * seconds.length;
}

export interface Period {
  readonly bases: readonly number[];
  readonly offsets: Offsets;
  /** Sorted positions in the combined list; undefined means all. */
  readonly picks: readonly number[] | undefined;
}

export function makePeriod(
  bases: readonly number[],
  offsets: Offsets,
  setPositions: readonly number[],
): Period {
  if (setPositions.length === 0) return { bases, offsets, picks: undefined };
  const total = bases.length * offsetTotal(offsets);
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

export function periodHolds(period: Period, second: number): boolean {
  return periodPrevious(period, second + 1) === second;
}

function size(period: Period): number {
  return period.picks?.length ?? period.bases.length * offsetTotal(period.offsets);
}

function at({ picks, bases, offsets }: Period, index: number): number {
  const position = picks === undefined ? index : (picks[index] ?? 0);
  const { hours, minutes, seconds } = offsets;
  const second = position % seconds.length;
  const wholeMinutes = (position - second) / seconds.length;
  const minute = wholeMinutes % minutes.length;
  const wholeHours = (wholeMinutes - minute) / minutes.length;
  const hour = wholeHours % hours.length;
  const base = bases[(wholeHours - hour) / hours.length] ?? 0;
  return base + (hours[hour] ?? 0) * 3600 + (minutes[minute] ?? 0) * 60 + (seconds[second] ?? 0);
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
