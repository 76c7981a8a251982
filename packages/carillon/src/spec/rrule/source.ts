/**
 * A recurrence bound to a zone: the union of its rules and single dates, without its exceptions.
 *
 * Decisions where RFC 5545 is silent or leaves a choice:
 *  - DTSTART anchors the rules and is an occurrence only when there is no RRULE.
 *  - COUNT counts on the wall clock: a time the gap rule drops still uses one, a repeated one is counted once.
 *  - An exception on the wall clock goes through the same DST rule as the times it removes.
 */

import { type Budget, unfinished } from '../budget.ts';
import { daySeconds } from '../calendar-day.ts';
import type { Source, Zone } from '../model.ts';
import { type LocalTimes, listedTimes, ruleTimes } from './local-times.ts';
import type { Moment, Recurrence } from './recurrence.ts';
import { type ResolvedDst, zonedTimes } from './zoned-times.ts';

/** Each rule and list of the recurrence, less its exceptions. Their union is the recurrence. */
export function recurrenceSources(rule: Recurrence, zone: Zone, dst: ResolvedDst): readonly Source[] {
  const members = unionMembers(rule, zone, dst);
  if (rule.exceptDates.length === 0) return members;
  const exceptions = makeExceptions(rule.exceptDates, zone, dst);
  return members.map((member) => without(member, exceptions));
}

function without(source: Source, exceptions: Exceptions): Source {
  /** Whether the time is excepted; undefined when the budget ended. */
  const isExcepted = (second: number, budget: Budget): boolean | undefined => {
    if (budget.left < 1) return undefined;
    budget.left -= 1;
    const held = exceptions.holds(second, budget);
    if (budget.left >= 0) return held;
    budget.left = 0;
    return undefined;
  };
  return {
    next: (after, budget) => {
      for (let from = after; ; ) {
        const found = source.next(from, budget);
        if (Number.isNaN(found) || found === unfinished) return found;
        const excepted = isExcepted(found, budget);
        if (excepted === false) return found;
        if (excepted === undefined) {
          budget.reached = found - 1;
          return unfinished;
        }
        from = exceptions.lastBeside(found);
      }
    },
    previous: (before, budget) => {
      for (let from = before; ; ) {
        const found = source.previous(from, budget);
        if (Number.isNaN(found) || found === unfinished) return found;
        const excepted = isExcepted(found, budget);
        if (excepted === false) return found;
        if (excepted === undefined) {
          budget.reached = found + 1;
          return unfinished;
        }
        from = exceptions.firstBeside(found);
      }
    },
    matches: (second, budget) => source.matches(second, budget) && !exceptions.holds(second, budget),
  };
}

function unionMembers(rule: Recurrence, zone: Zone, dst: ResolvedDst): readonly Source[] {
  const anchor = rule.start ?? 0;
  const sources: Source[] = rule.rules.map((one) => {
    const last = one.until?.kind === 'utc' ? one.until.second : undefined;
    return zonedTimes(ruleTimes(one, anchor), zone, dst, last);
  });
  const timeOfDay = anchor - Math.floor(anchor / daySeconds) * daySeconds;
  const local = rule.dates.flatMap((date) => {
    if (date.kind === 'utc') return [];
    return [date.kind === 'local' ? date.second : date.day * daySeconds + timeOfDay];
  });
  if (rule.rules.length === 0 && rule.start !== undefined) local.push(rule.start);
  if (local.length > 0) sources.push(zonedTimes(listedTimes(local), zone, dst));
  const instants = utcSeconds(rule.dates).filter((second) => second >= 0);
  // Instants need no zone: a list of them is a source as it is.
  if (instants.length > 0) sources.push(listedTimes(instants) satisfies LocalTimes);
  return sources;
}

interface Exceptions {
  holds(second: number, budget: Budget): boolean;
  /** Last and first instant next to an excluded one that are certainly excluded with it. */
  lastBeside(second: number): number;
  firstBeside(second: number): number;
}

function makeExceptions(dates: readonly Moment[], zone: Zone, dst: ResolvedDst): Exceptions {
  const instants = new Set(utcSeconds(dates));
  const days = new Set(dates.flatMap((date) => (date.kind === 'date' ? [date.day] : [])));
  const local = dates.flatMap((date) => (date.kind === 'local' ? [date.second] : []));
  const zoned = local.length > 0 ? zonedTimes(listedTimes(local), zone, dst) : undefined;
  const dayOf = (second: number) => Math.floor((second + zone.offsetAt(second)) / daySeconds);
  return {
    holds: (second, budget) =>
      instants.has(second) || days.has(dayOf(second)) || (zoned?.matches(second, budget) ?? false),
    lastBeside: (second) => {
      if (!days.has(dayOf(second))) return second;
      const dayEnd = (dayOf(second) + 1) * daySeconds - zone.offsetAt(second);
      return Math.min(dayEnd, zone.nextTransition(second)) - 1;
    },
    firstBeside: (second) => {
      if (!days.has(dayOf(second))) return second;
      const dayBegin = dayOf(second) * daySeconds - zone.offsetAt(second);
      return Math.max(dayBegin, zone.previousTransition(second));
    },
  };
}

function utcSeconds(dates: readonly Moment[]): readonly number[] {
  return dates.flatMap((date) => (date.kind === 'utc' ? [date.second] : []));
}
