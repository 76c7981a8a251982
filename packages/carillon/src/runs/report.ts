/** What a holder says about its run, and whether it still counts. */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Conclusion } from './lifecycle.ts';
import { conclude } from './lifecycle.ts';

export interface Report {
  readonly id: string;
  /** The lease under which the reporter worked. */
  readonly token: string;
  readonly conclusion: Conclusion;
  /** JSON of progress that no heartbeat has stored yet: the next attempt goes on from there. */
  readonly progress?: string;
}

/** `ok`: it counted, now or when it was said before. `stale`: somebody else decides about this run. */
export type Verdict = 'ok' | 'stale';

export interface Judgement {
  readonly verdict: Verdict;
  /** The row to write; absent when nothing changes. */
  readonly next?: RunRow;
}

/** A report whose acknowledgement was lost comes again: the token is still on the row, and the lease is gone. */
export function judge(run: RunRow | undefined, report: Report, now: Instant): Judgement {
  if (run === undefined || run.leaseToken !== report.token) return { verdict: 'stale' };
  if (run.state !== 'leased') return { verdict: 'ok' };
  const next = conclude(run, report.conclusion, now);
  const { progress } = report;
  return { verdict: 'ok', next: progress === undefined ? next : { ...next, progress } };
}
