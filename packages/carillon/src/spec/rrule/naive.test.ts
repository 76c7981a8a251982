/**
 * An independent implementation that shares only the parser: walk every day with `Date`, ask each part by its
 * definition, group by period, choose positions. Daily and longer frequencies, one time of day.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSearch } from '../search.ts';
import { findZone } from '../zone/zone.ts';
import { parseRecurrence } from './parse.ts';
import type { Rule } from './recurrence.ts';
import { recurrenceSources } from './source.ts';

const dayMs = 86_400_000;
const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function matchesParts(rule: Rule, day: Date, start: Date): boolean {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  const monthDays = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(month + 1)) return false;
  if (rule.byMonthDay.length > 0) {
    if (!rule.byMonthDay.some((wanted) => (wanted > 0 ? wanted : monthDays + 1 + wanted) === date))
      return false;
  }
  const chosen = rule.byDay.some(({ weekday, nth }) => {
    if (day.getUTCDay() !== weekday) return false;
    if (nth === 0) return true;
    const same: number[] = [];
    const inYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0;
    const first = inYear ? Date.UTC(year, 0, 1) : Date.UTC(year, month, 1);
    const last = inYear ? Date.UTC(year, 11, 31) : Date.UTC(year, month + 1, 0);
    for (let at = first; at <= last; at += dayMs) if (new Date(at).getUTCDay() === weekday) same.push(at);
    return same.at(nth > 0 ? nth - 1 : nth) === day.getTime();
  });
  if (rule.byDay.length > 0) return chosen;
  if (rule.byMonthDay.length > 0 || rule.frequency === 'DAILY') return true;
  if (rule.frequency === 'WEEKLY') return day.getUTCDay() === start.getUTCDay();
  if (date !== start.getUTCDate()) return false;
  return rule.frequency === 'MONTHLY' || rule.byMonth.length > 0 || month === start.getUTCMonth();
}

function periodOf(rule: Rule, day: Date, start: Date): number {
  const weekOf = (at: Date) => Math.floor((at.getTime() / dayMs + 4 - rule.weekStart) / 7);
  const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth();
  switch (rule.frequency) {
    case 'YEARLY':
      return day.getUTCFullYear() - start.getUTCFullYear();
    case 'MONTHLY':
      return monthOf(day) - monthOf(start);
    case 'WEEKLY':
      return weekOf(day) - weekOf(start);
    default:
      return (day.getTime() - start.getTime()) / dayMs;
  }
}

function naive(rule: Rule, start: Date, dayCount: number): number[] {
  const periods = new Map<number, number[]>();
  const first = start.getTime() - 366 * dayMs;
  for (let at = first; at < start.getTime() + (dayCount + 366) * dayMs; at += dayMs) {
    const day = new Date(at);
    const period = periodOf(rule, day, start);
    if (period < 0 || period % rule.interval !== 0 || !matchesParts(rule, day, start)) continue;
    periods.set(period, [...(periods.get(period) ?? []), at / 1000]);
  }
  return [...periods.values()]
    .flatMap((list) => {
      if (rule.bySetPosition.length === 0) return list;
      return list.filter((_, index) =>
        rule.bySetPosition.some(
          (position) => (position > 0 ? position - 1 : list.length + position) === index,
        ),
      );
    })
    .filter((at) => at * 1000 >= start.getTime() && at * 1000 < start.getTime() + dayCount * dayMs)
    .slice(0, rule.count);
}

const list = (values: readonly (string | number)[]) =>
  fc.subarray([...values], { minLength: 0, maxLength: 4 });

it('agrees with a day-by-day walk', () => {
  const given = fc.record({
    frequency: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'),
    interval: fc.integer({ min: 1, max: 5 }),
    count: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    months: list([1, 2, 3, 6, 9, 12]),
    monthDays: list([1, 13, 28, 29, 30, 31, -1, -5, -31]),
    weekdays: list(weekdayNames),
    numbered: list(['1MO', '-1FR', '2TU', '5WE', '-5SU']),
    positions: list([1, 2, -1, -3]),
    weekStart: fc.constantFrom(...weekdayNames),
    start: fc.integer({ min: 10_000, max: 22_000 }),
  });
  fc.assert(
    fc.property(given, (input) => {
      const long = input.frequency === 'YEARLY' || input.frequency === 'MONTHLY';
      const weekdays = [...input.weekdays, ...(long ? input.numbered : [])];
      const monthDays = input.frequency === 'WEEKLY' ? [] : input.monthDays;
      const other = weekdays.length + monthDays.length + input.months.length > 0;
      const part = (name: string, values: readonly (string | number)[]) =>
        values.length > 0 ? `;${name}=${values.join(',')}` : '';
      const start = new Date(input.start * dayMs);
      const text = `DTSTART:${start.toISOString().slice(0, 19).replace(/[-:]/g, '')}
RRULE:FREQ=${input.frequency};INTERVAL=${input.interval};WKST=${input.weekStart}${part('BYMONTH', input.months)}${part('BYMONTHDAY', monthDays)}${part('BYDAY', weekdays)}${part('BYSETPOS', other ? input.positions : [])}${input.count === undefined ? '' : `;COUNT=${input.count}`}`;
      const parsed = parseRecurrence(text);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      const [rule] = parsed.rule.rules;
      if (rule === undefined) throw new Error('no rule');
      const days = 1500;
      const utc = findZone('UTC');
      if (utc === undefined) throw new Error('no zone UTC');
      const search = createSearch({
        sources: recurrenceSources(parsed.rule, utc, { gap: 'shift', fold: 'first' }),
        exclusions: undefined,
        startAt: undefined,
        endAt: undefined,
        jitterMs: 0,
        timeZoneVersion: '',
      });
      const found: number[] = [];
      for (
        let at = search.nextSecond(-1);
        at * 1000 < start.getTime() + days * dayMs;
        at = search.nextSecond(at)
      )
        found.push(at);
      expect(found).toEqual(naive(rule, start, days));
    }),
    { numRuns: 200 },
  );
});
