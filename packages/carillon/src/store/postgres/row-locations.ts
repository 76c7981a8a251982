/**
 * Where the executions of a transaction lie. What was locked was read, so its number and its wake time are known until the
 * commit: writes that carry them need no second search by incarnation.
 * Whatever else is written (executions of this very commit) is looked up by its incarnation.
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

/** By incarnation. */
export type RowLocations = Map<string, RowLocation>;

/** Reads a row of `executionColumns`, which begin with its number, and remembers where it lies. */
export function locate(columns: SqlRow, locations: RowLocations): ExecutionRow {
  const execution = executionOf(columns);
  locations.set(execution.incarnation, { row: columns[0] as number, dueAt: dueTime(execution) });
  return execution;
}

/** Two parameters: the numbers of those whose place is known, the incarnations of the others. */
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
