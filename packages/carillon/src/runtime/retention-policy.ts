/** What a node keeps of what has happened, and for how long. */
import { day, hour } from '../base/time.ts';

/**
 * What is kept: each kind for a time (in ms, after its end) and, where one busy schedule could fill the disk, up to a
 * number of rows. What comes first, decides. Infinity: no such bound.
 */
export interface RetentionPolicy {
  /** Ms a closed schedule is kept with its ledger and its versions. Default 30 days. */
  readonly closedSchedules: number;
  /** Ms a verdict is kept. Default 90 days. */
  readonly ledger: number;
  /** Ms a finished run is kept. Default 30 days. */
  readonly finishedRuns: number;
  /** Ms an event is kept. Default 7 days. */
  readonly events: number;
  /** Ms an audit entry is kept. Default 365 days. */
  readonly audit: number;
  /**
   * Ledger rows kept of each schedule. Default 10,000, which is a week of every minute. A stretch of equal verdicts is
   * one row, however long.
   */
  readonly ledgerRows: number;
  /** Finished runs kept of each schedule. Default 1000. */
  readonly runsPerSchedule: number;
  /** Versions of its definition kept of each schedule, the one in force included. Default 100. */
  readonly definitionVersions: number;
  /**
   * Ms for which the counts of ledger rows and runs take nothing, however many there are, so that what a backfill did
   * can be looked at although its slots are old. Default 1 hour.
   */
  readonly uncounted: number;
}

export const defaultRetention: RetentionPolicy = {
  closedSchedules: 30 * day,
  ledger: 90 * day,
  finishedRuns: 30 * day,
  events: 7 * day,
  audit: 365 * day,
  ledgerRows: 10_000,
  runsPerSchedule: 1000,
  definitionVersions: 100,
  uncounted: hour,
};
