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
import {
  calendarOf,
  macroFields,
  monthNames,
  range,
  splitZonePrefix,
  weekdayNames,
  weekdayRanges,
} from './calendar-words.ts';
import { hashedRange } from './cron-hash.ts';
import { millisecondsOf, parseGoDuration } from './go-duration.ts';
import type { Interval, MonthDay, MonthWeekday, Range } from './model.ts';
import type { Parsed, ParsedCron } from './parsed.ts';
import { failure, success } from './parsed.ts';
import { fieldReader, Refusal, refusalProblem } from './refusal.ts';

export interface UnixCronOptions {
  /** What `H` is derived from: the same seed gives the same times. Default empty. */
  readonly seed?: string;
}

interface Field {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** Largest value `H` may take: a day every month has. */
  readonly hashMax?: number;
}

const fields = {
  second: { title: 'second', min: 0, max: 59 },
  minute: { title: 'minute', min: 0, max: 59 },
  hour: { title: 'hour', min: 0, max: 23 },
  dayOfMonth: { title: 'day of month', min: 1, max: 31, hashMax: 28 },
  month: { title: 'month', min: 1, max: 12, names: ['', ...monthNames] },
  dayOfWeek: { title: 'day of week', min: 0, max: 7, names: weekdayNames, hashMax: 6 },
} as const satisfies Record<string, Field>;

function nameIndex(text: string, { names }: Field): number {
  if (names === undefined || !/^[a-z]{3,}$/i.test(text)) return -1;
  const lower = text.toLowerCase();
  return names.findIndex((name) => name !== '' && (name === lower || name.slice(0, 3) === lower));
}

function value(text: string, field: Field): number {
  const index = nameIndex(text, field);
  if (index >= 0) return index;
  if (!/^\d{1,9}$/.test(text)) throw unreadable(text, field);
  const number = Number(text);
  if (number >= field.min && number <= field.max) return number;
  const isWeekday = field === fields.dayOfWeek;
  const fix = isWeekday
    ? 'write 0 or 7 for Sunday, 1 for Monday to 6 for Saturday'
    : outOfRangeAdvice(number, field);
  throw new Refusal(
    'OUT_OF_RANGE',
    `${field.title} ${text} is not in range [${field.min}-${field.max}]`,
    fix,
  );
}

function outOfRangeAdvice(number: number, field: Field): string {
  if (field === fields.hour && number === 24) return 'write 0 for midnight';
  if (number === 60 && field.max === 59) return 'write 0; it begins the next one';
  return `write a number from ${field.min} to ${field.max}`;
}

