/** When a failed attempt is followed by another. */
import { fractionOf } from '../base/random.ts';

/** How a failed attempt is repeated. */
export interface RetryPolicy {
  /** Attempts in all, the first included; 0: no limit. */
  readonly attempts: number;
  /** Pause before the second attempt; each further one is `coefficient` times as long, up to `maxMs`. */
  readonly initialMs: number;
  /** The longest pause between two attempts, in milliseconds. */
  readonly maxMs: number;
  /** The factor by which each pause is longer than the one before. */
  readonly coefficient: number;
  /** The pauses one by one, instead of the three above; the last one repeats. */
  readonly delaysMs?: readonly number[];
  /** The part of its length by which a pause may be shortened at random: 0 (default) never, 1 to any length. */
  readonly jitter?: number;
  /** Types of failures after which no attempt follows; absent: none. */
  readonly nonRetryableTypes?: readonly string[];
}

/** A failed run stays failed unless its policy says otherwise: its schedule starts the next one. */
export const defaultRetry: RetryPolicy = { attempts: 1, initialMs: 1000, maxMs: 60_000, coefficient: 2 };

/**
 * Attempts beyond the policy that a run may lose to crashed workers. A crash says nothing about the work, so the run
 * is repeated elsewhere; but work that kills its worker every time must not do so for ever.
 */
export const defaultTakeovers = 3;

/** The pause of the given run after the given attempt. Equal questions have equal answers, because decisions are repeated. */
export function backoffMs(policy: RetryPolicy, attempt: number, runId: string): number {
  const { delaysMs = [], jitter = 0 } = policy;
  const place = Math.max(1, attempt);
  const pause =
    delaysMs[Math.min(place, delaysMs.length) - 1] ??
    Math.min(policy.initialMs * policy.coefficient ** (place - 1), policy.maxMs);
  return Math.trunc(jitter === 0 ? pause : pause * (1 - jitter * fractionOf(`${runId}:${place}`)));
}

/** Whether another attempt cannot help. */
export function isFinal(
  { nonRetryableTypes = [] }: Partial<RetryPolicy>,
  { nonRetryable, type = '' }: { readonly nonRetryable?: boolean; readonly type?: string },
): boolean {
  return nonRetryable === true || nonRetryableTypes.includes(type);
}

export function mayTryAgain(limit: number, attempt: number): boolean {
  return limit === 0 || attempt < limit;
}
