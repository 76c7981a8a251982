/**
 * Writes verdicts. Fresh slots of the schedule's own go through `recordFresh`, in order of nominal time, where equal
 * neighbours become one row; slots that were buffered earlier get their final verdict through `recordFinal`, which
 * replaces their row.
 */
import type { Instant } from '../base/time.ts';
import type { Slot } from './buffered-start.ts';
import type { Stretch } from './generator.ts';
import type { ScheduleNode } from './schedule.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

/** The cause of the schedule's own slots; triggers and backfills have ids of theirs. */
export const auto = 'auto';

export interface Judged {
  readonly nominal: Instant;
  readonly cause: string;
  readonly verdict: Verdict;
  readonly runId?: string;
  readonly detail?: VerdictDetail;
}

/** Verdicts that say the same thing of every slot in a stretch, so that neighbours may share a row. */
const stretchable: ReadonlySet<Verdict> = new Set<Verdict>([
  'skippedOverlap',
  'missedWindow',
  'paused',
  'limitReached',
  'superseded',
  'bufferFull',
  'coalesced',
  'cancelled',
  'blackout',
]);

export function recordFresh(schedule: ScheduleNode, judged: readonly Judged[]): void {
  const generator = schedule.child('generator');
  const inOrder = judged.length === 1 ? judged : [...judged].sort((a, b) => a.nominal - b.nominal);
  let stretch = generator.state.stretch;
  let unwritten: Stretch | null = null;
  let untold = 0;
  const flush = () => {
    if (unwritten !== null) {
      writeStretch(schedule, unwritten);
      const { verdict, until: nominal } = unwritten;
      schedule.report({ type: 'slot', verdict, nominal, cause: auto, count: untold });
    }
    unwritten = null;
    untold = 0;
  };
  for (const slot of inOrder) {
    if (slot.cause !== auto || !stretchable.has(slot.verdict)) {
      if (slot.cause === auto) {
        flush();
        stretch = null;
      }
      const { verdict, nominal, cause } = slot;
      schedule.report({ type: 'slot', verdict, nominal, cause, count: 1 });
      writeOne(schedule, slot);
      continue;
    }
    const key = detailText(slot.detail);
    if (stretch !== null && stretch.verdict === slot.verdict && stretch.detail === key) {
      stretch = { ...stretch, until: slot.nominal, count: stretch.count + 1 };
    } else {
      flush();
      stretch = { verdict: slot.verdict, nominal: slot.nominal, until: slot.nominal, count: 1, detail: key };
    }
    unwritten = stretch;
    untold += 1;
  }
  flush();
  if (stretch !== generator.state.stretch) generator.set({ ...generator.state, stretch });
}

/** Replaces the row of one slot. */
export function recordFinal(schedule: ScheduleNode, slot: Judged): void {
  const { verdict, nominal, cause } = slot;
  schedule.report({ type: 'slot', verdict, nominal, cause, count: 1 });
  writeOne(schedule, slot);
}

/** A whole stretch that ends here: nothing extends it later. */
export function recordStretch(schedule: ScheduleNode, stretch: Stretch): void {
  const { verdict, until: nominal, count } = stretch;
  schedule.report({ type: 'slot', verdict, nominal, cause: auto, count });
  writeStretch(schedule, stretch);
}

function writeOne(schedule: ScheduleNode, slot: Judged): void {
  schedule.recordSlot({
    cause: slot.cause,
    nominal: slot.nominal,
    until: slot.nominal,
    count: 1,
    verdict: slot.verdict,
    at: schedule.now,
    runId: slot.runId ?? null,
    detail: detailText(slot.detail),
  });
}

function writeStretch(schedule: ScheduleNode, stretch: Stretch): void {
  schedule.recordSlot({ ...stretch, cause: auto, at: schedule.now, runId: null });
}

export function detailText(detail: VerdictDetail | undefined): string | null {
  return detail === undefined ? null : JSON.stringify(detail);
}

export function judge(slot: Slot, verdict: Verdict, detail?: VerdictDetail): Judged {
  const { nominal, cause } = slot;
  return detail === undefined ? { nominal, cause, verdict } : { nominal, cause, verdict, detail };
}
