/** One calendar in plain words: "At 09:00 on Monday to Friday", "Every 15 minutes". */
import type { Calendar } from '../model.ts';
import { clockPhrase } from './clock-phrase.ts';
import { dayPhrase } from './day-phrase.ts';
import { joinRuns, valuesOf } from './words.ts';

/** Years outside this range never occur, so a description does not name them. */
const firstYear = 1970;
const lastYear = 2100;

export function describeCalendar(calendar: Calendar): string {
  const seconds = valuesOf(calendar.second, 0, 59);
  const minutes = valuesOf(calendar.minute, 0, 59);
  const hours = valuesOf(calendar.hour, 0, 23);
  const empty = [
    [seconds, 'second'],
    [minutes, 'minute'],
    [hours, 'hour'],
  ].find(([values]) => values?.length === 0);
  if (empty !== undefined) return `Never: no ${empty[1]} is allowed`;
  const days = dayPhrase(calendar);
  if (days.never !== undefined) return `Never: ${days.never}`;
  const years = yearPhrase(calendar);
  if (years === undefined) return 'Never: no year is allowed';
  const clock = clockPhrase({ seconds, minutes, hours });
  const everyDay = clock.rhythm || !(days.text ?? 'in ').startsWith('in ') ? '' : 'every day';
  return [clock.text, everyDay, days.text ?? '', years].filter((part) => part !== '').join(' ');
}

/** Describes an exclusion, beginning in lower case. Whole days need no time of day. */
export function describeExcluded(calendar: Calendar): string {
  const whole =
    valuesOf(calendar.second, 0, 59).length === 60 &&
    valuesOf(calendar.minute, 0, 59).length === 60 &&
    valuesOf(calendar.hour, 0, 23).length === 24;
  const words = describeCalendar(calendar);
  const rest = whole ? words.replace(/^Every second ?/, '') : words;
  return rest === '' ? 'always' : rest.charAt(0).toLowerCase() + rest.slice(1);
}

function yearPhrase(calendar: Calendar): string | undefined {
  if (calendar.year.length === 0) return '';
  const years = valuesOf(calendar.year, firstYear, lastYear);
  if (years.length === 0) return undefined;
  if (years.length === lastYear - firstYear + 1) return '';
  const step = (years[1] ?? 0) - (years[0] ?? 0);
  const even = years.length > 6 && step > 1 && years.every((year) => (year - (years[0] ?? 0)) % step === 0);
  if (even) return `every ${step} years from ${years[0]} to ${years.at(-1)}`;
  return `in ${joinRuns(years)}`;
}
