/** The last verdict of slots that no later pass will handle: the definition changed, or the schedule is closed. */
import type { Instant } from '../base/time.ts';
import { detailText, recordStretch } from './ledger.ts';
import type { ScheduleNode } from './schedule.ts';
import { countSlots } from './slot-count.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

/** Gives every slot that is due and unhandled its last verdict: `paused` to those of a pause, the given one to all others. */
export function abandonDue(schedule: ScheduleNode, verdict: Verdict, detail?: VerdictDetail): void {
  const { paused } = schedule.child('definition').state;
  if (paused === null) {
    abandonUntil(schedule, schedule.now, verdict, detail);
    return;
  }
  abandonUntil(schedule, paused.at, verdict, detail);
  const { by, note, at } = paused;
  abandonUntil(schedule, schedule.now, 'paused', { pausedBy: by, note, pausedAt: at });
}

function abandonUntil(
  schedule: ScheduleNode,
  until: Instant,
  verdict: Verdict,
  detail: VerdictDetail | undefined,
): void {
  const generator = schedule.child('generator');
  const { cursor } = generator.state;
  if (cursor >= until) return;
  const { count, first, last, uncounted } = countSlots(schedule, cursor, until);
  generator.set({ ...generator.state, cursor: until, stretch: null, pass: null });
  if (first === null || last === null) return;
  recordStretch(schedule, {
    verdict,
    nominal: first,
    until: uncounted ? until : last,
    count,
    detail: uncounted ? JSON.stringify({ ...detail, uncounted: true }) : detailText(detail),
  });
}
