/**
 * The native dialect, Vixie cron with the extras people know from elsewhere.
 *
 * - Five fields, or six with seconds first; macros in any case; `@every 15m`; a `TZ=` or `CRON_TZ=` prefix.
 * - When day of month and day of week are both restricted, a day matches if either does. A field that begins
 *   with `*` (or is `?`) is not restricted, so `*\/2` combined with `mon` means both, as in Vixie cron.
 * - 0 and 7 are Sunday. Names may be short or whole (`mon`, `Monday`).
 * - A range between two names may wrap (`fri-mon`, `nov-feb`): there it can only mean one thing. A reversed
 *   range of numbers is refused: it is more often a slip (`22-2`) and the message says how to write it.
 * - `a/n` means from a to the end of the field in steps of n.
 * - `L`, `L-n`, `LW`, `nW` in day of month; `dL`, `d#n` in day of week; lists may mix them.
 * - `H` is a value of the field chosen by the seed (see `cron-hash.ts`): `H`, `H/n`, `H(a-b)`, `H(a-b)/n`.
 */
import { calendarOf, macroFields, splitZonePrefix } from './calendar-words.ts';
import { type Field, fields, monthDay, monthWeekday, rangePart } from './cron-unix-field.ts';
import { millisecondsOf, parseGoDuration } from './go-duration.ts';
import type { Interval, Range } from './model.ts';
import type { Parsed, ParsedCron } from './parsed.ts';
import { failure, success } from './parsed.ts';
import { CronRefusal, fieldReader, refusalProblem } from './refusal.ts';

export interface UnixCronOptions {
  /** The seed of `H`: the same seed gives the same times. Default empty. */
  readonly seed?: string;
}

interface DayField<T> {
  readonly ranges: readonly Range[];
  readonly rules: readonly T[];
  readonly restricted: boolean;
}

function everyRefusal(text: string, reason: string): CronRefusal {
  return new CronRefusal(
    reason,
    `@every needs one duration of at least a second, not ${JSON.stringify(text)}`,
    'write @every 15m',
  );
}

function parseEvery(text: string): Interval {
  const [argument = '', phaseText] = text.slice('@every'.length).trim().split('/');
  const every = parseGoDuration(argument);
  if (!every.ok) throw everyRefusal(argument, 'EVERY');
  const phase = phaseText === undefined ? success(0n) : parseGoDuration(phaseText);
  if (!phase.ok) throw everyRefusal(argument, 'EVERY');
  const everyMs = millisecondsOf(every.value);
  const phaseMs = millisecondsOf(phase.value);
  return phaseMs === 0 ? { everyMs } : { everyMs, phaseMs };
}

function macroProblem(text: string): CronRefusal {
  if (/^@reboot$/i.test(text)) {
    return new CronRefusal(
      'MACRO',
      '@reboot has no time',
      'trigger the schedule from your start-up code instead',
    );
  }
  const fix =
    'the macros are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every 15m';
  return new CronRefusal('MACRO', `there is no macro ${text.split(/\s/)[0]}`, fix);
}

function fieldCount(count: number): CronRefusal {
  const fix =
    count === 7
      ? 'a year field belongs to Quartz and Temporal; use the temporal dialect or bounds instead'
      : 'write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5';
  return new CronRefusal('FIELD_COUNT', `5 fields are needed, or 6 with seconds first; ${count} found`, fix);
}

/** Reads a unix cron text. Problems have an empty path; there is one for each field that is wrong. */
export function parseUnixCron(source: string, options: UnixCronOptions = {}): Parsed<ParsedCron> {
  const { zone, rest } = splitZonePrefix(source.trim());
  const zoned = zone === undefined || zone === '' ? {} : { zone };
  const { attempt, problems } = fieldReader('unix');
  const text = rest ?? '';
  if (text.startsWith('@')) {
    const lower = text.toLowerCase();
    if (Object.hasOwn(macroFields, lower)) {
      return success({ kind: 'calendar', calendar: calendarOf(macroFields[lower] ?? {}), ...zoned });
    }
    if (!/^@every\s/i.test(text)) return failure([refusalProblem('unix', macroProblem(text))]);
    const interval = attempt(() => parseEvery(text), { everyMs: 0 });
    return problems.length > 0 ? failure(problems) : success({ kind: 'interval', interval, ...zoned });
  }
  const parts = text === '' ? [] : text.split(/\s+/);
  if (parts.length === 5) parts.unshift('0');
  const [second = '', minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek] = parts;
  if (parts.length !== 6 || dayOfWeek === undefined)
    return failure([refusalProblem('unix', fieldCount(parts.length))]);

  const seed = options.seed ?? '';
  const plain = (content: string, field: Field): readonly Range[] =>
    attempt(() => content.split(',').flatMap((part) => rangePart(part, field, seed)), []);
  const day = <T>(content: string, field: Field, special: (part: string) => T | undefined): DayField<T> =>
    attempt(
      () => {
        if (content === '?') return { ranges: rangePart('*', field, seed), rules: [], restricted: false };
        const ranges: Range[] = [];
        const rules: T[] = [];
        for (const part of content.split(',')) {
          const rule = special(part);
          if (rule === undefined) ranges.push(...rangePart(part, field, seed));
          else rules.push(rule);
        }
        return { ranges, rules, restricted: !content.startsWith('*') };
      },
      { ranges: [], rules: [], restricted: false },
    );

  const time = {
    second: plain(second, fields.second),
    minute: plain(minute, fields.minute),
    hour: plain(hour, fields.hour),
  };
  const dates = day(dayOfMonth, fields.dayOfMonth, monthDay);
  const monthRanges = plain(month, fields.month);
  const days = day(dayOfWeek, fields.dayOfWeek, monthWeekday);
  if (problems.length > 0) return failure(problems);
  const calendar = calendarOf({
    ...time,
    dayOfMonth: dates.ranges,
    month: monthRanges,
    dayOfWeek: days.ranges,
    monthDays: dates.rules,
    monthWeekdays: days.rules,
    days: dates.restricted && days.restricted ? 'either' : 'both',
  });
  return success({ kind: 'calendar', calendar, ...zoned });
}
