/**
 * Candidates for the same times as a recurrence rule or as cron. They are only guesses by shape: the caller takes one whose times
 * are the same. Pure.
 */
const ruleDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const cronDays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const cronMonths = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Rules for a cron text of five fields, or six with the second first. */
export function rulesOf(text: string, dialect: string): readonly string[] {
  const parts = text.trim().split(/\s+/);
  const fields = parts.length === 6 && dialect !== 'temporal' ? parts : ['0', ...parts];
  if (fields.length !== 6) return [];
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const lists = {
    BYMONTH: valuesOf(named(month, cronMonths), 1, 12),
    BYMONTHDAY: valuesOf(day, 1, 31),
    BYDAY: valuesOf(named(weekday, cronDays), 0, 7)?.map((each) => ruleDays[each] ?? ''),
    BYHOUR: valuesOf(hour, 0, 23),
    BYMINUTE: valuesOf(minute, 0, 59),
    BYSECOND: valuesOf(second, 0, 59),
  };
  if (Object.values(lists).some((list) => list?.length === 0)) return [];
  const each = lists.BYMINUTE === undefined ? 'MINUTELY' : lists.BYHOUR === undefined ? 'HOURLY' : 'DAILY';
  const chosen = Object.entries(lists).flatMap(([name, list]) =>
    list === undefined ? [] : [`${name}=${list.join(',')}`],
  );
  return [[`FREQ=${each}`, ...chosen].join(';')];
}

function named(field: string, names: readonly string[]): string {
  return field.replace(/[a-z]{3}/gi, (name) => {
    const place = names.indexOf(name.toUpperCase());
    return place < 0 ? name : String(place);
  });
}

/** Undefined for every value; empty for what is not a plain list. */
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

/** Cron texts for a rule without a count or an end. */
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
  if (level < 0 || (rule.get('INTERVAL') ?? '1') !== '1' || rule.has('BYSETPOS')) return [];
  const minute = rule.get('BYMINUTE') ?? (level === 0 ? '*' : '0');
  const hour = rule.get('BYHOUR') ?? (level <= 1 ? '*' : '0');
  const month = rule.get('BYMONTH') ?? (level === 5 && !rule.has('BYDAY') ? '1' : '*');
  const weekdays = rule.get('BYDAY');
  const day =
    rule.get('BYMONTHDAY')?.replaceAll('-1', 'L') ?? (level >= 4 && weekdays === undefined ? '1' : '*');
  const second = rule.get('BYSECOND') ?? '0';
  const days = (name: (weekday: number) => string) =>
    weekdays
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
