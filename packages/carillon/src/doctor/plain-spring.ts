/**
 * A second, deliberately simple implementation of Spring's cron, which Conductor uses: it walks over the days of the calendar,
 * tries every second that the fields name, and asks the zone which instants those are. It shares only the offsets of zones with
 * the spec library, so that equal answers are a proof. It is slow on purpose.
 *
 * Six fields, seconds first; a day must match both day fields; a skipped time does not run, a repeated one runs twice.
 */
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import { civilDay, weekdayOf } from '../spec/calendar-day.ts';
import type { Zone } from '../spec/index.ts';
import type { PlainWindow } from './plain-cron.ts';

const macros = new Map([
  ['@yearly', '0 0 0 1 1 *'],
  ['@annually', '0 0 0 1 1 *'],
  ['@monthly', '0 0 0 1 * *'],
  ['@weekly', '0 0 0 * * 0'],
  ['@daily', '0 0 0 * * *'],
  ['@midnight', '0 0 0 * * *'],
  ['@hourly', '0 0 * * * *'],
]);
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

/** A day of the calendar with what the special day fields ask for. */
interface Day {
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Days of its month. */
  readonly length: number;
}

type DayTest = (day: Day) => boolean;

/** The times after `after`, at most `most` and none after `to`; undefined when the text has another number of fields. */
export function plainSpringTimes(
  text: string,
  zone: Zone,
  window: PlainWindow,
): readonly Instant[] | undefined {
  const fields = (macros.get(text.trim().toLowerCase()) ?? text).trim().split(/ +/);
  const [second, minute, hour, date, month, weekday] = fields;
  if (fields.length !== 6 || second === undefined || minute === undefined || hour === undefined)
    return undefined;
  const clock = {
    seconds: numbers(second, 0, 59),
    minutes: numbers(minute, 0, 59),
    hours: numbers(hour, 0, 23),
  };
  const months = new Set(numbers(month ?? '*', 1, 12, ['', ...monthNames]));
  const byDate = anyOf(date ?? '*', dateTest);
  const byWeekday = anyOf(weekday ?? '*', weekdayTest);
  const begin = window.after / 1000;
  const end = window.to / 1000;
  const times = new Set<number>();
  // One more day at each end: a local day begins up to a day before, and ends up to a day after, the same day in UTC.
  for (let number = Math.floor(begin / 86_400) - 1; number <= Math.floor(end / 86_400) + 1; number += 1) {
    const day = dayOf(number);
    if (!months.has(day.month) || !byDate(day) || !byWeekday(day)) continue;
    for (const wall of wallTimes(number, clock)) {
      for (const at of instantsOf(wall, zone)) if (at > begin && at <= end) times.add(at);
    }
    // Two more days settle the order of the found times.
    if (times.size > window.most + 2 * 86_400) break;
  }
  return [...times]
    .sort((a, b) => a - b)
    .slice(0, window.most)
    .map((at) => instant(at * 1000));
}

interface Clock {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
}

function* wallTimes(day: number, { seconds, minutes, hours }: Clock): Generator<number> {
  for (const hour of hours)
    for (const minute of minutes)
      for (const second of seconds) yield day * 86_400 + hour * 3600 + minute * 60 + second;
}

/** The instants at which the wall clock shows this time: usually one, sometimes none or two. */
function instantsOf(wall: number, zone: Zone): readonly number[] {
  const offsets = new Set([zone.offsetAt(wall - 86_400), zone.offsetAt(wall + 86_400)]);
  return [...offsets].map((offset) => wall - offset).filter((at) => at + zone.offsetAt(at) === wall);
}

function dayOf(number: number): Day {
  const { month, day } = civilDay(number);
  let length = day;
  while (civilDay(number + length - day + 1).month === month) length += 1;
  return { month, day, weekday: weekdayOf(number), length };
}

/** The numbers that a list of values, ranges and steps names. */
function numbers(field: string, low: number, high: number, names: readonly string[] = []): readonly number[] {
  const found = new Set<number>();
  const numberOf = (word: string) => {
    const named = names.indexOf(word.toUpperCase());
    return named < 0 ? Number(word) : named;
  };
  for (const part of field.split(',')) {
    const [range = '', step] = part.split('/');
    const isAny = range === '*' || range === '?';
    const [from = '', to] = isAny ? [String(low), String(high)] : range.split('-');
    const first = numberOf(from);
    const last = to === undefined ? (step === undefined ? first : high) : numberOf(to);
    // Sunday is also 7, so a range may begin there.
    const begin = names === dayNames && first === 7 && last < 7 ? 0 : first;
    for (let each = begin; each <= last; each += Number(step ?? 1)) found.add(each);
  }
  return [...found].sort((a, b) => a - b);
}

function anyOf(field: string, testOf: (part: string) => DayTest): DayTest {
  const tests = field.split(',').map(testOf);
  return (day) => tests.some((test) => test(day));
}

function dateTest(part: string): DayTest {
  const word = part.toUpperCase();
  if (word === 'LW') return (day) => isNearest(day, day.length);
  const [, before] = /^L(?:-(\d+))?$/.exec(word) ?? [];
  if (word.startsWith('L')) return ({ day, length }) => day === length - Number(before ?? 0);
  if (word.endsWith('W')) return (day) => isNearest(day, Number(word.slice(0, -1)));
  const days = new Set(numbers(part, 1, 31));
  return ({ day }) => days.has(day);
}

/** Whether the day is the weekday nearest to the wanted day of its month, without leaving the month. */
function isNearest({ day, weekday, length }: Day, wanted: number): boolean {
  if (wanted > length) return false;
  const wantedWeekday = (((weekday + wanted - day) % 7) + 7) % 7;
  let nearest = wanted;
  if (wantedWeekday === 6) nearest = wanted > 1 ? wanted - 1 : wanted + 2;
  if (wantedWeekday === 0) nearest = wanted < length ? wanted + 1 : wanted - 2;
  return day === nearest;
}

function weekdayTest(part: string): DayTest {
  const [, word = '', last, nth] = /^(\w+?)(?:(L)|#(\d+))?$/i.exec(part) ?? [];
  if (last === undefined && nth === undefined) {
    const days = new Set(numbers(part, 0, 7, dayNames).map((day) => day % 7));
    return ({ weekday }) => days.has(weekday);
  }
  const [wanted = 0] = numbers(word, 0, 7, dayNames);
  const isDay = ({ weekday }: Day) => weekday === wanted % 7;
  if (last !== undefined) return (day) => isDay(day) && day.day > day.length - 7;
  return (day) => isDay(day) && Math.ceil(day.day / 7) === Number(nth);
}
