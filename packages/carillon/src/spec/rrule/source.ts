/**
 * A recurrence bound to a zone: the union of its rules and single dates, without its exceptions.
 *
 * Decisions where RFC 5545 is silent or leaves a choice:
 *  - DTSTART anchors the rules and is a time of its own only when there is no RRULE.
 *  - COUNT counts on the wall clock: a time the gap rule drops still uses one, a repeated one is counted once.
 *  - An exception on the wall clock goes through the same DST rule as the times it removes.
 */

import { daySeconds } from '../calendar-day.ts';
import { none, type Source, type Zone } from '../model.ts';
import { listedTimes, ruleTimes } from './local-times.ts';
import type { Moment, Recurrence } from './recurrence.ts';
import { type ResolvedDst, zonedTimes } from './zoned-times.ts';

/** Times one search may find excluded before it gives up. Every step leaves out a second, most a whole day. */
const exceptionBudget = 200_000;

export function recurrenceSource(rule: Recurrence, zone: Zone, dst: ResolvedDst): Source {
  const sources = unionMembers(rule, zone, dst);
  const exceptions = makeExceptions(rule.exceptDates, zone, dst);

  const next = (afterSecond: number): number => {
    let after = afterSecond;
    for (let step = 0; step < exceptionBudget; step += 1) {
      let found = none;
      for (const source of sources) {
        const candidate = source.next(after);
        if (Number.isNaN(found) || candidate < found) found = candidate;
      }
      if (Number.isNaN(found) || !exceptions.holds(found)) return found;
      after = exceptions.lastBeside(found);
    }
    return none;
  };

  const previous = (beforeSecond: number): number => {
    let before = beforeSecond;
    for (let step = 0; step < exceptionBudget; step += 1) {
      let found = none;
      for (const source of sources) {
        const candidate = source.previous(before);
        if (Number.isNaN(found) || candidate > found) found = candidate;
      }
      if (Number.isNaN(found) || !exceptions.holds(found)) return found;
      before = exceptions.firstBeside(found);
    }
    return none;
  };

  return { next, previous, matches: (second) => next(second - 1) === second };
}

function unionMembers(rule: Recurrence, zone: Zone, dst: ResolvedDst): readonly Source[] {
  const anchor = rule.start ?? 0;
  const sources = rule.rules.map((one) => {
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
  if (instants.length > 0) {
    const times = listedTimes(instants);
    sources.push({ ...times, matches: (second) => instants.includes(second) });
  }
  return sources;
}

interface Exceptions {
  holds(second: number): boolean;
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
    holds: (second) => instants.has(second) || days.has(dayOf(second)) || (zoned?.matches(second) ?? false),
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
