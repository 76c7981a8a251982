/** The lines of an attempt, written in the transaction of its heartbeat or report. */
import type { LogLine } from '../base/log-lines.ts';
import type { Batch } from '../engine/batch.ts';
import type { RunRow } from '../store/records.ts';
import { loggedAttempts } from './limits.ts';
import { heldToken } from './own-lease.ts';

/** `run` is the row under whose lease the lines were written. */
export function addLines(batch: Batch, run: RunRow, lines: readonly LogLine[] | undefined): void {
  if (lines === undefined || lines.length === 0) return;
  const { id: runId, attempt, leaseToken } = run;
  const lease = heldToken(leaseToken);
  batch.addLogs(lines.map((line) => ({ runId, attempt, lease, ...line })));
  if (attempt > loggedAttempts && lines[0]?.place === 0) batch.dropLogs(runId, attempt - loggedAttempts + 1);
}
