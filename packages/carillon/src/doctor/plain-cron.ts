/**
 * A second, deliberately simple implementation of cron: it walks over the days of the calendar, tries every minute,
 * and asks the zone which instant that is. It shares only the offsets of zones with the spec library, so that equal
 * answers are a proof. It is slow on purpose.
 *
 * The rules are those of Vixie cron: five fields, and a day matches by either day field unless one begins with a
 * star. At a clock change, a skipped time runs later by the size of the jump, and a repeated time runs the first
 * time; an expression that runs in every hour keeps its interval.
 */
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import { civilDay, weekdayOf } from '../spec/calendar-day.ts';
import type { Zone } from '../spec/index.ts';

interface PlainCron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Whether both day fields must match. */
  readonly both: boolean;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const macros = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Returns undefined when the text is not valid in a crontab. */
function readPlain(text: string): PlainCron | undefined {
  const [minute, hour, day, month, weekday, more] = (macros.get(text.toLowerCase()) ?? text).split(/\s+/);
  if (minute === undefined || hour === undefined || day === undefined || month === undefined)
    return undefined;
  if (weekday === undefined || more !== undefined) return undefined;
  const minutes = readField(minute, 0, 59);
  const hours = readField(hour, 0, 23);
  const days = readField(day, 1, 31);
  const months = readField(month, 1, 12, monthNames);
  const weekdays = readField(weekday, 0, 7, dayNames);
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  return { minutes, hours, days, months, weekdays, both: day.startsWith('*') || weekday.startsWith('*') };
}

function readField(
  field: string,
  low: number,
  high: number,
  names: readonly string[] = [],
): Set<number> | undefined {
  const found = new Set<number>();
  const numberOf = (word: string) => {
    const named = names.indexOf(word.toLowerCase().slice(0, 3));
    return /^\d+$/.test(word) ? Number(word) : named < 0 ? Number.NaN : named + low;
  };
  for (const part of field.split(',')) {
    const [range = '', step, more] = part.split('/');
    const [from = '', to] = range.split('-');
    const first = range === '*' ? low : numberOf(from);
    const last = range === '*' ? high : to === undefined ? (step === undefined ? first : high) : numberOf(to);
    const by = step === undefined ? 1 : Number(step);
    if (more !== undefined || !(first >= low && last <= high && first <= last && by >= 1)) return undefined;
    for (let each = first; each <= last; each += by) found.add(each);
  }
  return found;
}

export interface PlainWindow {
  readonly after: Instant;
  readonly to: Instant;
  readonly most: number;
}

/** The times after `after`, at most `most` and none after `to`; undefined when the text is not plain cron. */
export function plainTimes(text: string, zone: Zone, { after, to, most }: PlainWindow) {
  const cron = readPlain(text);
  if (cron === undefined) return undefined;
  const isBeat = cron.hours.size === 24;
  const times = new Set<number>();
  const begin = after / 1000;
  const end = to / 1000;
  // One more day at each end: a local day begins up to a day before, and ends up to a day after, the same day in UTC.
  for (let day = Math.floor(begin / 86_400) - 1; day <= Math.floor(end / 86_400) + 1; day += 1) {
    if (!dayMatches(cron, day)) continue;
    for (let minute = 0; minute < 1440; minute += 1) {
      if (!cron.hours.has(Math.floor(minute / 60)) || !cron.minutes.has(minute % 60)) continue;
      for (const second of instantsOf(day * 86_400 + minute * 60, zone, isBeat)) {
        if (second > begin && second <= end) times.add(second);
      }
    }
    // One local day may overlap the next; two more days settle the order of the found times.
    if (times.size > most + 2880) break;
  }
  return [...times]
    .sort((a, b) => a - b)
    .slice(0, most)
    .map((second) => instant(second * 1000));
}

function dayMatches({ days, months, weekdays, both }: PlainCron, dayNumber: number): boolean {
  const { month, day } = civilDay(dayNumber);
  if (!months.has(month)) return false;
  const byDate = days.has(day);
  const byWeekday = weekdays.has(weekdayOf(dayNumber));
  return both ? byDate && byWeekday : byDate || byWeekday;
}

/** The instants at which the wall clock shows this time: usually one, sometimes none or two. */
function instantsOf(wall: number, zone: Zone, isBeat: boolean): readonly number[] {
  const before = zone.offsetAt(wall - 86_400);
  const after = zone.offsetAt(wall + 86_400);
  const shown = [...new Set([wall - before, wall - after])].filter(
    (second) => second + zone.offsetAt(second) === wall,
  );
  // The clock skips the time: it runs later by the size of the jump, which is its instant under the old offset.
  if (shown.length === 0) return [wall - before];
  const inOrder = shown.sort((a, b) => a - b);
  return isBeat ? inOrder : inOrder.slice(0, 1);
}
