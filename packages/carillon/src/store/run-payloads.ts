/** Runs without the columns that may be large, as lists read them. */
import type { RunRow } from './records.ts';

export function withoutPayloads(run: RunRow): RunRow {
  return { ...run, input: 'null', progress: null, result: run.outcome === 'completed' ? null : run.result };
}
