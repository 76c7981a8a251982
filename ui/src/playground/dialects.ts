/** One text read by every dialect. Pure. */

import { type CompiledSpec, compileSpec, dialects, type Instant, validateSpec } from 'carillon/spec';
import { dayMs } from '../time/zone.ts';
import { type PlainFields, plainFieldsOf, splitZone } from './plain-fields.ts';
import { cronsOf, rulesOf } from './rules.ts';

export interface Reading {
  readonly dialect: string;
  readonly ok: boolean;
  /** The first times; none when the text cannot be read. */
  readonly times: readonly number[];
  /** Times of other seasons and years, which distinguish rules with an end and rules for clock changes. */
  readonly later: readonly number[];
  readonly problem: string;
}

/** The number of first times that are compared: enough to distinguish weekdays and days of the month. */
const compared = 12;
/** The days from now after which a few more times are compared. */
const laterDays = [45, 100, 200, 290, 400, 1500, 3000];
const comparedLater = 3;

/** The dialects of cron texts, and recurrence rules. */
export const languages = [...dialects, 'rrule'] as const;
type Language = (typeof languages)[number];

export function readingsOf(text: string, zone: string, now: number): readonly Reading[] {
  return dialects.map((dialect) => readingOf(text, dialect, zone, now));
}

function specOf(text: string, language: Language, zone: string) {
  return language === 'rrule' ? { rrules: [{ text }], zone } : { cron: [{ text, dialect: language }], zone };
}

export function readingOf(text: string, dialect: Language, zone: string, now: number): Reading {
  const refused = (problem: string): Reading => ({ dialect, ok: false, times: [], later: [], problem });
  const checked = validateSpec(specOf(text, dialect, zone));
  if (!checked.ok) return refused(checked.problems[0]?.message ?? 'cannot be read');
  try {
    const compiled = compileSpec(checked.spec);
    const times = [...timesFrom(compiled, now, compared)];
    return { dialect, ok: true, times, later: [...laterTimes(compiled, now)], problem: '' };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function* timesFrom(compiled: CompiledSpec, begin: number, most: number): Generator<number> {
  for (let at = begin, count = 0; count < most; count++) {
    const found = compiled.next(at as Instant);
    if (found === undefined) return;
    at = found.nominal;
    yield at;
  }
}

function* laterTimes(compiled: CompiledSpec, now: number): Generator<number> {
  for (const days of laterDays) yield* timesFrom(compiled, now + days * dayMs, comparedLater);
}

/** Whether a text has the times of a reading. The comparison ends at the first difference. */
function hasTimesOf(own: Reading, text: string, language: Language, zone: string, now: number): boolean {
  const checked = validateSpec(specOf(text, language, zone));
  if (!checked.ok) return false;
  try {
    const compiled = compileSpec(checked.spec);
    return (
      isSequence(own.times, timesFrom(compiled, now, compared)) &&
      isSequence(own.later, laterTimes(compiled, now))
    );
  } catch {
    // A text whose times take too long to find is not offered.
    return false;
  }
}

function isSequence(expected: readonly number[], found: Iterable<number>): boolean {
  let place = 0;
  for (const at of found) if (expected[place++] !== at) return false;
  return place === expected.length;
}

/** Whether the text has the same first times in two dialects. */
export function isSame(a: Reading, b: Reading): boolean {
  return a.ok && b.ok && a.times.join() === b.times.join() && a.later.join() === b.later.join();
}

/**
 * The same times written in another dialect, if it can express them. A candidate is used only when its times are the same, now
 * and in other seasons and years. Five fields begin with the minute, as everywhere; six begin with the second and name weekdays,
 * because Spring counts them from another day.
 */
export function saidIn(
  text: string,
  from: string,
  to: string,
  zone: string,
  now: number,
): string | undefined {
  const own = readingOf(text, from as Language, zone, now);
  if (!own.ok || own.times.length === 0) return undefined;
  // The zone in the text is returned separately when the other dialect has no syntax for it.
  const { zone: named = zone, rest } = from === 'rrule' ? { rest: text } : splitZone(text);
  return textsFor(rest, from, to).find((candidate) => hasTimesOf(own, candidate, to as Language, named, now));
}

function textsFor(text: string, from: string, to: string): readonly string[] {
  if (from === 'rrule') return cronsOf(text, to);
  const fields = plainFieldsOf(text, from);
  const bare = text.trim();
  if (to === 'rrule') return fields === undefined ? [] : rulesOf(fields);
  if (fields === undefined) return [bare];
  return bare.startsWith('@') ? [bare, ...candidates(fields, bare, to)] : candidates(fields, bare, to);
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

function candidates(
  [second, minute, hour, day, month, weekday]: PlainFields,
  text: string,
  to: string,
): readonly string[] {
  const named = weekday.replace(/\d+/g, (digit) => dayNames[Number(digit)] ?? digit);
  // The number behind `#` counts weeks.
  const first = weekday.replace(/^\d/, (digit) => dayNames[Number(digit)] ?? digit);
  const days = [...new Set([weekday, named, first].flatMap((each) => [each, each.replace('?', '*')]))];
  const plain = (each: string) => (each === '?' ? '*' : each);
  const five = days.map((each) => [minute, hour, plain(day), month, each].join(' '));
  const six = days.flatMap((each) => [
    [second, minute, hour, day, month, each].join(' '),
    [second, minute, hour, '?', month, each].join(' '),
    [second, minute, hour, day, month, '?'].join(' '),
  ]);
  if (to === 'spring') return [text, ...six, ...five];
  // Temporal's cron has seconds in front of six fields only, of which the last is the year.
  const seven = to === 'temporal' ? five.map((each) => `${second} ${each} *`) : [];
  return second === '0' ? [...five, text, ...six, ...seven] : [text, ...six, ...seven];
}
