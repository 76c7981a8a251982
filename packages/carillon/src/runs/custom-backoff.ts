/**
 * A handler's own rule for the pause after a failed attempt. It is asked in the process that ran the attempt, and its answer travels
 * with the report as plain data: what decides about the run stays a pure function of the row and the report.
 */
import { parseDuration } from '../base/duration.ts';
import type { Failure } from './failure.ts';

export interface FailedAttempt {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** What the handler threw. */
  readonly error: unknown;
  readonly failure: Failure;
}

/**
 * The pause before the next attempt: a duration such as `'30s'`, or milliseconds. `null`: no other attempt; `undefined`: as the retry
 * policy says. The number of attempts is that of the policy.
 */
export type BackoffFunction = (failed: FailedAttempt) => number | string | null | undefined;

/** The failure with the pause that the rule says. Throws what the rule throws. */
export function withBackoff(backoff: BackoffFunction, failed: FailedAttempt): Failure {
  const { failure } = failed;
  const pause = backoff(failed);
  if (pause === undefined) return failure;
  return pause === null ? { ...failure, nonRetryable: true } : { ...failure, retryInMs: lengthOf(pause) };
}

function lengthOf(pause: number | string): number {
  const ms = typeof pause === 'string' ? parseDuration(pause) : pause;
  if (ms !== undefined && Number.isFinite(ms) && ms >= 0) return ms;
  throw new TypeError(
    `${JSON.stringify(pause)} is not a pause; return '30s', milliseconds, null or undefined`,
  );
}
