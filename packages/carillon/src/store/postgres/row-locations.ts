/**
 * The row numbers of the executions of a transaction. Locked rows were read, so their number and wake time are known until the
 * commit: writes that carry them need no second search by incarnation.
 * Other executions (those inserted by this very commit) are looked up by incarnation.
 */
import { dueTime } from '../change.ts';
import { executionOf } from '../columns.ts';
import type { ExecutionRow } from '../records.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { SqlRow } from './driver.ts';

export interface RowLocation {
  readonly row: number;
  readonly dueAt: number | null;
}

/** Locations by incarnation. */
export type RowLocations = Map<string, RowLocation>;

/** Reads a row of `executionColumns`, which begin with its number, and remembers its location. */
export function locate(columns: SqlRow, locations: RowLocations): ExecutionRow {
  const execution = executionOf(columns);
  locations.set(execution.incarnation, { row: columns[0] as number, dueAt: dueTime(execution) });
  return execution;
}

/** Two parameters: the numbers of executions with a known location, the incarnations of the others. */
export function locationArrays(
  items: readonly { readonly incarnation: string }[],
  locations: ReadonlyMap<string, RowLocation>,
): readonly Buffer[] {
  return [
    bigArray(items.map(({ incarnation }) => locations.get(incarnation)?.row ?? null)),
    textArray(items.map(({ incarnation }) => (locations.has(incarnation) ? null : incarnation))),
  ];
}

/** The number of `i`, a row of those two parameters; null when there is no such execution. */
export function rowOf(schema: string): string {
  return `coalesce(i.row, (select x.row from ${schema}.executions x where x.incarnation = i.incarnation))`;
}
