/** How long the runs of a schedule usually take. */
import { durationOf } from '../../runs/fact.ts';
import type { RunRow } from '../../store/records.ts';

export interface Durations {
  /** Half of the runs took at most this long; null when no run was measured. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** The number of runs that were measured. */
  readonly measured: number;
}

/**
 * The newest runs that are measured, wherever a page asks what is usual: other numbers for the same schedule on two screens would
 * contradict each other.
 */
export const measuredRuns = 60;

/** Reads the newest of the runs, which come newest first, and of them the completed ones only: a run that failed at once says nothing about how long the work takes. */
export function durationsOf(runs: readonly RunRow[]): Durations {
  const lengths = runs
    .slice(0, measuredRuns)
    .filter(({ outcome }) => outcome === 'completed')
    .map(durationOf)
    .filter((length) => length !== null)
    .sort((a, b) => a - b);
  return { p50Ms: quantile(lengths, 0.5), p95Ms: quantile(lengths, 0.95), measured: lengths.length };
}

/** The smallest value that at least this share of the sorted values does not exceed; null for no values. */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
