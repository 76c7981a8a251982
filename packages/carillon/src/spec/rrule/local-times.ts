/**
 * Strictly increasing sets of wall-clock seconds: the expansion of one rule, or a plain list. No zone yet.
 * `next` and `previous` are strict and return `none` at the end of the set, of the calendar we know, or of the budget.
 */

import { dayNumber, daySeconds } from '../calendar-day.ts';
import { none } from '../model.ts';
import { type Period, periodNext, periodPrevious } from './period.ts';
import { type PeriodAxis, periodAxis } from './period-axis.ts';
import type { Rule } from './recurrence.ts';

export interface LocalTimes {
  next(after: number): number;
  previous(before: number): number;
}

/** One day beyond 1970–2100 on either side, since a local time may lie in a neighbouring year of its instant. */
const firstLocal = dayNumber(1969, 12, 31) * daySeconds;
const lastLocal = dayNumber(2101, 1, 2) * daySeconds - 1;

/**
 * Periods one search may visit. The longest honest search (a leap-day rule of seconds over 131 years) visits about
 * 50,000; a rule that needs more meets its limits so rarely that it counts as having no further time.
 */
const stepBudget = 150_000;

export function listedTimes(seconds: readonly number[]): LocalTimes {
  const sorted = [...new Set(seconds)].sort((a, b) => a - b);
  return {
    next: (after) => sorted.find((second) => second > after) ?? none,
    previous: (before) => sorted.findLast((second) => second < before) ?? none,
  };
}

/** Times of a rule on the wall clock. An UNTIL in UTC is not applied here: it needs the zone. */
export function ruleTimes(rule: Rule, anchor: number): LocalTimes {
  const open = new OpenTimes(periodAxis(rule, anchor), anchor, lastSecond(rule));
  return rule.count === undefined ? open : new CountedTimes(open, anchor, rule.count);
}

function lastSecond(rule: Rule): number {
  const until = rule.until;
  if (until === undefined || until.kind === 'utc') return lastLocal;
  return Math.min(lastLocal, until.kind === 'date' ? until.day * daySeconds + daySeconds - 1 : until.second);
}

/** A rule without COUNT: any place is reached directly. */
class OpenTimes implements LocalTimes {
  readonly #axis: PeriodAxis;
  readonly #first: number;
  readonly #last: number;
  /** Stepping visits one period many times; the last one expanded is kept. */
  #kept: { readonly index: number; readonly period: Period } | undefined;

  constructor(axis: PeriodAxis, first: number, last: number) {
    this.#axis = axis;
    this.#first = first;
    this.#last = last;
  }

  next(after: number): number {
    const axis = this.#axis;
    if (!axis.possible) return none;
    const from = Math.max(after, this.#first - 1);
    let index = Math.max(0, axis.indexAt(from));
    for (let step = 0; step < stepBudget && axis.beginOf(index) <= this.#last; step += 1) {
      const found = periodNext(this.#expand(index), from);
      if (!Number.isNaN(found)) return found <= this.#last ? found : none;
      index = axis.step(index, 1);
    }
    return none;
  }

  previous(before: number): number {
    const axis = this.#axis;
    if (!axis.possible) return none;
    const from = Math.min(before, this.#last + 1);
    // Nothing before 1970 is ever asked for, and DTSTART may lie further back.
    const first = Math.max(this.#first, firstLocal);
    let index = axis.indexAt(from - 1);
    for (let step = 0; step < stepBudget && index >= 0; step += 1) {
      const found = periodPrevious(this.#expand(index), from);
      if (!Number.isNaN(found)) return found >= first ? found : none;
      if (axis.beginOf(index) < first) return none;
      index = axis.step(index, -1);
    }
    return none;
  }

  #expand(index: number): Period {
    if (this.#kept?.index === index) return this.#kept.period;
    const period = this.#axis.expand(index);
    this.#kept = { index, period };
    return period;
  }
}

/** COUNT can only be answered by counting from the anchor: done once, as far as asked, and kept. */
class CountedTimes implements LocalTimes {
  readonly #open: OpenTimes;
  readonly #count: number;
  readonly #known: number[] = [];
  readonly #anchor: number;
  #complete = false;

  constructor(open: OpenTimes, anchor: number, count: number) {
    this.#open = open;
    this.#count = count;
    this.#anchor = anchor;
  }

  next(after: number): number {
    this.#extendPast(after);
    return this.#known[this.#countUpTo(after)] ?? none;
  }

  previous(before: number): number {
    this.#extendPast(before);
    return this.#known[this.#countUpTo(before - 1) - 1] ?? none;
  }

  #extendPast(second: number): void {
    while (!this.#complete && (this.#known.at(-1) ?? Number.NEGATIVE_INFINITY) <= second) {
      const found = this.#open.next(this.#known.at(-1) ?? this.#anchor - 1);
      if (Number.isNaN(found)) this.#complete = true;
      else {
        this.#known.push(found);
        this.#complete = this.#known.length >= this.#count;
      }
    }
  }

  #countUpTo(second: number): number {
    let low = 0;
    let high = this.#known.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#known[middle] ?? 0) <= second) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
