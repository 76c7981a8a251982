/** The orders in which runs are listed, and the cursors of their pages. */
import { decodeCursor } from './cursor.ts';
import { compareText } from './order.ts';
import type { RunRow } from './records.ts';
import type { RunQuery } from './store.ts';

/** What decides the position of a run in a list. */
export type RunPlace = Pick<RunRow, 'id' | 'ordinal' | 'createdAt'>;

/**
 * The column by which a query is ordered; equal values are ordered by id. Runs of one owner are told apart by their ordinals, also
 * when they start within one millisecond.
 */
export type RunKey = 'id' | 'ordinal' | 'createdAt';

export function runKeyOf({ by, owner }: RunQuery): RunKey {
  if ((by ?? (owner === undefined ? 'slot' : 'start')) === 'slot') return 'id';
  return owner === undefined ? 'createdAt' : 'ordinal';
}

/** The number that comes before the id in the order; null when the id alone decides. */
export function runScoreOf({ ordinal, createdAt }: RunPlace, key: RunKey): number | null {
  if (key === 'id') return null;
  return key === 'ordinal' ? (ordinal ?? -1) : createdAt;
}

/** Compares two runs in ascending order. */
export function compareRunsBy(key: RunKey): (a: RunPlace, b: RunPlace) => number {
  return (a, b) => (runScoreOf(a, key) ?? 0) - (runScoreOf(b, key) ?? 0) || compareText(a.id, b.id);
}

export function runCursorOf(run: RunPlace, key: RunKey): readonly (string | number)[] {
  const score = runScoreOf(run, key);
  return score === null ? [run.id] : [score, run.id];
}

/** The position of the last run of the page before; the columns that the order does not use are empty. */
export function runPlaceIn(cursor: string, key: RunKey): RunPlace {
  const none = { ordinal: null, createdAt: 0 as RunRow['createdAt'] };
  if (key === 'id') return { ...none, id: decodeCursor(cursor, ['string'])[0] as string };
  const [score, id] = decodeCursor(cursor, ['number', 'string']) as [number, string];
  return { ...none, [key]: score, id };
}
