/**
 * The POSIX TZ rule in a TZif footer (`EST5EDT,M3.2.0,M11.1.0`): how a zone goes on after its last listed
 * transition. Only offsets matter here; abbreviations are skipped.
 */
import { dayNumber, monthLength, weekdayOf } from '../calendar-day.ts';

/** A day of the year and a time of that day, in wall seconds of the offset in force before it. */
interface RuleDate {
  readonly kind: 'month' | 'julian' | 'day';
  readonly month: number;
  readonly week: number;
  /** Weekday for 'month', day number otherwise. */
  readonly day: number;
  readonly time: number;
}

export interface PosixRule {
  /** Seconds east of UTC in standard time. */
  readonly standard: number;
  readonly summer?: { readonly offset: number; readonly start: RuleDate; readonly end: RuleDate };
}

const name = '(?:<[A-Za-z0-9+-]+>|[A-Za-z]{3,})';
const clock = '[+-]?\\d{1,3}(?::\\d{2}(?::\\d{2})?)?';
const date = '(?:M\\d{1,2}\\.\\d\\.\\d|J\\d{1,3}|\\d{1,3})';
const grammar = new RegExp(
  `^${name}(${clock})(?:${name}(${clock})?,(${date})(?:/(${clock}))?,(${date})(?:/(${clock}))?)?$`,
);

const hour = 3600;
/** POSIX: a rule without a time changes at 02:00. */
const defaultTime = 2 * hour;

function parseClock(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  return sign * (hours * hour + minutes * 60 + seconds);
}

function parseDate(text: string, time: string | undefined): RuleDate {
  const at = time === undefined ? defaultTime : parseClock(time);
  if (text.startsWith('M')) {
    const [month = 1, week = 1, day = 0] = text.slice(1).split('.').map(Number);
    return { kind: 'month', month, week, day, time: at };
  }
  const julian = text.startsWith('J');
  const day = Number(julian ? text.slice(1) : text);
  return { kind: julian ? 'julian' : 'day', month: 0, week: 0, day, time: at };
}

/** Returns undefined when the text is not a supported rule. */
export function parsePosixRule(text: string): PosixRule | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, standardText = '0', summerText, start, startTime, end, endTime] = match;
  // POSIX counts hours west of Greenwich, this code counts east. The `|| 0` turns −0 into 0.
  const standard = -parseClock(standardText) || 0;
  if (start === undefined || end === undefined) return { standard };
  const offset = summerText === undefined ? standard + hour : -parseClock(summerText) || 0;
  return { standard, summer: { offset, start: parseDate(start, startTime), end: parseDate(end, endTime) } };
}

function ruleDay(year: number, rule: RuleDate): number {
  const first = dayNumber(year, 1, 1);
  if (rule.kind === 'day') return first + rule.day;
  if (rule.kind === 'julian') {
    // Jn never counts 29 February.
    const leapDay = monthLength(year, 2) === 29 && rule.day >= 60 ? 1 : 0;
    return first + rule.day - 1 + leapDay;
  }
  const monthStart = dayNumber(year, rule.month, 1);
  const weekday = weekdayOf(monthStart);
  let day = ((rule.day - weekday + 7) % 7) + (rule.week - 1) * 7;
  if (day >= monthLength(year, rule.month)) day -= 7;
  return monthStart + day;
}

/** The changes of one year in order of time: when, and the offset from then on. */
export function ruleTransitions(rule: PosixRule, year: number): readonly (readonly [number, number])[] {
  const { standard, summer } = rule;
  if (summer === undefined) return [];
  const start = ruleDay(year, summer.start) * 86_400 + summer.start.time - standard;
  const end = ruleDay(year, summer.end) * 86_400 + summer.end.time - summer.offset;
  const both: [number, number][] = [
    [start, summer.offset],
    [end, standard],
  ];
  return both.sort((a, b) => a[0] - b[0]);
}
