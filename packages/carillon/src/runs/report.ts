/** The report of a holder about its run, and whether it still counts. */
import type { LogLine } from '../base/log-lines.ts';
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Conclusion } from './lifecycle.ts';
import { conclude } from './lifecycle.ts';
import { isLeasedBy } from './own-lease.ts';

export interface Report {
  readonly id: string;
  /** When given, a run of another namespace is not found. */
  readonly namespace?: string;
  /** The lease under which the reporter worked. */
  readonly token: string;
  readonly conclusion: Conclusion;
  /** JSON of progress that no heartbeat has stored yet: the next attempt continues from there. */
  readonly progress?: string;
  /** Lines that no heartbeat has stored yet. */
  readonly log?: readonly LogLine[];
}

/** `ok`: the report counted, now or when it came before. `stale`: another holder decides about this run. */
export type ReportOutcome = 'ok' | 'stale';

export interface AppliedReport {
  readonly outcome: ReportOutcome;
  /** The row to write; absent when nothing changes. */
  readonly next?: RunRow;
}

/** A report whose acknowledgement was lost comes again: the token is still on the row, and the lease has ended. */
export function applyReport(run: RunRow | undefined, report: Report, now: Instant): AppliedReport {
  if (run === undefined || !isLeasedBy(run, report.token)) return { outcome: 'stale' };
  if (report.namespace !== undefined && run.namespace !== report.namespace) return { outcome: 'stale' };
  if (run.state !== 'leased') return { outcome: 'ok' };
  const next = conclude(run, report.conclusion, now);
  const { progress } = report;
  return { outcome: 'ok', next: progress === undefined ? next : { ...next, progress } };
}
