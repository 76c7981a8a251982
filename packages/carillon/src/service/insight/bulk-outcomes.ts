/** What a change of many schedules would do, as sentences with counts: '31 pause.', '6 stay paused.'. Pure. */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import type { Effects } from './effects.ts';

interface Rehearsal {
  readonly id: string;
  readonly ok: boolean;
  /** False when the schedule was as asked before. What comes due meanwhile happens without the change too. */
  readonly isChanged?: boolean;
  readonly message: string | null;
  readonly effects?: Pick<Effects, 'status' | 'starts' | 'verdicts' | 'passedOver'>;
}

/** What is said of one schedule, and of several. */
type Words = readonly [one: string, several: string];

/** How many schedules have an outcome, and what is said of one and of several of them. */
export interface BulkOutcome {
  readonly count: number;
  readonly one: string;
  readonly several: string;
}

export interface BulkOutcomes {
  /** The most frequent first. */
  readonly outcomes: readonly BulkOutcome[];
  /** The slots of all schedules that will be passed over, and within which time; null when there are none. */
  readonly passedOver: { readonly count: number; readonly within: string } | null;
}

export function bulkOutcomes(items: readonly Rehearsal[]): BulkOutcomes {
  const counts = new Map<string, { readonly one: string; readonly several: string; count: number }>();
  let passedOver = 0;
  let within = '';
  for (const { ok, isChanged = true, message, effects } of items) {
    const [one, several] =
      ok && effects !== undefined ? wordsOf(effects, isChanged) : refusal(message ?? 'it is refused');
    const known = counts.get(one) ?? { one, several, count: 0 };
    known.count += 1;
    counts.set(one, known);
    // Slots of a pause that goes on already are not lost by this change.
    const over = effects?.status.before === 'paused' ? null : effects?.passedOver;
    if (over == null) continue;
    passedOver += over.count;
    within ||= roughDuration(Date.parse(over.to) - Date.parse(over.from));
  }
  return {
    outcomes: [...counts.values()].sort((a, b) => b.count - a.count),
    passedOver: passedOver === 0 ? null : { count: passedOver, within },
  };
}

/** One sentence for each outcome, such as `31 pause.` */
export function outcomeSentences({ outcomes, passedOver }: BulkOutcomes): readonly string[] {
  const text = outcomes.map(
    ({ one, several, count }) => `${countText(count)} ${count === 1 ? one : several}.`,
  );
  if (passedOver === null) return text;
  const { count, within } = passedOver;
  const slots = count === 1 ? 'slot' : 'slots';
  return [...text, `${countText(count)} ${slots} will be passed over within ${within}.`];
}

function wordsOf({ status, starts, verdicts }: NonNullable<Rehearsal['effects']>, isChanged: boolean): Words {
  const { before, after } = status;
  if (!isChanged) return unchanged(after);
  if (after === 'closed' && before !== 'closed') return ['is deleted', 'are deleted'];
  if (before !== after && after === 'paused') return ['pauses', 'pause'];
  if (before !== after && before === 'paused') return resuming(starts);
  if (starts > 0) return ['starts a run at once', 'start a run at once'];
  if (verdicts.skippedOverlap !== undefined)
    return ['would be skipped: a run is still going', 'would be skipped: their runs are still going'];
  if (verdicts.buffered !== undefined) return ['waits for a run to end', 'wait for a run to end'];
  return unchanged(after);
}

function unchanged(status: string): Words {
  if (status === 'paused') return ['stays paused', 'stay paused'];
  return ['stays as it is', 'stay as they are'];
}

function resuming(starts: number): Words {
  if (starts === 0) return ['resumes', 'resume'];
  return ['resumes and runs what fell into the pause', 'resume and run what fell into the pause'];
}

function refusal(message: string): Words {
  return [`cannot be changed: ${message}`, `cannot be changed: ${message}`];
}
