/** How late a slot of a schedule may be noticed and still run. */
import { onTime } from '../../ledger/era.ts';
import type { SchedulePolicy } from '../definition.ts';

/** A window is never shorter than the time that counts as on time: every step takes a moment. */
export function effectiveWindow({ catchupWindowMs }: Pick<SchedulePolicy, 'catchupWindowMs'>): number {
  return Math.max(catchupWindowMs, onTime);
}
