/**
 * What a schedule does when nothing is left to do. Called at the end of every transition, so that no open schedule is
 * ever without a reason to be awake or asleep: it waits for its next slot, a run, a backfill or a person, or it is on
 * its way to being closed.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { advanceBackfill } from './backfill.ts';
import { roomForBackfill } from './backfill-verbs.ts';
import { abandonDue } from './close-out.ts';
import type { ScheduleNode, ScheduleView } from './schedule.ts';
import { idleClose } from './schedule.ts';

export function rest(schedule: ScheduleNode): void {
  // A backfill goes on as soon as there is room, not at the next tick of some clock.
  for (const backfill of schedule.children('backfills').values()) {
    if (backfill.state.notBefore <= schedule.now && roomForBackfill(schedule) > 0) {
      backfill.schedule(advanceBackfill, null);
    }
  }
  const deadline = idleDeadline(schedule);
  if (deadline !== undefined) schedule.schedule(idleClose, null, deadline);
}

/** Nothing left to do, and nothing going on. */
export function isIdle(schedule: ScheduleView): boolean {
  const { next, pass } = schedule.child('generator').state;
  // While the search goes on, it is not known that there is no further time.
  const canAct = (next !== null || pass !== null) && schedule.state.remaining !== 0;
  if (canAct || schedule.child('definition').state.paused !== null) return false;
  const { waiting, open } = schedule.child('invoker').state;
  return waiting.length + open + schedule.children('backfills').size === 0;
}

/** Idle for good. One without a spec only ever runs when asked, and is as alive as on its first day. */
export function isEnded(schedule: ScheduleView): boolean {
  if (!isIdle(schedule)) return false;
  if (schedule.state.remaining === 0) return true;
  const { spec } = schedule.child('definition').state;
  return Object.keys(spec).some((field) => field !== 'zone' && field !== 'dst');
}

/** When an idle schedule closes; undefined while it is not idle. */
export function idleDeadline(schedule: ScheduleView): Instant | undefined {
  if (!isIdle(schedule)) return undefined;
  const { idleCloseMs } = schedule.child('definition').state.policy;
  if (idleCloseMs === 0) return undefined;
  return addTime(Math.max(schedule.state.updatedAt, schedule.state.lastEventAt) as Instant, idleCloseMs);
}

export function closeIdle(schedule: ScheduleNode): void {
  // Only a schedule without actions may still have slots; those that came due meanwhile are accounted for.
  abandonDue(schedule, 'limitReached');
  schedule.set({ ...schedule.state, closed: 'idle' });
  schedule.report({ type: 'closed', reason: 'idle' });
}
