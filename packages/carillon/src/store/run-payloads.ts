/** Runs as lists read them: without what may be large. */
import type { RunRow } from './records.ts';

export function withoutPayloads(run: RunRow): RunRow {
  return { ...run, input: 'null', progress: null, result: run.outcome === 'completed' ? null : run.result };
}
