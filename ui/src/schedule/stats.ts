/** The numbers at the head of a schedule. Pure. */
import type { Slot } from '../timeline/model.ts';

/**
 * How late the runs of the schedule's own slots began, the least late first. As in the ledger, lateness counts from the time after
 * jitter. A run that waits for a worker has not begun.
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
