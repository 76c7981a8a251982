/** Calendar dates as text, `2026-12-25`. */
import { dayNumber, monthLength } from './calendar-day.ts';
import { maxYear, minYear } from './limits.ts';

/** Days since 1970-01-01; undefined when there is no such date between 1970 and 2100. */
export function parseDate(text: string): number | undefined {
  const [, yearText, monthText, dayText] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (yearText === undefined) return undefined;
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  if (year < minYear || year > maxYear || month < 1 || month > 12) return undefined;
  return day < 1 || day > monthLength(year, month) ? undefined : dayNumber(year, month, day);
}
