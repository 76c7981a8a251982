/** What a compiled spec offers. All searches are pure: the same question has the same answer. */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';

/** One time of a schedule: when the spec says so, and when it is due after the jitter. */
export interface Occurrence {
  readonly nominal: Instant;
  readonly actual: Instant;
}

export interface SearchOptions {
  /** What the jitter is derived from; Temporal uses `<namespaceId>-<scheduleId>`. Default empty. */
  readonly seed?: string;
  /** Excluded candidates after which the result carries `warn`; 0 or less means the default of a day of seconds. */
  readonly warnAfter?: number;
  /** Excluded candidates after which the search gives up; 0 or less means never. Default two weeks of seconds. */
  readonly giveUpAfter?: number;
}

/** `warn`: so many candidates were excluded that the spec deserves a look. */
export type SearchResult =
  | { readonly kind: 'found'; readonly nominal: Instant; readonly actual: Instant; readonly warn: boolean }
  | { readonly kind: 'none'; readonly warn: boolean }
  /** Not an answer: nothing was found among `examined` candidates, but there are more after `reached`. */
  | {
      readonly kind: 'budgetExceeded';
      readonly examined: number;
      readonly reached: Instant;
      readonly warn: true;
    };

export interface Window {
  /** Exclusive. */
  readonly from: Instant;
  /** Inclusive. */
  readonly to: Instant;
}

export interface Times {
  readonly times: readonly Occurrence[];
  /** There are more times in the window than were asked for. */
  readonly truncated: boolean;
  /** Set when the search gave up at this nominal time: `times` is complete only up to it. */
  readonly gaveUpAt?: Instant;
}

/**
 * Nominal times are whole seconds between 1970 and 2100. A search that hits its budget (over-excluded spec) is
 * never mistaken for "no more times": `search` returns `budgetExceeded`, the short forms throw a `ServiceError`
 * with reason `SPEC_BUDGET_EXCEEDED`, and `between` sets `gaveUpAt`.
 */
export interface CompiledSpec {
  /** First nominal time strictly after `after`. */
  next(after: Instant, seed?: string): Occurrence | undefined;
  /** Last nominal time strictly before `before`. */
  previous(before: Instant, seed?: string): Occurrence | undefined;
  /** Nominal times in (from, to], at most `limit` of them. */
  between(window: Window, limit: number, seed?: string): Times;
  /** Whether the instant is a nominal time. */
  matches(at: Instant): boolean;
  /** `next` with its budget in the caller's hands and the outcome as a value. */
  search(after: Instant, options?: SearchOptions): SearchResult;
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

export function budgetExceeded(examined: number): ServiceError {
  return new ServiceError({
    code: 'invalidArgument',
    reason: budgetReason,
    message: `gave up after ${examined} excluded times; the exclusions leave (almost) nothing of the spec`,
  });
}
