/**
 * The exclusions of a spec. An exclusion knows not only whether a second is excluded, but also how far the excluded
 * range around it reaches: a search passes whole excluded hours or days in one step instead of second by second.
 *
 * Exclusions compare the wall-clock time of the nominal time; clock changes do not move them.
 */
import type { Budget } from './budget.ts';
import { intervalSource } from './interval-source.ts';
import type { Calendar, Interval, Zone } from './model.ts';
import { none } from './model.ts';
import { compileWallClock } from './wall-clock.ts';

export interface Exclusion {
  /** The last second of the excluded range around this second; `none` when this second is not excluded. */
  lastBeside(second: number): number;
  /** The first second of that range. */
  firstBeside(second: number): number;
}

/** All exclusions of a spec combined. Each query of one exclusion costs a unit. */
export interface CombinedExclusions {
  /** The highest cost of one query. */
  readonly cost: number;
  lastBeside(second: number, budget: Budget): number;
  firstBeside(second: number, budget: Budget): number;
}

export function calendarExclusion(calendar: Calendar, zone: Zone): Exclusion {
  const clock = compileWallClock(calendar);
  const { grain } = clock;
  return {
    lastBeside: (second) => {
      const offset = zone.offsetAt(second);
      if (!clock.matches(second + offset)) return none;
      if (grain === 1) return second;
      const last = (Math.floor((second + offset) / grain) + 1) * grain - 1 - offset;
      return Math.min(last, zone.nextTransition(second) - 1);
    },
    firstBeside: (second) => {
      const offset = zone.offsetAt(second);
      if (!clock.matches(second + offset)) return none;
      if (grain === 1) return second;
      const first = Math.floor((second + offset) / grain) * grain - offset;
      return Math.max(first, zone.previousTransition(second));
    },
  };
}

export function intervalExclusion(interval: Interval): Exclusion {
  const source = intervalSource(interval);
  const beside = (second: number) => (source.matches(second, free) ? second : none);
  return { lastBeside: beside, firstBeside: beside };
}

/** The budget for intervals, which are computed by arithmetic and spend nothing. */
const free: Budget = { left: 0, reached: none };

/** Whole local days, by number. */
export function dayExclusion(numbers: readonly number[], zone: Zone): Exclusion {
  const days = new Set(numbers);
  const daySeconds = 86_400;
  return {
    lastBeside: (second) => {
      const offset = zone.offsetAt(second);
      const day = Math.floor((second + offset) / daySeconds);
      if (!days.has(day)) return none;
      return Math.min((day + 1) * daySeconds - 1 - offset, zone.nextTransition(second) - 1);
    },
    firstBeside: (second) => {
      const offset = zone.offsetAt(second);
      const day = Math.floor((second + offset) / daySeconds);
      if (!days.has(day)) return none;
      return Math.max(day * daySeconds - offset, zone.previousTransition(second));
    },
  };
}

/** Undefined when there are none. */
export function allExclusions(exclusions: readonly Exclusion[]): CombinedExclusions | undefined {
  if (exclusions.length === 0) return undefined;
  return {
    cost: exclusions.length,
    lastBeside: (second, budget) => {
      for (const exclusion of exclusions) {
        budget.left -= 1;
        const last = exclusion.lastBeside(second);
        if (last >= second) return last;
      }
      return none;
    },
    firstBeside: (second, budget) => {
      for (const exclusion of exclusions) {
        budget.left -= 1;
        const first = exclusion.firstBeside(second);
        if (first <= second) return first;
      }
      return none;
    },
  };
}
