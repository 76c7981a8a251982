/**
 * The Gregorian calendar as integers. The month tables cover every local month that a time between 1970 and
 * 2100 can fall into, so that a search never divides its way from a day number to a date.
 */

/** Days from 1970-01-01 to the given date (proleptic Gregorian). */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Counting from March puts the leap day at the end of the counted year.
  const y = month <= 2 ? year - 1 : year;
  const m = month <= 2 ? month + 9 : month - 3;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return y * 365 + leaps + Math.floor((153 * m + 2) / 5) + day - 1 - 719_468;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A zone west of Greenwich begins 1970 in 1969. */
export const firstYear = 1969;
export const lastYear = 2100;
export const monthCount = (lastYear - firstYear + 1) * 12;

/** Last second of 2100 in UTC: no nominal time lies beyond. */
export const lastSecond = daysFromCivil(lastYear + 1, 1, 1) * 86_400 - 1;

/** Day number of the first of each month, with one entry past the end. */
export const monthStarts = new Int32Array(monthCount + 1);
/** (length − 28) · 7 + weekday of the first: all a day-of-month rule can depend on. */
export const monthShapes = new Uint8Array(monthCount);

for (let index = 0; index <= monthCount; index++) {
  const year = firstYear + Math.floor(index / 12);
  const month = (index % 12) + 1;
  const start = daysFromCivil(year, month, 1);
  monthStarts[index] = start;
  if (index < monthCount) monthShapes[index] = (daysInMonth(year, month) - 28) * 7 + weekdayOf(start);
}

/** 0 = Sunday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
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
  const dayNumber = Math.floor(localSecond / 86_400);
  const rest = localSecond - dayNumber * 86_400;
  const shifted = dayNumber + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: weekdayOf(dayNumber),
  };
}
