/** The view of a due time of a producer: its verdict, and what became of the work that it started. */
import type { Instant } from '../../base/time.ts';
import { durationOf } from '../../runs/fact.ts';
import type { RunRow, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { isUntaken } from '../insight/attention.ts';
import type { SlotView } from '../journal-view.ts';
import { viewSlot } from '../journal-view.ts';
import { largestPage } from '../limits.ts';

/** The last run of the work that a due time started; an attempt that failed is followed by another run. */
export interface HostSlotRun extends Pick<RunRow, 'id' | 'state' | 'outcome'> {
  readonly tookMs: number | null;
  /** It has waited for a while, and no node that knows the workflow has taken it. */
  readonly untaken: boolean;
}

export interface HostSlotView extends SlotView {
  /** Null: nothing was started, or its run is no longer kept. */
  readonly run: HostSlotRun | null;
}

/** Works whose later runs are looked for at the same time. */
const atOnce = 20;

export async function viewHostSlots(
  store: Store,
  slots: readonly SlotRow[],
  now: Instant,
): Promise<readonly HostSlotView[]> {
  const ids = slots.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const { items } =
    ids.length === 0 ? { items: [] } : await store.runs({ ids, limit: ids.length, payloads: false });
  const last = new Map(items.map((run) => [run.id, run]));
  const unsuccessful = items.filter(({ outcome }) => outcome !== null && outcome !== 'completed');
  for (let from = 0; from < unsuccessful.length; from += atOnce) {
    const some = unsuccessful.slice(from, from + atOnce);
    const found = await Promise.all(some.map((run) => lastOfWork(store, run)));
    for (const [index, { id }] of some.entries()) last.set(id, found[index] as RunRow);
  }
  return slots.map((slot) => {
    const run = slot.runId === null ? undefined : last.get(slot.runId);
    return { ...viewSlot(slot), run: run === undefined ? null : viewRun(run, now) };
  });
}

/** All runs of one work have the id of the first one as their alias. */
async function lastOfWork(store: Store, first: RunRow): Promise<RunRow> {
  const { namespace, alias, id } = first;
  const query = { namespace, alias: alias ?? id, limit: largestPage, payloads: false };
  const { items } = await store.runs(query);
  return items.reduce((last, run) => ((run.ordinal ?? 0) > (last.ordinal ?? 0) ? run : last), first);
}

function viewRun(run: RunRow, now: Instant): HostSlotRun {
  const { id, state, outcome } = run;
  return { id, state, outcome, tookMs: durationOf(run), untaken: isUntaken(run, now) };
}
