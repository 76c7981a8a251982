/**
 * Which of the slots that are too late still run.
 *
 * The window says how late a slot may be noticed and still run; the policy says which of several run. An era overrides
 * both for the slots up to its end: those of a pause get the verdict `paused`, or, when the person who resumed asked for
 * it, still run.
 */
import type { Instant } from '../base/time.ts';
import { second } from '../base/time.ts';

export const missedPolicies = [
  /** Every missed slot runs. */
  'all',
  /** The newest slot runs; those before it are coalesced into it. */
  'latest',
  /** The oldest slot runs, with its own nominal time; those after it are coalesced into it. */
  'oldest',
  /** No missed slot runs. */
  'skip',
] as const;
/** Which of the missed slots (the process was down, or late) still run, inside the catch-up window. */
export type MissedPolicy = (typeof missedPolicies)[number];

export interface Era {
  readonly until: Instant;
  readonly rule: 'paused' | Exclude<MissedPolicy, 'skip'>;
  readonly by: string;
  readonly note: string;
  readonly since: Instant;
}

export function eraOf(eras: readonly Era[], actual: Instant): Era | undefined {
  for (const era of eras) if (actual > era.since && actual <= era.until) return era;
  return undefined;
}

/** A start this much after its time is called late, and `skip` does not run it. */
export const lateAfter = 10 * second;

/** A slot handled within this time of its due time is on time, however short the window is: every step takes a moment. */
export const onTime = second;

export interface Lateness {
  readonly lateByMs: number;
  /** The catch-up window, at least `onTime`. */
  readonly windowMs: number;
  readonly missed: MissedPolicy;
}

/** Whether a due slot is too late to run at all. With `skip`, every slot that is not on time is. */
export function isTooLate({ lateByMs, windowMs, missed }: Lateness): boolean {
  return lateByMs > windowMs || (missed === 'skip' && lateByMs > lateAfter);
}
