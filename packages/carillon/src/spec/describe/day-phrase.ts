/** The day part of a description: which days of which months. */
import { unreachable } from '../../base/assert.ts';
import type { Calendar, MonthDay, MonthWeekday } from '../model.ts';
import {
  joinRuns,
  joinWeekdays,
  joinWords,
  monthName,
  ordinal,
  ordinalWord,
  valuesOf,
  weekdayName,
} from './words.ts';

/** `text` is undefined for every day; `never` is set when no day matches. */
export type DayPhrase = { readonly text?: string; readonly never?: string };

export function dayPhrase(calendar: Calendar): DayPhrase {
  const dates = valuesOf(calendar.dayOfMonth, 1, 31);
  const weekdays = valuesOf(calendar.dayOfWeek, 0, 6);
  const months = valuesOf(calendar.month, 1, 12);
  const { monthDays, monthWeekdays } = calendar;
  const noDate = dates.length === 0 && monthDays.length === 0;
  const noWeekday = weekdays.length === 0 && monthWeekdays.length === 0;
  if (months.length === 0) return { never: 'no month is allowed' };
  if (calendar.days === 'both' ? noDate || noWeekday : noDate && noWeekday) {
    return { never: noDate ? 'no day of the month is allowed' : 'no weekday is allowed' };
  }
  const everyMonth = months.length === 12;
  const inMonths = everyMonth ? '' : ` in ${joinRuns(months, monthName)}`;
  const ofMonths = everyMonth ? ' of every month' : ` of ${joinRuns(months, monthName)}`;
  const anyDate = dates.length === 31;
  const anyWeekday = weekdays.length === 7;
  const free = calendar.days === 'both' ? anyDate && anyWeekday : anyDate || anyWeekday;
  if (free) return everyMonth ? {} : { text: inMonths.trim() };
  const onlyDates = calendar.days === 'both' ? anyWeekday : noWeekday;
  const onlyWeekdays = calendar.days === 'both' ? anyDate : noDate;
  if (onlyDates) {
    if (monthDays.length === 0 && months.length === 1 && dates.length <= 2) {
      return { text: `on ${joinRuns(dates)} ${monthName(months[0] ?? 0)}` };
    }
    return { text: `on ${dateWords(dates, monthDays)}${ofMonths}` };
  }
  if (onlyWeekdays) {
    return {
      text: `on ${weekdayWords(weekdays, monthWeekdays)}${monthWeekdays.length > 0 ? ofMonths : inMonths}`,
    };
  }
  if (calendar.days === 'either') {
    const nth = monthWeekdays.length > 0 ? ' of the month' : '';
    return {
      text: `on ${dateWords(dates, monthDays)} of the month or on ${weekdayWords(weekdays, monthWeekdays)}${nth}${inMonths}`,
    };
  }
  return { text: bothWords(calendar, dates, weekdays, everyMonth ? '' : ofMonths) };
}

/** Both date and weekday must match: "on the 13th when it is a Friday". */
function bothWords(
  { monthDays, monthWeekdays }: Calendar,
  dates: readonly number[],
  weekdays: readonly number[],
  ofMonths: string,
): string {
  const named = dates.length > 0 ? [joinRuns(dates, (day) => `the ${ordinal(day)}`)] : [];
  const when = [...named, ...monthDays.map(monthDayWords)];
  const tail = ofMonths === '' && monthDays.length > 0 ? ' of the month' : ofMonths;
  const plain = monthWeekdays.length === 0;
  const weekday = plain
    ? `${weekdays.length === 1 ? 'a ' : ''}${joinWeekdays(weekdays, 'or')}`
    : `${joinWords([...(weekdays.length > 0 ? [joinWeekdays(weekdays, 'or')] : []), ...monthWeekdays.map(monthWeekdayWords)], 'or')} of the month`;
  return `on ${joinWords(when)}${tail} when it is ${weekday}`;
}

function dateWords(dates: readonly number[], monthDays: readonly MonthDay[]): string {
  const plain = dates.length === 0 ? [] : [`day${dates.length === 1 ? '' : 's'} ${joinRuns(dates)}`];
  return joinWords([...plain, ...monthDays.map(monthDayWords)]);
}

function weekdayWords(weekdays: readonly number[], monthWeekdays: readonly MonthWeekday[]): string {
  const plain = weekdays.length === 0 ? [] : [joinWeekdays(weekdays)];
  return joinWords([...plain, ...monthWeekdays.map(monthWeekdayWords)]);
}

function monthDayWords(day: MonthDay): string {
  switch (day.kind) {
    case 'last':
      return `the ${ordinalWord(-1 - day.before)} day`;
    case 'lastWeekday':
      return 'the last weekday';
    case 'nearestWeekday':
      return `the weekday nearest day ${day.day}`;
    default:
      return unreachable(day);
  }
}

function monthWeekdayWords(day: MonthWeekday): string {
  switch (day.kind) {
    case 'lastWeekdayOf':
      return `the last ${weekdayName(day.weekday)}`;
    case 'nth':
      return `the ${ordinalWord(day.nth)} ${weekdayName(day.weekday)}`;
    default:
      return unreachable(day);
  }
}
