/** Reads the DATE and DATE-TIME values of RFC 5545: `20261225`, `20261225T090000`, `20261225T090000Z`. */
import { dayNumber, daySeconds, monthLength } from '../calendar-day.ts';
import type { Moment } from './recurrence.ts';

/** Years a value may name. Before 1900 no anchor is useful, after 2100 nothing is evaluated. */
export const firstYear = 1900;
export const lastYear = 2100;

const shape = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/i;

/** The value, or a sentence that says what is wrong with it. */
export function parseMoment(text: string): Moment | string {
  const found = shape.exec(text);
  if (found === null) return `"${text}" is not a date or time`;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const y = year ?? 0;
  const m = month ?? 0;
  const d = day ?? 0;
  if (y < firstYear || y > lastYear) return `year ${y} is outside ${firstYear}–${lastYear}`;
  if (m < 1 || m > 12) return `month ${m} of "${text}" does not exist`;
  if (d < 1 || d > monthLength(y, m)) return `day ${d} of "${text}" does not exist`;
  const number = dayNumber(y, m, d);
  if (found[4] === undefined) return { kind: 'date', day: number };
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) {
    return `"${text}" is not a time between 000000 and 235959`;
  }
  const local = number * daySeconds + (hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0);
  return { kind: found[7] === '' ? 'local' : 'utc', second: local };
}
