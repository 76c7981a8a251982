/**
 * The Gregorian calendar as integers. The month tables cover every local month that a time between 1970 and
 * 2100 can fall into, so that a search never divides its way from a day number to a date.
 */

import { civilDay, dayNumber, daySeconds, monthLength, weekdayOf } from './calendar-day.ts';

/** A zone west of Greenwich begins 1970 in 1969. */
export const firstYear = 1969;
export const lastYear = 2100;
export const monthCount = (lastYear - firstYear + 1) * 12;

/** Last second of 2100 in UTC: no nominal time lies beyond. */
export const lastSecond = dayNumber(lastYear + 1, 1, 1) * 86_400 - 1;

/** Day number of the first of each month, with one entry past the end. */
export const monthStarts = new Int32Array(monthCount + 1);
/** (length − 28) · 7 + weekday of the first: all a day-of-month rule can depend on. */
export const monthShapes = new Uint8Array(monthCount);

for (let index = 0; index <= monthCount; index++) {
  const year = firstYear + Math.floor(index / 12);
  const month = (index % 12) + 1;
  const start = dayNumber(year, month, 1);
  monthStarts[index] = start;
  if (index < monthCount) monthShapes[index] = (monthLength(year, month) - 28) * 7 + weekdayOf(start);
}

const firstDay = monthStarts[0] as number;
const monthsPerDay = 12 / 365.2425;

/** Index into the month tables; below 0 or at least `monthCount` when the day lies outside of them. */
export function monthIndexOf(day: number): number {
  let index = Math.floor((day - firstDay) * monthsPerDay);
  if (index < 0) return -1;
  if (index >= monthCount) return monthCount;
  while ((monthStarts[index] as number) > day) index--;
  while (index < monthCount && (monthStarts[index + 1] as number) <= day) index++;
  return index;
}

export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 = Sunday. */
  readonly weekday: number;
}

/** Fields of a local second (Unix second + offset). Not for hot paths. */
export function wallTimeOf(localSecond: number): WallTime {
  const day = Math.floor(localSecond / daySeconds);
  const rest = localSecond - day * daySeconds;
  return {
    ...civilDay(day),
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: weekdayOf(day),
  };
}
