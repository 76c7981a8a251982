/**
 * Temporal's cron strings: 5 fields, 6 with the year last, 7 with seconds first; day of month AND day of week;
 * `@every 90m/5m`, macros, a `TZ=` prefix, and a comment after `#`. Error texts are Temporal's own.
 */

import { parseCalendarText } from './calendar-text.ts';
import { calendarOf, macroFields, splitZonePrefix } from './calendar-words.ts';
import { millisecondsOf, parseGoDuration } from './go-duration.ts';
import type { Calendar, CalendarText } from './model.ts';
import type { Parsed, ParsedCron } from './parsed.ts';
import { failure, problem, success } from './parsed.ts';

/** An interval in nanoseconds, as on the wire; Carillon's own intervals are in milliseconds. */
export interface TemporalEvery {
  readonly interval: bigint;
  readonly phase: bigint;
}

export type TemporalCron =
  | { readonly kind: 'calendar'; readonly calendar: Calendar; readonly zone: string }
  | { readonly kind: 'interval'; readonly every: TemporalEvery };

const fieldOrder: Readonly<Record<number, readonly (keyof CalendarText)[]>> = {
  5: ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'],
  6: ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'],
  7: ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'],
};

function fieldCountAdvice(count: number, text: string): string {
  if (text.startsWith('@'))
    return 'the macros are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every 5m, in small letters';
  return `${count} fields were found; write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5`;
}

const days = /(?:\d+(?:\.\d*)?|\.\d+)d/g;

/** Temporal writes days as hours before it parses, with six decimals; its error texts show the result. */
function daysAsHours(text: string): string {
  return text.replace(days, (found) => `${(24 * Number.parseFloat(found)).toFixed(6)}h`);
}

function parseEvery(text: string): Parsed<TemporalEvery> {
  const space = text.indexOf(' ');
  if (space < 0) {
    return failure([
      problem('', 'EVERY', 'CronString does not have interval after @every', 'write @every 15m'),
    ]);
  }
  const [intervalText = '', phaseText] = text.slice(space + 1).split(/\/(.*)/s);
  const interval = parseGoDuration(daysAsHours(intervalText));
  if (!interval.ok) return interval;
  const phase = phaseText === undefined ? success(0n) : parseGoDuration(daysAsHours(phaseText));
  return phase.ok ? success({ interval: interval.value, phase: phase.value }) : phase;
}

/** `zone` is empty when the text names none; that of an `@every` text is dropped, as Temporal drops it. */
export function parseTemporalCronString(source: string): Parsed<TemporalCron> {
  const { zone = '', rest } = splitZonePrefix(source.trim());
  if (rest === undefined) {
    return failure([
      problem(
        '',
        'FIELD_COUNT',
        'CronString has time zone but missing fields',
        'write the fields after the zone',
      ),
    ]);
  }
  const hash = rest.indexOf('#');
  const comment = hash < 0 ? '' : rest.slice(hash + 1).trim();
  const text = (hash < 0 ? rest : rest.slice(0, hash)).trim();
  if (text.startsWith('@every')) {
    const every = parseEvery(text);
    return every.ok ? success({ kind: 'interval', every: every.value }) : every;
  }
  const kept = comment === '' ? {} : { comment };
  const macro = Object.hasOwn(macroFields, text) ? macroFields[text] : undefined;
  if (macro !== undefined)
    return success({ kind: 'calendar', calendar: calendarOf({ ...macro, ...kept }), zone });
  const fields = text === '' ? [] : text.split(/\s+/u);
  const order = fieldOrder[fields.length];
  if (order === undefined) {
    const advice = fieldCountAdvice(fields.length, text);
    return failure([problem('', 'FIELD_COUNT', 'CronString does not have 5-7 fields', advice)]);
  }
  const calendarText: CalendarText = {
    ...Object.fromEntries(order.map((name, i) => [name, fields[i]])),
    ...kept,
  };
  const calendar = parseCalendarText(calendarText);
  if (calendar.ok) return success({ kind: 'calendar', calendar: calendar.value, zone });
  // The whole text is one value for the user; the messages name its fields.
  return failure(calendar.problems.map((found) => ({ ...found, path: '' })));
}

/** The same text as a native cron entry. */
export function parseTemporalCron(text: string): Parsed<ParsedCron> {
  const parsed = parseTemporalCronString(text);
  if (!parsed.ok) return parsed;
  if (parsed.value.kind === 'interval') {
    const { interval, phase } = parsed.value.every;
    const value = { everyMs: millisecondsOf(interval), phaseMs: millisecondsOf(phase) };
    return success({ kind: 'interval', interval: value });
  }
  const { calendar, zone } = parsed.value;
  return success(zone === '' ? { kind: 'calendar', calendar } : { kind: 'calendar', calendar, zone });
}
