/** What became of a slot. The list is closed: every nominal time of an enabled schedule gets exactly one of these. */
import type { Instant } from '../base/time.ts';

export const verdicts = [
  /** Its run was started in time. */
  'started',
  /** Its run was started more than `lateAfter` after its time. */
  'startedLate',
  /** It waits for a running one to end; the final verdict replaces this one. */
  'buffered',
  /** Dropped because another run was unfinished. */
  'skippedOverlap',
  /** Noticed, or freed, only after its catch-up window. */
  'missedWindow',
  /** Its time fell into a pause. */
  'paused',
  /** An exclusion of the spec removed it. Explained from the spec, never stored. */
  'excluded',
  /** The schedule had used up its actions. */
  'limitReached',
  /** Outside the spec's start and end. Explained from the spec, never stored. */
  'outOfBounds',
  /** The schedule was changed before it was handled. */
  'superseded',
  /** Too many starts were waiting already. */
  'bufferFull',
  /** Every attempt to start it failed. */
  'startFailed',
  /** No living worker knew its handler for as long as a run may wait. */
  'noWorker',
  /** The clock skipped it. Explained from the spec, never stored. */
  'dstGap',
  /** The clock repeated it and this copy does not fire. Explained from the spec, never stored. */
  'dstFold',
  /** A blackout forbade it. */
  'blackout',
  /** A later slot runs instead of it. */
  'coalesced',
  /** A run of the same slot, or one under the same workflow id, exists already. */
  'alreadyStarted',
  /** A person cancelled it, or deleted the schedule, before it started. */
  'cancelled',
] as const;

export type Verdict = (typeof verdicts)[number];

/** The inputs a decision saw, kept with the verdict. Only data that the verdict itself does not say. */
export interface VerdictDetail {
  /** The run that prevented the start. */
  readonly blockedBy?: string;
  readonly lateByMs?: number;
  /** It waited for an earlier run to end before it could start. */
  readonly waited?: true;
  /** When the run ended that it waited for. */
  readonly freedAt?: Instant;
  /** The policy for missed slots, when it excluded the slot. */
  readonly missed?: 'skip';
  readonly windowMs?: number;
  readonly pausedBy?: string;
  readonly note?: string;
  readonly pausedAt?: Instant;
  /** Definition stamp that was in force, for `superseded`. */
  readonly supersededStamp?: number;
  readonly attempts?: number;
  /** The handler that no living worker knew, and how long its run waited. */
  readonly handler?: string;
  readonly waitedMs?: number;
  readonly error?: string;
  /** The nominal time that ran instead. */
  readonly ranAs?: Instant;
  readonly buffered?: number;
  /** Unfinished runs of the schedule, when there were too many. */
  readonly outstanding?: number;
  readonly policy?: string;
  /** The operator's setting that held the start back or dropped it. */
  readonly setting?: string;
  /** The stretch was too long to count: `count` is a lower bound. */
  readonly uncounted?: true;
  /** The due time after jitter, when it differs from the nominal one. */
  readonly actual?: Instant;
  readonly by?: string;
}
