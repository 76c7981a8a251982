/**
 * Spring's cron expressions, which Conductor uses: six fields, seconds first; day of month AND day of week;
 * `L`, `L-n`, `LW`, `nW`, `dL`, `d#n`; 0 and 7 are Sunday; names have three letters. What Spring 6 accepts and
 * refuses was measured; this reads the same texts.
 */
import { calendarOf, macroFields, monthNames, range, weekdayNames, weekdayRanges } from './calendar-words.ts';
import type { MonthDay, MonthWeekday, Range } from './model.ts';
import type { Parsed, ParsedCron } from './parsed.ts';
import { failure, success } from './parsed.ts';
import { CronRefusal, fieldReader, refusalProblem } from './refusal.ts';

interface Field {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** `?` may stand for any. */
  readonly question?: boolean;
}

const months = monthNames.map((name) => name.slice(0, 3));
/** Spring counts Monday 1 to Sunday 7; the index is the number. */
const weekdays = ['', ...weekdayNames.slice(1), weekdayNames[0]].map((name) => name.slice(0, 3));

const fields = {
  second: { title: 'second', min: 0, max: 59 },
  minute: { title: 'minute', min: 0, max: 59 },
  hour: { title: 'hour', min: 0, max: 23 },
  dayOfMonth: { title: 'day of month', min: 1, max: 31, question: true },
  month: { title: 'month', min: 1, max: 12, names: ['', ...months] },
  dayOfWeek: { title: 'day of week', min: 1, max: 7, names: weekdays, question: true },
} as const satisfies Record<string, Field>;

function value(text: string, field: Field): number {
  const index = field.names?.indexOf(text.toLowerCase()) ?? -1;
  const number = index > 0 ? index : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw unreadable(text, field);
  const least = field === fields.dayOfWeek ? 0 : field.min;
  if (number < least || number > field.max) {
    const fix =
      field === fields.dayOfWeek ? 'write 0 or 7 for Sunday, 1 for Monday to 6 for Saturday' : undefined;
    throw new CronRefusal(
      'OUT_OF_RANGE',
      `${field.title} ${text} is not in range [${least}-${field.max}]`,
      fix,
    );
  }
  return number;
}

function unreadable(text: string, field: Field): CronRefusal {
  const what = `${field.title} cannot be ${JSON.stringify(text)}`;
  if (text === '?')
    return new CronRefusal(
      'QUESTION_MARK',
      what,
      '`?` may only stand for the whole day of month or day of week; write *',
    );
  if (text === '')
    return new CronRefusal(
      'EMPTY',
      `${field.title} has an empty part`,
      'remove the extra comma, dash or slash',
    );
  if (field.names !== undefined && /^[a-z]{4,}$/i.test(text)) {
    return new CronRefusal('NAME', what, `names have three letters: ${text.slice(0, 3).toUpperCase()}`);
  }
  if (/^L$/i.test(text) && field === fields.dayOfWeek) {
    return new CronRefusal('LAST', `${what} alone`, 'write 5L for the last Friday of the month');
  }
  if (/L|W|#/i.test(text)) {
    return new CronRefusal(
      'SPECIAL',
      what,
      'in day of month write L, L-3, LW or 15W; in day of week 5L or 5#2, in capitals',
    );
  }
  if (/^H/.test(text))
    return new CronRefusal('HASH', what, 'H belongs to Jenkins and our unix dialect; write a number');
  return new CronRefusal(
    'UNREADABLE',
    what,
    `write a number from ${field.min} to ${field.max}, a range a-b, or a step */n`,
  );
}

function rangePart(text: string, field: Field): readonly Range[] {
  const slash = text.indexOf('/');
  const base = slash < 0 ? text : text.slice(0, slash);
  let step = 1;
  if (slash >= 0) {
    const stepText = text.slice(slash + 1);
    if (!/^\d{1,9}$/.test(stepText) || Number(stepText) < 1) {
      throw new CronRefusal(
        'STEP',
        `${field.title} has the step ${JSON.stringify(stepText)}`,
        'a step is a whole number from 1',
      );
    }
    step = Number(stepText);
  }
  const isWeekday = field === fields.dayOfWeek;
  let start: number = field.min;
  let end: number = field.max;
  const dash = base.indexOf('-');
  if (base === '*') {
    if (isWeekday && step === 1) return [range(0, 6)];
  } else if (dash > 0) {
    start = value(base.slice(0, dash), field);
    end = value(base.slice(dash + 1), field);
    // At the beginning of a range Sunday is 0, at its end 7.
    if (isWeekday && start === 7) start = 0;
    if (end < start) {
      const fix = `a range cannot wrap around: write ${base.slice(0, dash)}-${field.max},${field.min}-${base.slice(dash + 1)}`;
      throw new CronRefusal('REVERSED', `${field.title} range ${base} ends before it begins`, fix);
    }
  } else {
    start = value(base, field);
    if (slash < 0) end = start;
  }
  return isWeekday ? weekdayRanges(start, end, step) : [range(start, end, step)];
}

