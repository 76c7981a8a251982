/**
 * BYHOUR, BYMINUTE and BYSECOND as limits, for rules whose period is shorter than a day. It knows not only whether a
 * period is allowed but also how far away the nearest allowed one is, so that a search jumps over nights and months.
 */
import { daySeconds } from '../calendar-day.ts';
import { allowsDay, limitsDays } from './day-filter.ts';
import type { Rule } from './recurrence.ts';

export interface ClockLimit {
  /** Earliest local second >= `second` that breaks no limit of its own day; may need asking again there. */
  ceiling(second: number): number;
  /** Latest local second <= `second` that breaks no limit; likewise. */
  floor(second: number): number;
}

interface Level {
  readonly unit: number;
  readonly radix: number;
  readonly allowed: ReadonlySet<number>;
}

/** Limits finer than the period expand it instead of limiting it, so they are left out here. */
export function clockLevels(rule: Rule): readonly Level[] {
  const levels: Level[] = [];
  const add = (unit: number, radix: number, values: readonly number[]) => {
    if (values.length > 0) levels.push({ unit, radix, allowed: new Set(values) });
  };
  add(3600, 24, rule.byHour);
  if (rule.frequency !== 'HOURLY') add(60, 60, rule.byMinute);
  if (rule.frequency === 'SECONDLY') add(1, 60, rule.bySecond);
  return levels;
}

export function clockLimit(rule: Rule): ClockLimit {
  const days = limitsDays(rule);
  const levels = clockLevels(rule);
  const breaks = (second: number): number => {
    if (days && !allowsDay(rule, Math.floor(second / daySeconds))) return daySeconds;
    for (const { unit, radix, allowed } of levels) {
      const value = Math.floor(second / unit) % radix;
      if (!allowed.has(value < 0 ? value + radix : value)) return unit;
    }
    return 0;
  };
  return {
    ceiling(second) {
      const unit = breaks(second);
      return unit === 0 ? second : (Math.floor(second / unit) + 1) * unit;
    },
    floor(second) {
      const unit = breaks(second);
      return unit === 0 ? second : Math.floor(second / unit) * unit - 1;
    },
  };
}

/**
 * Whether any period can be allowed at all. Starts of periods repeat their time of day modulo the common divisor of
 * their distance and a day: every hour at minute 0 never matches BYMINUTE=30, and a search must not try for ever.
 */
export function canMeetClock(rule: Rule, base: number, distance: number): boolean {
  const levels = clockLevels(rule);
  if (levels.length === 0) return true;
  const allowed = (unit: number, value: number) =>
    levels.every((level) => level.unit !== unit || level.allowed.has(value));
  const divisor = commonDivisor(distance, daySeconds);
  // At most once per minute of the day: within a minute, the remainder determines the possible seconds.
  for (let minute = 0; minute < 1440; minute += 1) {
    if (!allowed(3600, Math.floor(minute / 60)) || !allowed(60, minute % 60)) continue;
    const first = (((base - minute * 60) % divisor) + divisor) % divisor;
    for (let second = first; second < 60; second += divisor) if (allowed(1, second)) return true;
    // The remainder is the same in every minute: if this one fails, all do.
    if (60 % divisor === 0) return false;
  }
  return false;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
