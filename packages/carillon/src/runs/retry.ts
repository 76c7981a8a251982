/** When a failed attempt is followed by another. */

export interface RetryPolicy {
  /** Attempts in all, the first included; 0: no limit. */
  readonly attempts: number;
  /** Pause before the second attempt; each further one is `coefficient` times as long, up to `maxMs`. */
  readonly initialMs: number;
  readonly maxMs: number;
  readonly coefficient: number;
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

/** The pause after the given attempt. */
export function backoffMs(policy: RetryPolicy, attempt: number): number {
  const pause = policy.initialMs * policy.coefficient ** (Math.max(1, attempt) - 1);
  return Math.trunc(Math.min(pause, policy.maxMs));
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
