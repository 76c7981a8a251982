/** Runs that the overlap policy of their schedule stopped for a later one. */
import type { RunRow } from '../../store/records.ts';

/** A stop that was asked for has its time, and that of a person or a program its name; one of a policy has no name. */
export function isReplaced({ outcome, result }: Pick<RunRow, 'outcome' | 'result'>): boolean {
  if ((outcome !== 'cancelled' && outcome !== 'terminated') || result === null) return false;
  const { askedAt, askedBy } = JSON.parse(result) as {
    readonly askedAt?: unknown;
    readonly askedBy?: unknown;
  };
  return askedAt !== undefined && askedBy === undefined;
}
