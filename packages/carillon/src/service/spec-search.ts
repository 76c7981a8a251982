/**
 * Searches over time for a waiting caller. The work is done in slices with a turn of the event loop after each, so
 * that other requests, fires and heartbeats are served in between. It ends when the caller disconnects, or when the
 * whole answer costs more than its bound.
 */

import { isServiceError, ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import { nextTurn } from '../base/next-turn.ts';
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type {
  Budget,
  CompiledSpec,
  Occurrence,
  ScheduleSpec,
  SearchResult,
  Times,
  Window,
} from '../spec/index.ts';
import { budgetExceeded, budgetOf, budgetReason, compileSpec, isBudgetExceeded } from '../spec/index.ts';

/** Units of work in one turn: at most about ten milliseconds. */
export const unitsPerSlice = 20_000;
/** Units for one answer: about a second in all. */
export const unitsPerAnswer = 2_000_000;
/** Units for the check of a spec that is to be stored. */
export const unitsPerCheck = 200_000;
/** The exclusions that are compiled between two turns of the event loop: a few milliseconds. */
const compiledPerTurn = 50;
/** The times that the check searches from each of its starting points. */
const timesPerCheck = 10;

export interface SlicedOptions {
  /** The units for all searches of this work. Default 2,000,000. */
  readonly units?: number;
  /** Aborts the work between two slices. */
  readonly signal?: AbortSignal;
  /** Lets other work of the process run. */
  readonly turn?: () => Promise<void>;
}

/** A bound for all the searches of one answer, spent in slices. */
export class SlicedWork {
  readonly #turn: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;
  #budget: Budget;
  #rest: number;

  constructor({ units = unitsPerAnswer, signal, turn = nextTurn }: SlicedOptions = {}) {
    this.#turn = turn;
    this.#signal = signal;
    this.#rest = units;
    this.#budget = this.#slice();
  }

  /**
   * Repeats the search, slice by slice, until there is an answer; returns `unfinished` only when the bound is
   * reached.
   */
  async finish(search: (budget: Budget) => SearchResult): Promise<SearchResult> {
    for (;;) {
      const result = search(this.#budget);
      if (result.kind !== 'unfinished' || this.#rest <= 0) return result;
      await this.#next();
    }
  }

  /** Like `search`, for a function that throws when its budget ends. */
  async answer<T>(question: (budget: Budget) => T): Promise<T> {
    for (;;) {
      try {
        return question(this.#budget);
      } catch (error) {
        if (!isBudgetExceeded(error) || this.#rest <= 0) throw error;
        await this.#next();
      }
    }
  }

  /** Lets other work of the process run. */
  async yield(): Promise<void> {
    await this.#turn();
    this.#signal?.throwIfAborted();
  }

  async #next(): Promise<void> {
    await this.yield();
    this.#budget = this.#slice();
  }

  #slice(): Budget {
    const units = Math.min(unitsPerSlice, this.#rest);
    this.#rest -= units;
    return budgetOf(units);
  }
}

/** Nominal times in (from, to], at most `limit` of them. */
export async function timesBetween(
  compiled: CompiledSpec,
  { window, limit, seed }: { readonly window: Window; readonly limit: number; readonly seed: string },
  work: SlicedWork,
): Promise<Times> {
  const walk = compiled.walk(window.from, { seed, last: window.to });
  const times: Occurrence[] = [];
  for (;;) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind === 'unfinished') return { times, truncated: true, gaveUpAt: found.reached };
    if (found.kind === 'none') return { times, truncated: false };
    if (times.length >= limit) return { times, truncated: true };
    times.push({ nominal: found.nominal, actual: found.actual });
  }
}

/**
 * The next times after `after`. When the work is spent and no time was found, it throws an error that says how far
 * the search came.
 */
export async function timesAfter(
  compiled: CompiledSpec,
  { after, limit, seed }: { readonly after: Instant; readonly limit: number; readonly seed: string },
  work: SlicedWork,
): Promise<readonly Occurrence[]> {
  const walk = compiled.walk(after, { seed });
  const times: Occurrence[] = [];
  while (times.length < limit) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind === 'unfinished' && times.length === 0) throw budgetExceeded(found.reached);
    if (found.kind !== 'found') break;
    times.push({ nominal: found.nominal, actual: found.actual });
  }
  return times;
}

/**
 * Refuses a spec whose times cannot be found with reasonable work: the next ten from now, and the next ten from the
 * start of each exclusion, because an exclusion that starts tomorrow makes the search hard tomorrow.
 */
export async function checkSearchable(
  spec: ScheduleSpec,
  { seed, now }: { readonly seed: string; readonly now: Instant },
  options: SlicedOptions = {},
): Promise<void> {
  const compiled = compileSpec(spec, { seed });
  const work = new SlicedWork({ units: unitsPerCheck, ...options });
  let checkedTo = now;
  for (const from of [now, ...(await exclusionBegins(spec, { seed, now }, work))]) {
    if (from < checkedTo) continue;
    const walk = compiled.walk(addTime(from, -1), { seed });
    for (let count = 0; count < timesPerCheck; count += 1) {
      const found = await work.finish((budget) => walk.next(budget));
      if (found.kind === 'unfinished') throw unsearchable(spec, found.reached);
      if (found.kind === 'none') break;
      checkedTo = found.nominal;
    }
  }
}

/** The next start of each exclusion, in order. */
async function exclusionBegins(
  { exclude = {}, zone, zoneData }: ScheduleSpec,
  { seed, now }: { readonly seed: string; readonly now: Instant },
  work: SlicedWork,
): Promise<readonly Instant[]> {
  const { cron = [], calendars = [], structuredCalendars = [], dates = [] } = exclude;
  const place = {
    ...given({ zone, zoneData }),
    dst: { gap: 'skip', fold: 'both' },
  } as const;
  const alone: ScheduleSpec[] = [
    ...cron.map((entry) => ({ cron: [entry], ...place })),
    ...calendars.map((calendar) => ({ calendars: [calendar], ...place })),
    ...structuredCalendars.map((calendar) => ({ structuredCalendars: [calendar], ...place })),
    ...dates.map((date) => ({ calendars: [dayCalendar(date)], ...place })),
  ];
  const begins: Instant[] = [];
  for (const [index, each] of alone.entries()) {
    // No budget counts the work of compiling.
    if (index % compiledPerTurn === compiledPerTurn - 1) await work.yield();
    const walk = compileSpec(each, { seed }).walk(now);
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind === 'found') begins.push(found.nominal);
  }
  return begins.sort((a, b) => a - b);
}

function dayCalendar(date: string) {
  const [year, month, dayOfMonth] = date.split('-');
  return { year: year ?? '*', month: month ?? '*', dayOfMonth: dayOfMonth ?? '*' };
}

function unsearchable(spec: ScheduleSpec, reached: Instant): ServiceError {
  const isExcluded = spec.exclude !== undefined && Object.keys(spec.exclude).length > 0;
  const path = isExcluded ? 'exclude' : 'spec';
  return ServiceError.invalid([
    {
      path,
      reason: budgetReason,
      message: `the next times cannot be found with reasonable work: the search got no further than ${formatInstant(reached)}`,
      fix: isExcluded
        ? 'name the times that are wanted instead of excluding nearly all others'
        : 'use fewer or less rare rules, or split them into several schedules',
    },
  ]);
}

/** Whether a spec was refused because its times cannot be found. */
export function isUnsearchable(error: unknown): boolean {
  return isServiceError(error) && error.problems.some(({ reason }) => reason === budgetReason);
}
