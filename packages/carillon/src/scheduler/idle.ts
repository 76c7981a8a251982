/**
 * Decides what a schedule does when no work is left. Called at the end of every transition, so that every open schedule
 * always waits for something: its next slot, a run, a backfill or a person, or the time at
 * which it is closed.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { isManual } from '../spec/index.ts';
import { advanceBackfill } from './backfill.ts';
import { roomForBackfill } from './backfill-verbs.ts';
import { abandonDue } from './close-out.ts';
import type { ScheduleNode, ScheduleView } from './schedule.ts';
import { idleClose } from './schedule.ts';

export function planIdle(schedule: ScheduleNode): void {
  // A backfill continues as soon as there is room, not at a later time.
  for (const backfill of schedule.children('backfills').values()) {
    if (backfill.state.notBefore <= schedule.now && roomForBackfill(schedule) > 0) {
      backfill.schedule(advanceBackfill, null);
    }
  }
  const deadline = idleDeadline(schedule);
  if (deadline !== undefined) schedule.schedule(idleClose, null, deadline);
}

/** Whether no work is left and none is under way. */
export function isIdle(schedule: ScheduleView): boolean {
  const { next, pass } = schedule.child('generator').state;
  // While the search continues, it is not known that there is no further time.
  const canAct = (next !== null || pass !== null) && schedule.state.remaining !== 0;
  if (canAct || schedule.child('definition').state.paused !== null) return false;
  const { waiting, open } = schedule.child('invoker').state;
  return waiting.length + open + schedule.children('backfills').size === 0;
}

/** Whether the schedule is idle for good. A schedule without a spec runs only when a person asks, so it never ends. */
export function isEnded(schedule: ScheduleView): boolean {
  if (!isIdle(schedule)) return false;
  if (schedule.state.remaining === 0) return true;
  return !isManual(schedule.child('definition').state.spec);
}

/** When an idle schedule closes; undefined while it is not idle. */
export function idleDeadline(schedule: ScheduleView): Instant | undefined {
  if (!isIdle(schedule)) return undefined;
  const { idleCloseMs } = schedule.child('definition').state.policy;
  if (idleCloseMs === 0) return undefined;
  return addTime(Math.max(schedule.state.updatedAt, schedule.state.lastEventAt) as Instant, idleCloseMs);
}

export function closeIdle(schedule: ScheduleNode): void {
  // Only a schedule without actions may still have slots; those that came due meanwhile get their verdict.
  abandonDue(schedule, 'limitReached');
  schedule.set({ ...schedule.state, closed: 'idle' });
  schedule.report({ type: 'closed', reason: 'idle' });
}
