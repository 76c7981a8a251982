/** The parts a field of the unix dialect is made of. `cron-unix.ts` says what they mean together. */
import { monthNames, range, weekdayNames, weekdayRanges } from './calendar-words.ts';
import { hashedRange } from './cron-hash.ts';
import type { MonthDay, MonthWeekday, Range } from './model.ts';
import { CronRefusal } from './refusal.ts';

export interface Field {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** Largest value `H` may take: a day every month has. */
  readonly hashMax?: number;
}

export const fields = {
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
  throw new CronRefusal(
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

function unreadable(text: string, field: Field): CronRefusal {
  const what = `${field.title} cannot be ${JSON.stringify(text)}`;
  if (text === '')
    return new CronRefusal(
      'EMPTY',
      `${field.title} has an empty part`,
      'remove the extra comma, dash or slash',
    );
  if (text.includes('?')) {
    return new CronRefusal(
      'QUESTION_MARK',
      what,
      '`?` belongs to Quartz; it may stand for the whole day of month or day of week, elsewhere write *',
    );
  }
  if (/^L$/i.test(text) && field === fields.dayOfWeek) {
    return new CronRefusal(
      'LAST',
      `${what} alone`,
      'write 5L for the last Friday of the month, or 6 for Saturday',
    );
  }
  if (/^(L|W|LW|\w*#\d*|\d*[LW]|L-\d+)$/i.test(text)) {
    return new CronRefusal(
      'SPECIAL',
      what,
      'in day of month write L, L-3, LW or 15W; in day of week 5L or 5#2',
    );
  }
  return new CronRefusal(
    'UNREADABLE',
    what,
    `write a number from ${field.min} to ${field.max}, a range a-b, or a step */n`,
  );
}

/** The values from start around the end of the field to end, written one by one since the step may cross over. */
function wrapped(start: number, end: number, step: number, field: Field): Range[] {
  const size = field === fields.dayOfWeek ? 7 : field.max - field.min + 1;
  const found: Range[] = [];
  for (let at = start; at <= end + size; at += step) found.push(range(((at - field.min) % size) + field.min));
  return found;
}

export function rangePart(text: string, field: Field, seed: string): readonly Range[] {
  const [base = '', stepText, ...more] = text.split('/');
  if (more.length > 0)
    throw new CronRefusal(
      'TOO_MANY_SLASHES',
      `${field.title} ${text} has more than one slash`,
      'write one step, such as */5',
    );
  let step: number | undefined;
  if (stepText !== undefined) {
    if (!/^\d{1,9}$/.test(stepText) || Number(stepText) < 1) {
      throw new CronRefusal(
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
      throw new CronRefusal(
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
      throw new CronRefusal(
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
      if (isWeekday && start === 7) {
        start = 0;
        // `7-7` is Sunday, not the week from Sunday to Sunday.
        if (end === 7) end = 0;
      }
      if (end < start) {
        if (nameIndex(from, field) >= 0 && nameIndex(to, field) >= 0)
          return wrapped(start, end, step ?? 1, field);
        const top = isWeekday ? 6 : field.max;
        const fix = `write ${from}-${top},${field.min}-${to}${field.names === undefined ? '' : ', or use names: fri-mon wraps around'}`;
        throw new CronRefusal('REVERSED', `${field.title} range ${base} ends before it begins`, fix);
      }
    }
  }
  return isWeekday ? weekdayRanges(start, end, step ?? 1) : [range(start, end, step ?? 1)];
}

export function monthDay(part: string): MonthDay | undefined {
  const text = part.toUpperCase();
  if (text === 'L') return { kind: 'last', before: 0 };
  if (text === 'LW' || text === 'WL') return { kind: 'lastWeekday' };
  const before = /^L-(\d{1,2})$/.exec(text)?.[1];
  if (before !== undefined) {
    if (Number(before) > 30)
      throw new CronRefusal('LAST', `day of month ${part} never exists`, 'write L-1 to L-30');
    return { kind: 'last', before: Number(before) };
  }
  const nearest = /^(\d{1,2})W$/.exec(text)?.[1];
  return nearest === undefined
    ? undefined
    : { kind: 'nearestWeekday', day: value(nearest, fields.dayOfMonth) };
}

export function monthWeekday(part: string): MonthWeekday | undefined {
  const last = /^(\d|[a-z]+)L$/i.exec(part)?.[1];
  // Names such as `april` end in L as well, but are not weekdays.
  if (last !== undefined) return { kind: 'lastWeekdayOf', weekday: value(last, fields.dayOfWeek) % 7 };
  const [, day, nth] = /^(\w+)#(\d{1,2})$/.exec(part) ?? [];
  if (day === undefined || nth === undefined) return undefined;
  if (Number(nth) < 1 || Number(nth) > 5) {
    throw new CronRefusal(
      'NTH',
      `day of week ${part} never exists`,
      `write ${day}#1 to ${day}#5, or ${day}L for the last`,
    );
  }
  return { kind: 'nth', weekday: value(day, fields.dayOfWeek) % 7, nth: Number(nth) };
}
