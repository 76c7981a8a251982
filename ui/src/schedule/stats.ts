/** The numbers at the head of a schedule. Pure. */
import type { Bin, Slot } from '../timeline/model.ts';
import type { Look } from '../verdict/verdict.ts';

/**
 * The lateness of the runs of the schedule's own slots, in ascending order. As in the ledger, lateness counts from the time after
 * jitter. A run that waits for a worker is left out.
 */
export function latenessOf(slots: readonly Slot[]): readonly number[] {
  return slots
    .flatMap(({ run, at, due = at, byHand, look }) =>
      run === undefined || byHand !== undefined || look === 'buffered' || look === 'noWorker'
        ? []
        : [Math.max(0, run.start - due)],
    )
    .sort((a, b) => a - b);
}

type Counts = Readonly<Partial<Record<Look, number>>>;

export function countsOfSlots(slots: readonly Slot[]): Counts {
  const counts: Partial<Record<Look, number>> = {};
  for (const { look } of slots) counts[look] = (counts[look] ?? 0) + 1;
  return counts;
}

/** The sum of the bins. Slots in the future are left out. */
export function countsOfBins(bins: readonly Pick<Bin, 'counts'>[]): Counts {
  const sums: Partial<Record<Look, number>> = {};
  for (const { counts } of bins) {
    for (const [look, count = 0] of Object.entries(counts) as [Look, number | undefined][]) {
      if (look !== 'notYet' && look !== 'passedOver') sums[look] = (sums[look] ?? 0) + count;
    }
  }
  return sums;
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** A result in a few words: `660 invoices` for `{ invoices: 660 }`. */
export function resultText(result: unknown): string {
  if (result === null || result === undefined) return 'completed';
  if (Array.isArray(result)) return JSON.stringify(result);
  if (typeof result !== 'object') return String(result);
  const [first] = Object.entries(result);
  if (first === undefined) return 'completed';
  const [name, value] = first;
  return typeof value === 'number' ? `${value} ${name}` : typeof value === 'string' ? value : 'completed';
}
