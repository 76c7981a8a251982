/** One text read by every dialect. Pure. */
import { compileSpec, dialects, type Instant, validateSpec } from 'carillon/spec';
import { cronsOf, rulesOf } from './rules.ts';

export interface Reading {
  readonly dialect: string;
  readonly ok: boolean;
  /** The first times, or why it cannot be read. */
  readonly times: readonly number[];
  readonly problem: string;
}

/** The first times that are compared: enough to tell weekdays and days of the month apart. */
const compared = 12;

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
  const refused = (problem: string): Reading => ({ dialect, ok: false, times: [], problem });
  const checked = validateSpec(specOf(text, dialect, zone));
  if (!checked.ok) return refused(checked.problems[0]?.message ?? 'cannot be read');
  try {
    const compiled = compileSpec(checked.spec);
    const times: number[] = [];
    for (let at = now; times.length < compared; ) {
      const found = compiled.next(at as Instant);
      if (found === undefined) break;
      times.push(found.nominal);
      at = found.nominal;
    }
    return { dialect, ok: true, times, problem: '' };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

/** Whether two dialects mean the same by the text, as far as the first times tell. */
export function isSame(a: Reading, b: Reading): boolean {
  return a.ok && b.ok && a.times.join() === b.times.join();
}

/**
 * The same times in the words of another dialect, if it can say them: a candidate is taken only when its first times are the
 * same. Five fields are minutes and hours as everywhere; six begin with the second and name weekdays, because Spring counts
 * them from another day.
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
  const texts =
    to === 'rrule' ? rulesOf(text, from) : from === 'rrule' ? cronsOf(text, to) : candidates(text, to);
  return texts.find((candidate) => isSame(readingOf(candidate, to as Language, zone, now), own));
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

function candidates(text: string, to: string): readonly string[] {
  const parts = text.trim().split(/\s+/);
  const fields = parts.length === 6 ? parts.slice(1) : parts;
  if (fields.length !== 5) return [text];
  const [minute, hour, day, month, weekday = '*'] = fields;
  const second = parts.length === 6 ? parts[0] : '0';
  const named = weekday.replace(/\d+/g, (digit) => dayNames[Number(digit)] ?? digit);
  const days = [weekday, named, weekday.replace('?', '*'), named.replace('?', '*')];
  const plain = (each: string | undefined) => (each === '?' ? '*' : each);
  const five = days.map((each) => [minute, hour, plain(day), month, each].join(' '));
  const six = days.flatMap((each) => [
    [second, minute, hour, day, month, each].join(' '),
    [second, minute, hour, '?', month, each].join(' '),
    [second, minute, hour, day, month, '?'].join(' '),
  ]);
  return to === 'spring' ? [text, ...six, ...five] : [...five, text, ...six];
}
