/** Rules about the text of a cron expression, without computing times. */
import type { Dialect } from '../../spec/index.ts';
import { type CronFields, cronFields, isMacro, isOpen } from '../cron-fields.ts';
import type { CronText, Remark } from './finding.ts';

export function textRemarks({ text, dialect }: CronText): readonly Remark[] {
  const fields = cronFields(text, dialect);
  if (fields === undefined || isMacro(text)) return [];
  return [
    ...dayRemarks(fields, dialect),
    ...stepRemarks(fields),
    ...starRemarks(fields),
    ...dateRemarks(fields),
    ...quartzRemarks(text, fields, dialect),
  ];
}

function dayRemarks({ dayOfMonth, dayOfWeek }: CronFields, dialect: Dialect): readonly Remark[] {
  if (isOpen(dayOfMonth) || isOpen(dayOfWeek)) return [];
  if (dialect !== 'unix') {
    const message = `runs only when day of month '${dayOfMonth}' AND day of week '${dayOfWeek}' both match`;
    const fix = 'for either of them write two schedules, or the unix dialect';
    return [{ code: 'day-both', message, fix }];
  }
  const starred = [dayOfMonth, dayOfWeek].find((field) => field.startsWith('*'));
  if (starred !== undefined) {
    const message = `because '${starred}' begins with *, both day fields must match; '${starred.replace('*', starred === dayOfMonth ? '1-31' : '0-6')}' would mean either`;
    return [{ code: 'day-star', message, fix: 'say which one you mean; carillon next shows the days' }];
  }
  const message = `runs when day of month '${dayOfMonth}' OR day of week '${dayOfWeek}' matches, not when both do`;
  const fix = dayOfMonth.includes('-')
    ? `for a weekday within those days use d#n, such as '${dayOfWeek}#1' with * as day of month`
    : 'for both use the temporal dialect, which joins them with AND';
  return [{ code: 'day-either', message, fix }];
}

const ranges = [
  ['second', 60, 'minute'],
  ['minute', 60, 'hour'],
  ['hour', 24, 'day'],
  ['month', 12, 'year'],
] as const;

function stepRemarks(fields: CronFields): readonly Remark[] {
  const remarks: Remark[] = [];
  for (const [name, size, whole] of ranges) {
    for (const part of fields[name].split(',')) {
      const step = wholeStep(part, size);
      if (step === undefined || size % step === 0) continue;
      const rest = size % step;
      const good = divisors(size)
        .filter((each) => Math.abs(each - step) <= step)
        .sort((a, b) => Math.abs(a - step) - Math.abs(b - step))
        .slice(0, 2);
      remarks.push({
        code: 'uneven-step',
        message: `'${part}' does not divide the ${whole}: the last gap is ${rest} instead of ${step} ${name}s`,
        fix: `for even gaps write ${good.map((each) => `*/${each}`).join(' or ')}${isFree(fields, name) ? `, or every: ${step}${name.charAt(0)}` : ''}`,
      });
    }
  }
  const day = wholeStep(fields.dayOfMonth, 31);
  if (day !== undefined && day > 1) {
    const message = `'${fields.dayOfMonth}' counts from the 1st of each month, so the gap at its end is another one`;
    remarks.push({ code: 'month-step', message, fix: `for every ${day} days write every: ${day}d` });
  }
  return remarks;
}

/** Whether the step is the only restriction of the text, so that an interval could replace it. */
function isFree(fields: CronFields, name: 'second' | 'minute' | 'hour' | 'month'): boolean {
  if (name === 'month') return false;
  const coarser = [fields.dayOfMonth, fields.month, fields.dayOfWeek];
  if (name !== 'hour') coarser.push(fields.hour);
  if (name === 'second') coarser.push(fields.minute);
  return coarser.every(isOpen);
}

/** The step of `*`, `0` or a range over the whole field. */
function wholeStep(part: string, size: number): number | undefined {
  const found = /^(\*|\d+|\d+-\d+)\/(\d+)$/.exec(part);
  if (found === null) return undefined;
  const [, from = '', step = ''] = found;
  const isWhole =
    from === '*' || from === '0' || from === `0-${size - 1}` || from === `1-${size}` || from === '1';
  return isWhole && Number(step) > 0 ? Number(step) : undefined;
}

function divisors(size: number): readonly number[] {
  return Array.from({ length: size - 1 }, (_, index) => index + 1).filter((each) => size % each === 0);
}

