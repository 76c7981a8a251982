/**
 * Strictly increasing sets of wall-clock seconds: the expansion of one rule, or a plain list. No zone yet. `next` and
 * `previous` are strict and return `none` at the end of the set or of the supported calendar, and `unfinished` when
 * the budget ends. Every period is paid for before it is expanded.
 */

import { type Budget, unfinished } from '../budget.ts';
import { dayNumber, daySeconds } from '../calendar-day.ts';
import { none } from '../model.ts';
import { type Period, periodHolds, periodNext, periodPrevious } from './period.ts';
import { type PeriodAxis, periodAxis } from './period-axis.ts';
import type { Rule } from './recurrence.ts';

export interface LocalTimes {
  next(after: number, budget: Budget): number;
  previous(before: number, budget: Budget): number;
  /**
   * Whether the second is in the set. When the budget is below zero afterwards, the result is false and means
   * unknown.
   */
  matches(second: number, budget: Budget): boolean;
}

/** One day beyond 1970–2100 on either side, since a local time may lie in a neighbouring year of its instant. */
const firstLocal = dayNumber(1969, 12, 31) * daySeconds;
const lastLocal = dayNumber(2101, 1, 2) * daySeconds - 1;

export function listedTimes(seconds: readonly number[]): LocalTimes {
  const sorted = [...new Set(seconds)].sort((a, b) => a - b);
  /** The number of entries that are at most `second`, by binary search. */
  const countUpTo = (second: number): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as number) <= second) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    next: (after) => sorted[countUpTo(after)] ?? none,
    previous: (before) => sorted[countUpTo(before - 1) - 1] ?? none,
    matches: (second) => sorted[countUpTo(second) - 1] === second,
  };
}

/** Times of a rule on the wall clock. An UNTIL in UTC is not applied here: it needs the zone. */
export function ruleTimes(rule: Rule, anchor: number): LocalTimes {
  const open = () => new OpenTimes(periodAxis(rule, anchor), anchor, lastSecond(rule));
  return rule.count === undefined ? open() : new CountedTimes(open(), open(), anchor, rule.count);
}

function lastSecond(rule: Rule): number {
  const until = rule.until;
  if (until === undefined || until.kind === 'utc') return lastLocal;
  return Math.min(lastLocal, until.kind === 'date' ? until.day * daySeconds + daySeconds - 1 : until.second);
}

/** A range of local time that was searched and is empty, both ends excluded. */
interface Empty {
  readonly after: number;
  readonly before: number;
}

const nowhere: Empty = { after: Number.NaN, before: Number.NaN };

/**
 * A rule without COUNT: any period is reached directly. For each direction it remembers one range that was searched
 * and is empty, so that a rule which (almost) never matches is searched once and not once per query: a zone queries
 * again for every clock change, and a slice of work continues where the last one ended.
 */
class OpenTimes implements LocalTimes {
  readonly #axis: PeriodAxis;
  readonly #first: number;
  readonly #last: number;
  /** Stepping visits one period many times; the last one expanded is kept. */
  #kept: { readonly index: number; readonly period: Period } | undefined;
  #ahead = nowhere;
  #behind = nowhere;

  constructor(axis: PeriodAxis, first: number, last: number) {
    this.#axis = axis;
    this.#first = first;
    this.#last = last;
  }

