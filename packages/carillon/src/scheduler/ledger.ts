/** The ledger of a schedule: which verdicts may share a row, and where the open end of the last row is kept. */
import type * as general from '../ledger/ledger.ts';
import { auto, Ledger, type LedgerNode } from '../ledger/ledger.ts';
import type { ScheduleNode } from './schedule.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

export { auto, detailText } from '../ledger/ledger.ts';

export type Judged = general.Judged<Verdict, VerdictDetail>;
export type Stretch = general.Stretch<Verdict>;

const ledger = new Ledger<Verdict, VerdictDetail>([
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
  ledger.recordFresh(nodeOf(schedule), judged);
}

/** Replaces the row of one slot. */
export function recordFinal(schedule: ScheduleNode, slot: Judged): void {
  ledger.recordFinal(nodeOf(schedule), slot);
}

/** Writes a complete stretch: no later slot extends it. */
export function recordStretch(schedule: ScheduleNode, stretch: Stretch): void {
  ledger.recordStretch(nodeOf(schedule), stretch);
}

export function judge(
  { nominal, cause }: Pick<general.Slot, 'nominal' | 'cause'>,
  verdict: Verdict,
  detail?: VerdictDetail,
): Judged {
  return detail === undefined ? { nominal, cause, verdict } : { nominal, cause, verdict, detail };
}

function nodeOf(schedule: ScheduleNode): LedgerNode<Verdict, VerdictDetail> {
  const generator = schedule.child('generator');
  return {
    now: schedule.now,
    ownCause: auto,
    stretch: generator.state.stretch,
    setStretch: (stretch) => generator.set({ ...generator.state, stretch }),
    recordSlot: (slot) => schedule.recordSlot(slot),
    report: (fact) => schedule.report(fact),
  };
}