function unreadable(text: string, field: Field): Refusal {
  const what = `${field.title} cannot be ${JSON.stringify(text)}`;
  if (text === '')
    return new Refusal('EMPTY', `${field.title} has an empty part`, 'remove the extra comma, dash or slash');
  if (text.includes('?')) {
    return new Refusal(
      'QUESTION_MARK',
      what,
      '`?` belongs to Quartz; it may stand for the whole day of month or day of week, elsewhere write *',
    );
  }
  if (/^L$/i.test(text) && field === fields.dayOfWeek) {
    return new Refusal(
      'LAST',
      `${what} alone`,
      'write 5L for the last Friday of the month, or 6 for Saturday',
    );
  }
  if (/^(L|W|LW|\w*#\d*|\d*[LW]|L-\d+)$/i.test(text)) {
    return new Refusal('SPECIAL', what, 'in day of month write L, L-3, LW or 15W; in day of week 5L or 5#2');
  }
  return new Refusal(
    'UNREADABLE',
    what,
    `write a number from ${field.min} to ${field.max}, a range a-b, or a step */n`,
  );
}

/** From start around the end of the field to end, written as single values since the step may cross over. */
function wrapped(start: number, end: number, step: number, field: Field): Range[] {
  const size = field === fields.dayOfWeek ? 7 : field.max - field.min + 1;
  const found: Range[] = [];
  for (let at = start; at <= end + size; at += step) found.push(range(((at - field.min) % size) + field.min));
  return found;
}

function rangePart(text: string, field: Field, seed: string): readonly Range[] {
  const [base = '', stepText, ...more] = text.split('/');
  if (more.length > 0)
    throw new Refusal(
      'TOO_MANY_SLASHES',
      `${field.title} ${text} has more than one slash`,
      'write one step, such as */5',
    );
  let step: number | undefined;
  if (stepText !== undefined) {
    if (!/^\d{1,9}$/.test(stepText) || Number(stepText) < 1) {
      throw new Refusal(
        'STEP',
        `${field.title} has the step ${JSON.stringify(stepText)}`,
        'a step is a whole number from 1, such as */5',
      );
    }
    step = Number(stepText);
  }
  const [, low, high] = /^H(?:\((\w+)-(\w+)\))?$/i.exec(base) ?? [];
  if (/^H(\(|$)/i.test(base)) {
    if (low === undefined && base.length > 1) throw unreadable(text, field);
    const min = low === undefined ? field.min : value(low, field);
    const max = high === undefined ? (field.hashMax ?? field.max) : value(high, field);
    if (max < min)
      throw new Refusal(
        'REVERSED',
        `${field.title} range ${base} ends before it begins`,
        `write H(${high}-${low})`,
      );
    const { start, end, step: every } = hashedRange({ seed, field: field.title, min, max, step });
    return field === fields.dayOfWeek ? weekdayRanges(start, end, every) : [range(start, end, every)];
  }
  const isWeekday = field === fields.dayOfWeek;
  let start: number = field.min;
  let end: number = isWeekday ? 6 : field.max;
  if (base !== '*') {
    const [from = '', to, ...rest] = base.split('-');
    if (rest.length > 0)
      throw new Refusal(
        'TOO_MANY_DASHES',
        `${field.title} ${text} has more than one dash`,
        'write a range as a-b',
      );
    start = value(from, field);
    if (to === undefined) {
      if (step === undefined) end = start;
      else if (isWeekday && start === 7) start = 0;
    } else {
      end = value(to, field);
      if (isWeekday && start === 7) start = 0;
      if (end < start) {
        if (nameIndex(from, field) >= 0 && nameIndex(to, field) >= 0)
          return wrapped(start, end, step ?? 1, field);
        const top = isWeekday ? 6 : field.max;
        const fix = `write ${from}-${top},${field.min}-${to}${field.names === undefined ? '' : ', or use names: fri-mon wraps around'}`;
        throw new Refusal('REVERSED', `${field.title} range ${base} ends before it begins`, fix);
      }
    }
  }
  return isWeekday ? weekdayRanges(start, end, step ?? 1) : [range(start, end, step ?? 1)];
}

function monthDay(part: string): MonthDay | undefined {
  const text = part.toUpperCase();
  if (text === 'L') return { kind: 'last', before: 0 };
  if (text === 'LW' || text === 'WL') return { kind: 'lastWeekday' };
  const before = /^L-(\d{1,2})$/.exec(text)?.[1];
  if (before !== undefined) {
    if (Number(before) > 30)
      throw new Refusal('LAST', `day of month ${part} never exists`, 'write L-1 to L-30');
    return { kind: 'last', before: Number(before) };
  }
  const nearest = /^(\d{1,2})W$/.exec(text)?.[1];
  return nearest === undefined
    ? undefined
    : { kind: 'nearestWeekday', day: value(nearest, fields.dayOfMonth) };
}

function monthWeekday(part: string): MonthWeekday | undefined {
  const last = /^(\d|[a-z]+)L$/i.exec(part)?.[1];
  // `april` and the like end in L too, but belong to no weekday.
  if (last !== undefined) return { kind: 'lastWeekdayOf', weekday: value(last, fields.dayOfWeek) % 7 };
  const [, day, nth] = /^(\w+)#(\d{1,2})$/.exec(part) ?? [];
  if (day === undefined || nth === undefined) return undefined;
  if (Number(nth) < 1 || Number(nth) > 5) {
    throw new Refusal(
      'NTH',
      `day of week ${part} never exists`,
      `write ${day}#1 to ${day}#5, or ${day}L for the last`,
    );
  }
  return { kind: 'nth', weekday: value(day, fields.dayOfWeek) % 7, nth: Number(nth) };
}

interface DayField<T> {
  readonly ranges: readonly Range[];
  readonly rules: readonly T[];
  readonly restricted: boolean;
}

function everPart(text: string, reason: string): Refusal {
  return new Refusal(
    reason,
    `@every needs one duration of at least a second, not ${JSON.stringify(text)}`,
    'write @every 15m',
  );
}

function parseEvery(text: string): Interval {
  const [argument = '', phaseText] = text.slice('@every'.length).trim().split('/');
  const every = parseGoDuration(argument);
  if (!every.ok) throw everPart(argument, 'EVERY');
  const phase = phaseText === undefined ? success(0n) : parseGoDuration(phaseText);
  if (!phase.ok) throw everPart(argument, 'EVERY');
  const everyMs = millisecondsOf(every.value);
  const phaseMs = millisecondsOf(phase.value);
  return phaseMs === 0 ? { everyMs } : { everyMs, phaseMs };
}

function macroProblem(text: string): Refusal {
  if (/^@reboot$/i.test(text)) {
    return new Refusal('MACRO', '@reboot is no time', 'trigger the schedule from your start-up code instead');
  }
  const fix =
    'the macros are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every 15m';
  return new Refusal('MACRO', `there is no macro ${text.split(/\s/)[0]}`, fix);
}

function fieldCount(count: number): Refusal {
  const fix =
    count === 7
      ? 'a year field belongs to Quartz and Temporal; use the temporal dialect or bounds instead'
      : 'write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5';
  return new Refusal('FIELD_COUNT', `5 fields are needed, or 6 with seconds first; ${count} found`, fix);
}

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