function starRemarks({ second, minute, hour }: CronFields): readonly Remark[] {
  if (isOpen(second) && (!isOpen(minute) || !isOpen(hour))) {
    const message = `'*' in seconds: 60 runs in each minute that matches`;
    return [{ code: 'minute-star', message, fix: 'write 0 in front to run once' }];
  }
  if (!isOpen(minute) || isOpen(hour) || hour.startsWith('*/')) return [];
  const message = `'*' in minutes with the hour '${hour}': 60 runs in each hour that matches`;
  return [{ code: 'minute-star', message, fix: 'write 0 as the minute to run once an hour' }];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dateRemarks({ dayOfMonth, month, dayOfWeek }: CronFields): readonly Remark[] {
  const days = numbers(dayOfMonth, 31);
  const months = numbers(namesToNumbers(month), 12);
  if (days === undefined || months === undefined || !isOpen(dayOfWeek)) return [];
  const lacking = (day: number) => months.filter((each) => day > (lengths[each - 1] ?? 31));
  const remarks: Remark[] = [];
  const nowhere = months.filter((each) => days.every((day) => day > (lengths[each - 1] ?? 31)));
  if (nowhere.length > 0 && nowhere.length < months.length) {
    const names = nowhere.map((each) => monthNames[each - 1]).join(', ');
    const isEvery = isOpen(month);
    const message = `day ${dayOfMonth} does not exist in ${names}: nothing runs there`;
    remarks.push({
      code: isEvery ? 'short-months' : 'unreachable-date',
      message,
      fix: 'for the last day of the month write L',
    });
  } else if (nowhere.length === 0 && days.length > 1 && !isOpen(dayOfMonth)) {
    const gone = days.filter((day) => lacking(day).length === months.length);
    if (gone.length > 0) {
      const message = `day ${gone.join(', ')} exists in none of the months '${month}'`;
      remarks.push({ code: 'unreachable-date', message, fix: 'leave it out, or write L for the last day' });
    }
  }
  if (months.length === 1 && months[0] === 2 && days.length === 1 && days[0] === 29) {
    const message = '29 February comes every four years, and not in 2100';
    remarks.push({ code: 'leap-day', message, fix: 'for the last day of February write L' });
  }
  return remarks;
}

/** `day 30 in feb`, when none of the named months has any of the named days. */
export function impossibleDate(text: string, dialect: Dialect = 'unix'): string | undefined {
  const fields = cronFields(text, dialect);
  const days = fields === undefined ? undefined : numbers(fields.dayOfMonth, 31);
  const months = fields === undefined ? undefined : numbers(namesToNumbers(fields.month), 12);
  if (days === undefined || months === undefined) return undefined;
  if (months.some((month) => days.some((day) => day <= (lengths[month - 1] ?? 31)))) return undefined;
  return `day ${fields?.dayOfMonth} in ${months.map((month) => monthNames[month - 1]).join(', ')}`;
}

function namesToNumbers(field: string): string {
  return field
    .toLowerCase()
    .replace(/[a-z]+/g, (name) => String(monthNames.indexOf(name.slice(0, 3)) + 1 || name));
}

/** The values of plain numbers, lists and ranges; undefined for other syntax. */
function numbers(field: string, most: number): readonly number[] | undefined {
  if (isOpen(field)) return Array.from({ length: most }, (_, index) => index + 1);
  const found: number[] = [];
  for (const part of field.split(',')) {
    const match = /^(\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const [, from = '', to, step] = match;
    const last = to === undefined ? (step === undefined ? Number(from) : most) : Number(to);
    for (let each = Number(from); each <= last; each += Number(step ?? 1) || 1) found.push(each);
  }
  return found;
}

function quartzRemarks(text: string, { dayOfWeek, year }: CronFields, dialect: Dialect): readonly Remark[] {
  const isQuartz = /(^|\s)\?(\s|$)/.test(text) || (dialect !== 'temporal' && year !== '*');
  if (!isQuartz || !/\d/.test(dayOfWeek)) return [];
  const message = `'${dayOfWeek}' counts weekdays from Sunday = 0 here; Quartz, which writes '?', counts from Sunday = 1`;
  return [{ code: 'weekday-base', message, fix: 'write names: SUN, MON, TUE, WED, THU, FRI, SAT' }];
}