function ranges(text: string, field: Field): readonly Range[] {
  if (text === '?' && field.question === true) return rangePart('*', field);
  return text.split(',').flatMap((part) => rangePart(part, field));
}

function monthDay(part: string): MonthDay | undefined {
  if (part === 'L') return { kind: 'last', before: 0 };
  if (part === 'LW') return { kind: 'lastWeekday' };
  const before = /^L-(\d{1,2})$/.exec(part)?.[1];
  if (before !== undefined) {
    if (Number(before) === 0)
      throw new CronRefusal('LAST', 'day of month L-0 is not allowed', 'write L for the last day');
    return { kind: 'last', before: Number(before) };
  }
  const nearest = /^(\d{1,2})W$/.exec(part)?.[1];
  if (nearest !== undefined) return { kind: 'nearestWeekday', day: value(nearest, fields.dayOfMonth) };
  return undefined;
}

function monthWeekday(part: string): MonthWeekday | undefined {
  // Spring reads days of the week in either case, but days of the month in capitals only.
  const last = /^(\w+)L$/i.exec(part)?.[1];
  if (last !== undefined && last !== '') {
    return { kind: 'lastWeekdayOf', weekday: value(last, fields.dayOfWeek) % 7 };
  }
  const [, day, nth] = /^(\w+)#(\d{1,2})$/.exec(part) ?? [];
  if (day === undefined || nth === undefined) return undefined;
  if (Number(nth) < 1)
    throw new CronRefusal('NTH', `day of week ${part} counts from 1`, `write ${day}#1 for the first`);
  return { kind: 'nth', weekday: value(day, fields.dayOfWeek) % 7, nth: Number(nth) };
}

function dayField<T>(text: string, field: Field, special: (part: string) => T | undefined): [Range[], T[]] {
  if (text === '?') return [[...ranges(text, field)], []];
  const plain: Range[] = [];
  const rules: T[] = [];
  for (const part of text.split(',')) {
    const rule = special(part);
    if (rule === undefined) plain.push(...rangePart(part, field));
    else rules.push(rule);
  }
  return [plain, rules];
}

function fieldCount(parts: readonly string[], text: string): CronRefusal {
  const count = text === '' ? 0 : parts.length;
  if (text.startsWith('@')) {
    const fix = 'the macros are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly';
    return new CronRefusal('MACRO', `there is no macro ${text.split(' ')[0]}`, fix);
  }
  const hints: Readonly<Record<number, string>> = {
    5: `spring wants seconds first: try \`0 ${text}\``,
    7: `there is no year field: try \`${parts.slice(0, 6).join(' ')}\``,
  };
  const fix =
    hints[count] ?? 'write second minute hour day-of-month month day-of-week, such as 0 0 9 * * MON-FRI';
  return new CronRefusal('FIELD_COUNT', `6 fields are needed, ${count} found`, fix);
}

/** Reads a Spring cron text. Problems have an empty path; there is one for each field that is wrong. */
export function parseSpringCron(source: string): Parsed<ParsedCron> {
  const text = source.trim();
  const lower = text.toLowerCase();
  if (Object.hasOwn(macroFields, lower)) {
    return success({ kind: 'calendar', calendar: calendarOf(macroFields[lower] ?? {}) });
  }
  // Only blanks separate fields; a tab is part of one, and refused there.
  const parts = text.split(/ +/);
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = parts;
  if (parts.length !== 6 || dayOfWeek === undefined)
    return failure([refusalProblem('spring', fieldCount(parts, text))]);
  const { attempt, problems } = fieldReader('spring');
  const plain = (content: string | undefined, field: Field) =>
    attempt(() => ranges(content ?? '', field), []);
  const time = {
    second: plain(second, fields.second),
    minute: plain(minute, fields.minute),
    hour: plain(hour, fields.hour),
  };
  const [dates, monthDays] = attempt(() => dayField(dayOfMonth ?? '', fields.dayOfMonth, monthDay), [[], []]);
  const monthRanges = plain(month, fields.month);
  const [days, monthWeekdays] = attempt(() => dayField(dayOfWeek, fields.dayOfWeek, monthWeekday), [[], []]);
  if (problems.length > 0) return failure(problems);
  const calendar = calendarOf({
    ...time,
    dayOfMonth: dates,
    month: monthRanges,
    dayOfWeek: days,
    monthDays,
    monthWeekdays,
  });
  return success({ kind: 'calendar', calendar });
}