  next(after: number, budget: Budget): number {
    const axis = this.#axis;
    if (!axis.possible) return none;
    const empty = this.#ahead;
    const from = Math.max(after, this.#first - 1);
    const isInside = from >= empty.after && from < empty.before;
    const emptyFrom = isInside ? empty.after : from;
    let begin = isInside ? empty.before - 1 : from;
    // A search that reaches the known empty range skips it.
    const shortcut = from < empty.after ? empty.after : Number.POSITIVE_INFINITY;
    let index = begin < this.#last ? Math.max(0, axis.indexAt(begin)) : 0;
    while (begin < this.#last) {
      const start = axis.beginOf(index);
      if (start > this.#last) break;
      if (start > shortcut && begin < empty.before - 1) {
        begin = empty.before - 1;
        if (begin < this.#last) index = Math.max(index, axis.indexAt(begin));
        continue;
      }
      if (!this.#pay(index, budget)) {
        budget.reached = Math.max(begin, start - 1);
        this.#ahead = { after: emptyFrom, before: budget.reached + 1 };
        return unfinished;
      }
      const found = periodNext(this.#expand(index), begin);
      if (!Number.isNaN(found)) {
        this.#ahead = { after: emptyFrom, before: found };
        return found <= this.#last ? found : none;
      }
      index = axis.step(index, 1);
    }
    this.#ahead = { after: emptyFrom, before: Number.POSITIVE_INFINITY };
    return none;
  }

  previous(before: number, budget: Budget): number {
    const axis = this.#axis;
    if (!axis.possible) return none;
    const empty = this.#behind;
    const from = Math.min(before, this.#last + 1);
    // No query is before 1970, although DTSTART may be earlier.
    const first = Math.max(this.#first, firstLocal);
    const isInside = from > empty.after && from <= empty.before;
    const emptyTo = isInside ? empty.before : from;
    let end = isInside ? empty.after + 1 : from;
    const shortcut = from > empty.before ? empty.before : Number.NEGATIVE_INFINITY;
    let index = end > first ? axis.indexAt(end - 1) : -1;
    while (index >= 0 && end > first) {
      // The periods up to this one have been searched.
      const rest = Math.min(end, axis.beginOf(index + 1));
      if (rest < shortcut && end > empty.after + 1) {
        end = empty.after + 1;
        if (end > first) index = Math.min(index, axis.indexAt(end - 1));
        continue;
      }
      if (!this.#pay(index, budget)) {
        budget.reached = rest;
        this.#behind = { after: rest - 1, before: emptyTo };
        return unfinished;
      }
      const found = periodPrevious(this.#expand(index), end);
      if (!Number.isNaN(found)) {
        if (found < first) break;
        this.#behind = { after: found, before: emptyTo };
        return found;
      }
      if (axis.beginOf(index) < first) break;
      index = axis.step(index, -1);
    }
    this.#behind = { after: first - 1, before: emptyTo };
    return none;
  }

  matches(second: number, budget: Budget): boolean {
    const axis = this.#axis;
    if (!axis.possible || second < this.#first || second > this.#last) return false;
    const index = axis.indexAt(second);
    if (!this.#pay(index, budget)) {
      budget.left = -1;
      return false;
    }
    return periodHolds(this.#expand(index), second);
  }

  /** Takes the cost of the period from the budget. Returns false when not enough is left. */
  #pay(index: number, budget: Budget): boolean {
    if (this.#kept?.index === index) return true;
    const { cost } = this.#axis;
    if (budget.left < cost) return false;
    budget.left -= cost;
    return true;
  }

  #expand(index: number): Period {
    if (this.#kept?.index === index) return this.#kept.period;
    const period = this.#axis.expand(index);
    this.#kept = { index, period };
    return period;
  }
}

/**
 * COUNT needs counting from the anchor, which is done once and only as far as needed. The last counted time is kept;
 * up to it the rule behaves like one without COUNT.
 */
class CountedTimes implements LocalTimes {
  readonly #open: OpenTimes;
  readonly #counter: OpenTimes;
  /** The number of times that are not counted yet. */
  #uncounted: number;
  /** The last time counted; every time up to it belongs to the rule. */
  #last: number;

  constructor(open: OpenTimes, counter: OpenTimes, anchor: number, count: number) {
    this.#open = open;
    this.#counter = counter;
    this.#uncounted = count;
    this.#last = anchor - 1;
  }

  next(after: number, budget: Budget): number {
    if (!this.#countPast(after, budget)) {
      budget.reached = after;
      return unfinished;
    }
    const found = this.#open.next(after, budget);
    if (found === unfinished || this.#uncounted > 0) return found;
    return found <= this.#last ? found : none;
  }

  previous(before: number, budget: Budget): number {
    if (!this.#countPast(before, budget)) {
      budget.reached = before;
      return unfinished;
    }
    return this.#open.previous(this.#uncounted > 0 ? before : Math.min(before, this.#last + 1), budget);
  }

  matches(second: number, budget: Budget): boolean {
    if (!this.#countPast(second, budget)) {
      budget.left = -1;
      return false;
    }
    return (this.#uncounted > 0 || second <= this.#last) && this.#open.matches(second, budget);
  }

  /** Counts until all times are counted or one is after `second`. Returns false when the budget ended first. */
  #countPast(second: number, budget: Budget): boolean {
    while (this.#uncounted > 0 && this.#last <= second) {
      if (budget.left < 1) return false;
      budget.left -= 1;
      const found = this.#counter.next(this.#last, budget);
      if (found === unfinished) return false;
      if (Number.isNaN(found)) this.#uncounted = 0;
      else {
        this.#last = found;
        this.#uncounted -= 1;
      }
    }
    return true;
  }
}
