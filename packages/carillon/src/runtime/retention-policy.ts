/** The retention policy: which records are kept, and for how long. */
import { day, hour } from '../base/time.ts';

/**
 * Each kind of record is kept for a time (in ms, after its end) and, where one busy schedule could fill the disk, up
 * to a number of rows. The bound that is reached first counts. Infinity means no such bound.
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
   * Ledger rows kept of each schedule. Default 10,000, which is a week of every minute. Any number of consecutive
   * equal verdicts is one row.
   */
  readonly ledgerRows: number;
  /** Finished runs kept of each schedule. Default 1000. */
  readonly runsPerSchedule: number;
  /** Versions of its definition kept of each schedule, the one in force included. Default 100. */
  readonly definitionVersions: number;
  /**
   * Ms during which the bounds on rows and runs delete nothing, so that people can inspect what a backfill did
   * although its slots are old. Default 1 hour.
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
