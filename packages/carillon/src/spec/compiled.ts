/** The interface of a compiled spec. All searches are pure: the same arguments give the same answer. */
import { isServiceError, ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { Budget } from './budget.ts';

/** One time of a schedule: the nominal time of the spec, and the actual time after the jitter. */
export interface Occurrence {
  readonly nominal: Instant;
  readonly actual: Instant;
}

export interface SearchOptions {
  /** The seed of the jitter; Temporal uses `<namespaceId>-<scheduleId>`. Default empty. */
  readonly seed?: string;
  /** The budget of the search, possibly shared with other searches. Default: 2,000,000 units. */
  readonly budget?: Budget;
}

export type SearchResult =
  | { readonly kind: 'found'; readonly nominal: Instant; readonly actual: Instant }
  | { readonly kind: 'none' }
  /** The budget ended without an answer. There is no time up to `reached`; a search from there continues. */
  | { readonly kind: 'unfinished'; readonly reached: Instant };

export interface Window {
  /** Exclusive. */
  readonly from: Instant;
  /** Inclusive. */
  readonly to: Instant;
}

export interface Times {
  readonly times: readonly Occurrence[];
  /** Whether the window has more times than the limit, or than were found within the budget. */
  readonly truncated: boolean;
  /** Set when the budget ended at this nominal time: `times` is complete only up to it. */
  readonly gaveUpAt?: Instant;
}

/** A search that can be continued, answer by answer and budget by budget. */
export interface Walk {
  /** The next nominal time. After `unfinished`, a further call with a new budget continues. */
  next(budget: Budget): SearchResult;
}

/**
 * Nominal times are whole seconds between 1970 and 2100. Every search has a budget of work. A search that reaches its
 * end is never reported as "no more times": `search` returns `unfinished`, the short forms throw a `ServiceError`
 * with reason `SPEC_BUDGET_EXCEEDED`, and `between` sets `gaveUpAt`.
 */
export interface CompiledSpec {
  /** First nominal time strictly after `after`. */
  next(after: Instant, options?: SearchOptions): Occurrence | undefined;
  /** Last nominal time strictly before `before`. */
  previous(before: Instant, options?: SearchOptions): Occurrence | undefined;
  /** Nominal times in (from, to], at most `limit` of them. */
  between(window: Window, limit: number, options?: SearchOptions): Times;
  /** Whether the instant is a nominal time. */
  matches(at: Instant, budget?: Budget): boolean;
  /** `next` with the outcome as a value. */
  search(after: Instant, options?: SearchOptions): SearchResult;
  /** `previous` with the outcome as a value; there is no time from `reached` on. */
  searchBefore(before: Instant, options?: SearchOptions): SearchResult;
  /** Every nominal time after `after` and up to `last`, one by one. */
  walk(after: Instant, options?: { readonly seed?: string; readonly last?: Instant }): Walk;
  /** `next` on whole Unix seconds, without allocating: NaN when there is none. */
  nextSecond(afterSecond: number): number;
  /** Milliseconds of delay for a nominal time: below the spec's jitter and below the distance to the next raw time. */
  jitterOf(nominal: Instant, seed: string): number;
  /** Next time of the sources alone: exclusions, bounds and jitter left out. NaN when there is none. */
  nextRawSecond(afterSecond: number): number;
  /** IANA release its zones came from. */
  readonly timeZoneVersion: string;
}

export const budgetReason = 'SPEC_BUDGET_EXCEEDED';

export function budgetExceeded(reached: Instant): ServiceError {
  const place = Number.isFinite(reached) ? ` at ${formatInstant(reached)}` : '';
  return new ServiceError({
    code: 'invalidArgument',
    reason: budgetReason,
    message: `the search for the next time gave up${place}: the spec names times too rarely, or its exclusions leave (almost) nothing of it`,
  });
}

export function isBudgetExceeded(error: unknown): boolean {
  return isServiceError(error) && error.reason === budgetReason;
}
