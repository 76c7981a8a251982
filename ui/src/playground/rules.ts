/**
 * Candidates for the same times as a recurrence rule or as cron. They are guesses by form: the caller uses one only when its
 * times are the same. Pure.
 */
import type { PlainFields } from './plain-fields.ts';

const ruleDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const cronDays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const cronMonths = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Candidate rules for the fields of a cron text. */
export function rulesOf([second, minute, hour, day, month, weekday]: PlainFields): readonly string[] {
  const dayOfMonth = dayRule(day);
  const dayOfWeek = weekdayRule(named(weekday, cronDays));
  const lists = {
    BYMONTH: valuesOf(named(month, cronMonths), 1, 12),
    BYMONTHDAY: dayOfMonth === undefined ? valuesOf(day, 1, 31) : dayOfMonth.BYMONTHDAY,
    BYDAY:
      dayOfMonth?.BYDAY ??
      dayOfWeek ??
      valuesOf(named(weekday, cronDays), 0, 7)?.map((each) => ruleDays[each] ?? ''),
    BYHOUR: valuesOf(hour, 0, 23),
    BYMINUTE: valuesOf(minute, 0, 59),
    BYSECOND: valuesOf(second, 0, 59),
    BYSETPOS: dayOfMonth?.BYSETPOS,
  };
  if (Object.values(lists).some((list) => list?.length === 0)) return [];
  const isMonthly = dayOfMonth?.BYSETPOS !== undefined || dayOfWeek !== undefined;
  const each = isMonthly
    ? 'MONTHLY'
    : lists.BYSECOND === undefined
      ? 'SECONDLY'
      : lists.BYMINUTE === undefined
        ? 'MINUTELY'
        : lists.BYHOUR === undefined
          ? 'HOURLY'
          : 'DAILY';
  const chosen = Object.entries(lists).flatMap(([name, list]) =>
    list === undefined ? [] : [`${name}=${list.join(',')}`],
  );
  return [[`FREQ=${each}`, ...chosen].join(';')];
}

interface DayRule {
  readonly BYMONTHDAY?: readonly number[];
  readonly BYDAY?: readonly string[];
  readonly BYSETPOS?: readonly number[];
}

/** `L`, `L-3` and `LW`; undefined for plain days. */
function dayRule(day: string): DayRule | undefined {
  const [, before] = /^L(?:-(\d+))?$/i.exec(day) ?? [undefined, undefined];
  if (/^L(-\d+)?$/i.test(day)) return { BYMONTHDAY: [-1 - Number(before ?? 0)] };
  return /^LW$/i.test(day) ? { BYDAY: ['MO', 'TU', 'WE', 'TH', 'FR'], BYSETPOS: [-1] } : undefined;
}

/** `5L` and `2#1`; undefined for plain weekdays. */
function weekdayRule(weekday: string): readonly string[] | undefined {
  const found = /^(\d)(?:L|#(\d))$/i.exec(weekday);
  return found === null ? undefined : [`${found[2] ?? '-1'}${ruleDays[Number(found[1])] ?? ''}`];
}

function named(field: string, names: readonly string[]): string {
  return field.replace(/[a-z]{3}/gi, (name) => {
    const place = names.indexOf(name.toUpperCase());
    return place < 0 ? name : String(place);
  });
}

/** The values of a field; undefined for all values, empty when the field is not a plain list. */
function valuesOf(field: string, least: number, most: number): readonly number[] | undefined {
  if (field === '*' || field === '?') return undefined;
  const values: number[] = [];
  for (const part of field.split(',')) {
    const [, all, first, last, step] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    if (all === undefined && first === undefined) return [];
    const from = all === undefined ? Number(first) : least;
    const to = all !== undefined ? most : Number(last ?? (step === undefined ? first : most));
    for (let value = from; value <= to; value += Math.max(1, Number(step ?? 1))) values.push(value);
  }
  return values;
}

/** Candidate cron texts for a rule without a count or an end. */
export function cronsOf(text: string, dialect: string): readonly string[] {
  const rule = new Map(
    text
      .trim()
      .replace(/^RRULE:/i, '')
      .split(';')
      .map((part) => part.toUpperCase().split('=') as [string, string]),
  );
  const frequency = rule.get('FREQ') ?? '';
  const order = ['MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
  const level = order.indexOf(frequency);
  // A cron text has no end.
  if (level < 0 || rule.has('COUNT') || rule.has('UNTIL')) return [];
  const interval = rule.get('INTERVAL') ?? '1';
  const step = (at: number) => (interval === '1' || at !== level ? '*' : `*/${interval}`);
  if (interval !== '1' && level > 1) return [];
  const minute = rule.get('BYMINUTE') ?? (level === 0 ? step(0) : '0');
  const hour = rule.get('BYHOUR') ?? (level === 1 ? step(1) : level === 0 ? '*' : '0');
  const month = rule.get('BYMONTH') ?? (level === 5 && !rule.has('BYDAY') ? '1' : '*');
  const weekdays = rule.get('BYDAY');
  const isLastWorkday = rule.get('BYSETPOS') === '-1' && weekdays === 'MO,TU,WE,TH,FR';
  if (rule.has('BYSETPOS') && !isLastWorkday) return [];
  const day =
    (isLastWorkday ? 'LW' : undefined) ??
    rule.get('BYMONTHDAY')?.replaceAll('-1', 'L') ??
    (level >= 4 && weekdays === undefined ? '1' : '*');
  const second = rule.get('BYSECOND') ?? '0';
  const days = (name: (weekday: number) => string) =>
    (isLastWorkday ? undefined : weekdays)
      ?.split(',')
      .map((each) => {
        const [, nth = '', weekday = ''] = /^(-?\d*)([A-Z]{2})$/.exec(each) ?? [];
        const place = name(ruleDays.indexOf(weekday));
        return nth === '' ? place : nth === '-1' ? `${place}L` : `${place}#${nth}`;
      })
      .join(',') ?? '*';
  return [days((place) => cronDays[place] ?? ''), days(String)].flatMap((weekday) => {
    const five = [minute, hour, day, month, weekday].join(' ');
    const six = `${second} ${five}`;
    if (dialect === 'spring') return [six];
    return second === '0'
      ? [five.replace(/[A-Z]{3}(?=[L#])/g, (name) => String(cronDays.indexOf(name))), five]
      : [six];
  });
}
