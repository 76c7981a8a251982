/** Writes what ends runs, and everything that follows from an end, into the transaction that brings it. */
import type { Batch } from '../engine/batch.ts';
import type { RunRow } from '../store/records.ts';
import { addAttemptEnd } from './attempt-log.ts';
import { enqueuedFact, finishedFact, reportRun } from './fact.ts';
import type { Report, ReportOutcome } from './report.ts';
import { applyReport } from './report.ts';
import { addLines } from './run-log.ts';
import { withdrawalOf } from './withdrawal.ts';

/** The decision over reports whose runs are among those of the batch; the result has their order. */
export function takeReports(batch: Batch, reports: readonly Report[]): readonly ReportOutcome[] {
  const known = new Map<string, RunRow>();
  for (const run of batch.runs) known.set(run.id, run);
  const outcomes: ReportOutcome[] = [];
  for (const report of reports) {
    const run = known.get(report.id);
    const { outcome, next } = applyReport(run, report, batch.now);
    outcomes.push(outcome);
    if (run === undefined || next === undefined) continue;
    addLines(batch, run, report.log);
    addAttemptEnd(batch, run, next);
    known.set(next.id, next);
    const { conclusion } = report;
    // A holder that reports a cancellation has ended its work, unless it says otherwise.
    const isEnded = conclusion.kind === 'cancelled' && conclusion.left !== true;
    saveRun(batch, next, isEnded ? undefined : run);
  }
  return outcomes;
}

/**
 * Writes a run, and tells its owner when the run ended. `abandoned` is the run as it was, when its holder, if any, does not end the
 * work itself.
 */
export function saveRun(batch: Batch, run: RunRow, abandoned?: RunRow): void {
  batch.saveRun(run);
  if (run.state !== 'done') return;
  batch.tellOwner(run);
  reportRun(batch, finishedFact(run));
  const withdrawal = abandoned === undefined ? undefined : withdrawalOf(abandoned, run, batch.now);
  if (withdrawal === undefined) return;
  batch.addRun(withdrawal);
  reportRun(batch, enqueuedFact(withdrawal));
}
