/** How late is too late. */
import type { MissedPolicy } from '../definition.ts';
import { lateAfter } from '../definition.ts';

/** A window is never shorter than what counts as on time, so that ordinary delay loses nothing. */
export function effectiveWindow(catchupWindowMs: number): number {
  return Math.max(catchupWindowMs, lateAfter);
}

export interface Lateness {
  readonly lateByMs: number;
  readonly windowMs: number;
  readonly missed: MissedPolicy;
}

/** Whether a due slot is too late to run at all. With `skip`, whatever is not on time is. */
export function isTooLate({ lateByMs, windowMs, missed }: Lateness): boolean {
  return lateByMs > windowMs || (missed === 'skip' && lateByMs > lateAfter);
}
