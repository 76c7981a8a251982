/** Names and ranges every dialect shares. */
import type { Calendar, Range } from './model.ts';

export const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

export const weekdayNames = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

export function range(start: number, end: number = start, step = 1): Range {
  return { start, end, step };
}

/** Days of the week written with 7 for Sunday, as ranges of 0 to 6. */
export function weekdayRanges(start: number, end: number, step: number): Range[] {
  if (end < 7) return [range(start, end, step)];
  if (start === 7) return [range(0)];
  const whole = start === 0 && step === 1;
  const hitsSunday = (7 - start) % step === 0;
  const rest = range(start, 6, step);
  return hitsSunday && !whole ? [range(0), rest] : [rest];
}

const everyMonth = [range(1, 12)];
const everyDate = [range(1, 31)];
const everyWeekday = [range(0, 6)];
const zero = [range(0)];

/** Midnight of every day; dialects replace the fields they have read. */
export function calendarOf(fields: Partial<Calendar>): Calendar {
  return {
    second: zero,
    minute: zero,
    hour: zero,
    dayOfMonth: everyDate,
    month: everyMonth,
    year: [],
    dayOfWeek: everyWeekday,
    monthDays: [],
    monthWeekdays: [],
    days: 'both',
    ...fields,
  };
}

export const macroFields: Readonly<Record<string, Partial<Calendar>>> = {
  '@yearly': { dayOfMonth: [range(1)], month: [range(1)] },
  '@annually': { dayOfMonth: [range(1)], month: [range(1)] },
  '@monthly': { dayOfMonth: [range(1)] },
  '@weekly': { dayOfWeek: zero },
  '@daily': {},
  '@midnight': {},
  '@hourly': { hour: [range(0, 23)] },
};

/** `TZ=Asia/Tokyo rest` or `CRON_TZ=…`: the zone and the rest; `zone` is undefined without a prefix. */
export function splitZonePrefix(text: string): { readonly zone?: string; readonly rest?: string } {
  const prefix = ['TZ=', 'CRON_TZ='].find((start) => text.startsWith(start));
  if (prefix === undefined) return { rest: text };
  const space = text.indexOf(' ');
  if (space < 0) return { zone: text.slice(prefix.length) };
  return { zone: text.slice(prefix.length, space), rest: text.slice(space + 1).trim() };
}
