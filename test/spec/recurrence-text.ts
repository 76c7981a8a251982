/** Writes a recurrence in one canonical text, such that parsing it gives the same value back. */
import { civilDay, daySeconds } from '../../packages/carillon/src/spec/calendar-day.ts';
import type { Moment, Recurrence, Rule } from '../../packages/carillon/src/spec/rrule/recurrence.ts';
import { weekdayCodes } from '../../packages/carillon/src/spec/rrule/recurrence.ts';

export function formatRecurrence(recurrence: Recurrence): string {
  const { start, zone, rules, dates, exceptDates } = recurrence;
  const lines: string[] = [];
  if (start !== undefined) {
    const kind = zone === 'UTC' ? 'utc' : 'local';
    lines.push(
      `DTSTART${kind === 'local' ? zoneParameter(zone) : ''}:${formatMoment({ kind, second: start })}`,
    );
  }
  for (const rule of rules) lines.push(`RRULE:${formatRule(rule)}`);
  for (const date of dates) lines.push(formatDate('RDATE', date, zone));
  for (const date of exceptDates) lines.push(formatDate('EXDATE', date, zone));
  return lines.join('\n');
}

function formatRule(rule: Rule): string {
  const parts = [`FREQ=${rule.frequency}`];
  const list = (name: string, values: readonly (number | string)[]) => {
    if (values.length > 0) parts.push(`${name}=${values.join(',')}`);
  };
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== undefined) parts.push(`UNTIL=${formatMoment(rule.until)}`);
  list('BYMONTH', rule.byMonth);
  list('BYWEEKNO', rule.byWeekNumber);
  list('BYYEARDAY', rule.byYearDay);
  list('BYMONTHDAY', rule.byMonthDay);
  list(
    'BYDAY',
    rule.byDay.map(({ weekday, nth }) => `${nth === 0 ? '' : nth}${weekdayCodes[weekday]}`),
  );
  list('BYHOUR', rule.byHour);
  list('BYMINUTE', rule.byMinute);
  list('BYSECOND', rule.bySecond);
  list('BYSETPOS', rule.bySetPosition);
  if (rule.weekStart !== 1) parts.push(`WKST=${weekdayCodes[rule.weekStart]}`);
  return parts.join(';');
}

function formatDate(name: string, moment: Moment, zone: string | undefined): string {
  // A value in UTC must not name a zone as well; the zone of a date matters only to the whole recurrence.
  return `${name}${moment.kind === 'utc' ? '' : zoneParameter(zone)}:${formatMoment(moment)}`;
}

function zoneParameter(zone: string | undefined): string {
  return zone === undefined ? '' : `;TZID=${zone}`;
}

function formatMoment(moment: Moment): string {
  switch (moment.kind) {
    case 'date':
      return formatDay(moment.day);
    case 'local':
      return formatSecond(moment.second);
    case 'utc':
      return `${formatSecond(moment.second)}Z`;
  }
}

function formatDay(number: number): string {
  const { year, month, day } = civilDay(number);
  return `${String(year).padStart(4, '0')}${two(month)}${two(day)}`;
}

function formatSecond(second: number): string {
  const number = Math.floor(second / daySeconds);
  const rest = second - number * daySeconds;
  return `${formatDay(number)}T${two(Math.floor(rest / 3600))}${two(Math.floor(rest / 60) % 60)}${two(rest % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
