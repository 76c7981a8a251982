/**
 * The periods of a rule, numbered from the one that holds the anchor. Any period is reached by arithmetic from its
 * number, so a search far from DTSTART begins where it is needed.
 */
import { civilDay, dayNumber, daySeconds, monthLength, weekBegin, yearLength } from '../calendar-day.ts';
import { canMeetClock, clockLimit } from './clock-limit.ts';
import { allowsDay, fillDays } from './day-filter.ts';
import { makePeriod, type Offsets, offsetTotal, type Period } from './period.ts';
import type { Rule } from './recurrence.ts';

export interface PeriodAxis {
  /** Number of the last period that begins at or before this local second; may be negative. */
  indexAt(second: number): number;
  beginOf(index: number): number;
  expand(index: number): Period;
  /** The next period after (or before, for −1) `index` worth expanding. */
  step(index: number, direction: 1 | -1): number;
  /** False when no period can ever hold a time. */
  readonly possible: boolean;
  /** Units of work to expand one period. */
  readonly cost: number;
}

/** Days of a plain rule that are tested in the time of one unit, and values of a long list that are compared in it. */
const daysPerUnit = 16;
const valuesPerUnit = 8;

/** Units of work to expand a period of this many days: a rule with long lists compares each day with all of them. */
function costOf(rule: Rule, days: number): number {
  const { byMonth, byMonthDay, byYearDay, byWeekNumber, byDay, bySetPosition } = rule;
  const values = byMonth.length + byMonthDay.length + byYearDay.length + byWeekNumber.length + byDay.length;
  const each = Math.max(1, values / valuesPerUnit);
  return Math.ceil((days * each) / daysPerUnit + bySetPosition.length / valuesPerUnit);
}

const daysOf = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7, DAILY: 1 } as const;

function hasPosition(positions: readonly number[], size: number): boolean {
  return positions.length === 0 || positions.some((position) => Math.abs(position) <= size);
}

export function periodAxis(rule: Rule, anchor: number): PeriodAxis {
  switch (rule.frequency) {
    case 'SECONDLY':
      return clockAxis(rule, anchor, 1);
    case 'MINUTELY':
      return clockAxis(rule, anchor, 60);
    case 'HOURLY':
      return clockAxis(rule, anchor, 3600);
    default:
      return dayAxis(rule, rule.frequency, anchor);
  }
}

function clockAxis(rule: Rule, anchor: number, unit: number): PeriodAxis {
  const base = Math.floor(anchor / unit) * unit;
  const distance = rule.interval * unit;
  const limit = clockLimit(rule);
  const offsets = clockOffsets(rule, anchor, unit);
  const empty = makePeriod([], offsets, []);
  const beginOf = (index: number) => base + index * distance;
  return {
    // Each period holds as many times as it has offsets; a position beyond that names none of them.
    possible: canMeetClock(rule, base, distance) && hasPosition(rule.bySetPosition, offsetTotal(offsets)),
    // A period is tested when it is expanded and when it is stepped over.
    cost: costOf(rule, 2),
    indexAt: (second) => Math.floor((second - base) / distance),
    beginOf,
    expand: (index) => {
      const begin = beginOf(index);
      return limit.ceiling(begin) === begin ? makePeriod([begin], offsets, rule.bySetPosition) : empty;
    },
    step: (index, direction) => {
      const next = beginOf(index + direction);
      return direction === 1
        ? Math.ceil((limit.ceiling(next) - base) / distance)
        : Math.floor((limit.floor(next) - base) / distance);
    },
  };
}

interface DaySpan {
  readonly first: number;
  readonly length: number;
}

function dayAxis(rule: Rule, frequency: keyof typeof daysOf, anchor: number): PeriodAxis {
  const anchorDay = Math.floor(anchor / daySeconds);
  const filled = fillDays(rule, anchorDay);
  const offsets = clockOffsets(rule, anchor, daySeconds);
  const { indexOfDay, span } = dayArithmetic(rule, anchorDay);
  return {
    possible: true,
    cost: costOf(filled, daysOf[frequency]),
    indexAt: (second) => indexOfDay(Math.floor(second / daySeconds)),
    beginOf: (index) => span(index).first * daySeconds,
    expand: (index) => {
      const { first, length } = span(index);
      const bases: number[] = [];
      for (let day = first; day < first + length; day += 1) {
        if (allowsDay(filled, day)) bases.push(day * daySeconds);
      }
      return makePeriod(bases, offsets, rule.bySetPosition);
    },
    step: (index, direction) => index + direction,
  };
}

function dayArithmetic(
  rule: Rule,
  anchorDay: number,
): { indexOfDay(day: number): number; span(index: number): DaySpan } {
  const { interval } = rule;
  const { year, month } = civilDay(anchorDay);
  switch (rule.frequency) {
    case 'YEARLY':
      return {
        indexOfDay: (day) => Math.floor((civilDay(day).year - year) / interval),
        span: (index) => {
          const at = year + index * interval;
          return { first: dayNumber(at, 1, 1), length: yearLength(at) };
        },
      };
    case 'MONTHLY':
      return {
        indexOfDay: (day) => {
          const date = civilDay(day);
          return Math.floor(((date.year - year) * 12 + date.month - month) / interval);
        },
        span: (index) => {
          const months = year * 12 + month - 1 + index * interval;
          const at = Math.floor(months / 12);
          const monthAt = months - at * 12 + 1;
          return { first: dayNumber(at, monthAt, 1), length: monthLength(at, monthAt) };
        },
      };
    default: {
      const length = rule.frequency === 'WEEKLY' ? 7 : 1;
      const first = rule.frequency === 'WEEKLY' ? weekBegin(anchorDay, rule.weekStart) : anchorDay;
      return {
        indexOfDay: (day) => Math.floor((day - first) / (length * interval)),
        span: (index) => ({ first: first + index * length * interval, length }),
      };
    }
  }
}

/** Times within a period of `unit` seconds (or within each of its days), open parts taken from the anchor. */
function clockOffsets(rule: Rule, anchor: number, unit: number): Offsets {
  const ofDay = anchor - Math.floor(anchor / daySeconds) * daySeconds;
  const values = (given: readonly number[], scale: number, radix: number): readonly number[] => {
    if (unit <= scale) return [0];
    return given.length > 0 ? given : [Math.floor(ofDay / scale) % radix];
  };
  return {
    hours: values(rule.byHour, 3600, 24),
    minutes: values(rule.byMinute, 60, 60),
    seconds: values(rule.bySecond, 1, 60),
  };
}
