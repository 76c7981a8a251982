/** How runs are laid out in columns here: closed lists are numbers, which keeps rows narrow. */
import { runColumns, runOf as runOfColumns, runValues } from '../columns.ts';
import { type RunRow, runOutcomes } from '../records.ts';
import { bigArray, doubleArray, intArray, smallArray, textArray } from './binary-array.ts';
import type { SqlRow } from './driver.ts';

/** The columns that are not text. */
const types: Readonly<Record<string, keyof typeof encoders>> = {
  priority: 'double precision',
  state: 'smallint',
  outcome: 'smallint',
  attempt: 'integer',
  created_at: 'bigint',
  available_at: 'bigint',
  check_at: 'bigint',
  started_at: 'bigint',
  finished_at: 'bigint',
  cancel: 'smallint',
  ordinal: 'bigint',
  exclusive: 'smallint',
};
const encoders = {
  text: textArray,
  bigint: bigArray,
  integer: intArray,
  smallint: smallArray,
  'double precision': doubleArray,
};

const cancels: readonly RunRow['cancel'][] = ['none', 'cancel', 'terminate'];
const outcomePlace = runColumns.indexOf('outcome');
const cancelPlace = runColumns.indexOf('cancel');

export function outcomeCode(outcome: NonNullable<RunRow['outcome']>): number {
  return runOutcomes.indexOf(outcome);
}

export function typeOf(column: string): string {
  return types[column] ?? 'text';
}

export function columnsOf(table: string): string {
  return runColumns.map((column) => `${table}.${column}`).join(', ');
}

/** The same columns in the same order, with empty values in place of payloads. */
export function lightColumnsOf(table: string): string {
  const light: Readonly<Record<string, string>> = {
    progress: 'null as progress',
    input: `'null' as input`,
    result: `case when ${table}.outcome = ${outcomeCode('completed')} then null else ${table}.result end as result`,
  };
  return runColumns.map((column) => light[column] ?? `${table}.${column}`).join(', ');
}

/** Reads a row of `runColumns`. */
export function runOf(row: SqlRow): RunRow {
  const values = [...row];
  const outcome = row[outcomePlace] as number | null;
  values[outcomePlace] = outcome === null ? null : runOutcomes[outcome];
  values[cancelPlace] = cancels[row[cancelPlace] as number];
  return runOfColumns(values);
}

export function unnested(names: readonly string[]): string {
  const arrays = names.map((column, i) => `$${i + 1}::${typeOf(column)}[]`);
  return `unnest(${arrays.join(', ')}) as i(${names.join(', ')})`;
}

export function columnArrays(runs: readonly RunRow[], names: readonly string[]): readonly Buffer[] {
  const rows = runs.map((run) => {
    const values = runValues(run);
    values[outcomePlace] = run.outcome === null ? null : outcomeCode(run.outcome);
    values[cancelPlace] = cancels.indexOf(run.cancel);
    return values;
  });
  return names.map((column) => {
    const place = runColumns.indexOf(column);
    const encode = encoders[types[column] ?? 'text'] as (items: readonly unknown[]) => Buffer;
    return encode(rows.map((row) => row[place] ?? null));
  });
}
