/**
 * Writes verdicts about slots. New slots of the owner's own cause go through `recordFresh`, in order of nominal time, where
 * equal neighbours become one row; slots that were buffered earlier get their final verdict through `recordFinal`, which
 * replaces their row.
 *
 * The ledger knows neither the owner of the slots nor the set of verdicts: an archetype gives it the list of verdicts that
 * may share a row, and a tree node that keeps the open end of the last row.
 */
import type { Instant } from '../base/time.ts';
import type { SlotRow } from '../store/records.ts';

/** The cause of an owner's own slots; a trigger or backfill has its own id. */
export const auto = 'auto';

/** One nominal time of one owner under one cause. */
export interface Slot {
  readonly nominal: Instant;
  /** Nominal time plus jitter: when the slot was due. */
  readonly actual: Instant;
  readonly cause: string;
  /** Asked for by a person (trigger, backfill): pause, window and limited actions do not apply. */
  readonly manual: boolean;
}

export interface Judged<Verdict extends string, Detail extends object> {
  readonly nominal: Instant;
  readonly cause: string;
  readonly verdict: Verdict;
  readonly runId?: string;
  /** The inputs the decision saw, kept with the verdict. */
  readonly detail?: Detail;
  /** The earlier verdict of the same slot that this one replaces. */
  readonly replaces?: Verdict;
}

/** The open end of a row of equal verdicts: the next equal verdict extends the row instead of adding one. */
export interface Stretch<Verdict extends string> {
  readonly verdict: Verdict;
  readonly nominal: Instant;
  readonly until: Instant;
  readonly count: number;
  readonly detail: string | null;
}

export interface SlotReport<Verdict extends string, Detail extends object = object> {
  readonly type: 'slot';
  readonly verdict: Verdict;
  /** The nominal time; the last one of a stretch. */
  readonly nominal: Instant;
  /** The first nominal time that this report is about; equal to `nominal` for a single slot. */
  readonly from: Instant;
  readonly cause: string;
  readonly count: number;
  /** The run that the slot started; null when it started none. */
  readonly runId: string | null;
  /** The inputs the decision saw; null when the verdict says it all. */
  readonly detail: Detail | null;
  /** The earlier verdict of the same slot that this one replaces. */
  readonly replaces?: Verdict;
}

/** The part of the component that owns the slots which the ledger needs. */
export interface LedgerNode<Verdict extends string, Detail extends object> {
  readonly now: Instant;
  /** The cause of the owner's own slots, whose neighbours may share a row. */
  readonly ownCause: string;
  readonly stretch: Stretch<Verdict> | null;
  setStretch(stretch: Stretch<Verdict> | null): void;
  recordSlot(slot: Omit<SlotRow, 'incarnation'>): void;
  report(slot: SlotReport<Verdict, Detail>): void;
}

export class Ledger<Verdict extends string, Detail extends object> {
  readonly #stretchable: ReadonlySet<Verdict>;

  /** `stretchable`: verdicts that say the same of every slot in a stretch, so that neighbours may share a row. */
  constructor(stretchable: readonly Verdict[]) {
    this.#stretchable = new Set(stretchable);
  }

  recordFresh(node: LedgerNode<Verdict, Detail>, judged: readonly Judged<Verdict, Detail>[]): void {
    const inOrder = judged.length === 1 ? judged : [...judged].sort((a, b) => a.nominal - b.nominal);
    const end = node.stretch?.until ?? Number.NEGATIVE_INFINITY;
    const first = inOrder[0];
    if (first !== undefined && first.nominal < end) {
      // Slots before the open end get their own rows, which a later slot must not extend over the slots between.
      this.#record(
        node,
        inOrder.filter(({ nominal }) => nominal < end),
        null,
      );
      const others = inOrder.filter(({ nominal }) => nominal >= end);
      if (others.length > 0) this.recordFresh(node, others);
      return;
    }
    const stretch = this.#record(node, inOrder, node.stretch);
    if (stretch !== node.stretch) node.setStretch(stretch);
  }

  /** Writes slots in order of nominal time, from the open end of a row on; returns the new open end. */
  #record(
    node: LedgerNode<Verdict, Detail>,
    inOrder: readonly Judged<Verdict, Detail>[],
    open: Stretch<Verdict> | null,
  ): Stretch<Verdict> | null {
    let stretch = open;
    let unwritten: Stretch<Verdict> | null = null;
    let untold = 0;
    let from = 0 as Instant;
    let told: Detail | null = null;
    const flush = () => {
      if (unwritten !== null) {
        writeStretch(node, unwritten);
        const { verdict, until: nominal } = unwritten;
        const about = { verdict, nominal, from, cause: node.ownCause, count: untold };
        node.report({ type: 'slot', ...about, runId: null, detail: told });
      }
      unwritten = null;
      untold = 0;
    };
    for (const slot of inOrder) {
      if (slot.cause !== node.ownCause || !this.#stretchable.has(slot.verdict)) {
        if (slot.cause === node.ownCause) {
          flush();
          stretch = null;
        }
        this.recordFinal(node, slot);
        continue;
      }
      const key = detailText(slot.detail);
      if (stretch !== null && stretch.verdict === slot.verdict && stretch.detail === key) {
        stretch = { ...stretch, until: slot.nominal, count: stretch.count + 1 };
      } else {
        flush();
        stretch = {
          verdict: slot.verdict,
          nominal: slot.nominal,
          until: slot.nominal,
          count: 1,
          detail: key,
        };
      }
      unwritten = stretch;
      if (untold === 0) from = slot.nominal;
      told = slot.detail ?? null;
      untold += 1;
    }
    flush();
    return stretch;
  }

  /** Replaces the row of one slot. */
  recordFinal(node: LedgerNode<Verdict, Detail>, slot: Judged<Verdict, Detail>): void {
    const { verdict, nominal, cause, runId = null, detail = null, replaces } = slot;
    const about = { verdict, nominal, from: nominal, cause, count: 1, runId, detail };
    node.report({ type: 'slot', ...about, ...(replaces === undefined ? {} : { replaces }) });
    node.recordSlot({
      cause,
      nominal,
      until: nominal,
      count: 1,
      verdict,
      at: node.now,
      runId,
      detail: detailText(slot.detail),
    });
  }

  /** Writes a complete stretch: no later slot extends it. */
  recordStretch(node: LedgerNode<Verdict, Detail>, stretch: Stretch<Verdict>): void {
    const { verdict, until: nominal, nominal: from, count } = stretch;
    const detail = stretch.detail === null ? null : (JSON.parse(stretch.detail) as Detail);
    node.report({ type: 'slot', verdict, nominal, from, cause: node.ownCause, count, runId: null, detail });
    writeStretch(node, stretch);
  }
}

function writeStretch<Verdict extends string>(
  node: Pick<LedgerNode<Verdict, object>, 'recordSlot' | 'now' | 'ownCause'>,
  stretch: Stretch<Verdict>,
): void {
  node.recordSlot({ ...stretch, cause: node.ownCause, at: node.now, runId: null });
}

export function detailText(detail: object | undefined): string | null {
  return detail === undefined ? null : JSON.stringify(detail);
}

export function judge<Verdict extends string, Detail extends object>(
  { nominal, cause }: Pick<Slot, 'nominal' | 'cause'>,
  verdict: Verdict,
  detail?: Detail,
): Judged<Verdict, Detail> {
  return detail === undefined ? { nominal, cause, verdict } : { nominal, cause, verdict, detail };
}
