/** The facts a schedule reports, with the commit that caused them. Event types, metrics and logs are derived from this union. */
import { closedList } from '../base/closed-list.ts';
import type { Instant } from '../base/time.ts';
import type { RunOutcome } from '../store/records.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

/** A slot, or a stretch of `count` slots up to `nominal`, got its verdict; a buffered one gets another later. */
export interface SlotFact {
  readonly type: 'slot';
  readonly verdict: Verdict;
  /** The nominal time; the last one of a stretch. */
  readonly nominal: Instant;
  /** The first nominal time that this fact is about; equal to `nominal` for a single slot. */
  readonly from: Instant;
  /** `auto`, or the id of the backfill or trigger that created the slot. */
  readonly cause: string;
  readonly count: number;
  /** The run that the slot started; null when it started none. */
  readonly runId: string | null;
  /** The inputs the decision saw; null when the verdict says it all. */
  readonly detail: VerdictDetail | null;
  /** The earlier verdict of the same slot that this one replaces. */
  readonly replaces?: Verdict;
}

/** A slot's run was inserted into the queue, in the commit that decided it. */
export interface StartedFact {
  readonly type: 'started';
  readonly runId: string;
  readonly workflowId: string;
  readonly nominal: Instant;
  readonly cause: string;
  readonly lateByMs: number;
  /** True when a trigger or a backfill asked for it. */
  readonly manual: boolean;
  /** True when it waited for an earlier run to end, as its policy says. */
  readonly waited: boolean;
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
}

export interface FinishedFact {
  readonly type: 'finished';
  readonly runId: string;
  readonly workflowId: string;
  readonly nominal: Instant;
  readonly cause: string;
  readonly outcome: RunOutcome;
  readonly name: string;
  readonly attempt: number;
  /** The time from its first attempt to its end; null for a run that ended before any worker took it. */
  readonly durationMs: number | null;
  /** The time from the end of the run that it waited for to its own first attempt; absent when it waited for none. */
  readonly sinceFreedMs?: number;
  /** Why it failed or timed out. */
  readonly error?: string;
}

/** A person, a program or the schedule itself changed the schedule; the audit has the details. */
export interface EditedFact {
  readonly type: 'edited';
  /** create, update, pause, resume, trigger, … */
  readonly action: string;
  readonly actor: string;
}

export interface ClosedFact {
  readonly type: 'closed';
  readonly reason: 'deleted' | 'idle';
}

export interface PausedOnFailureFact {
  readonly type: 'pausedOnFailure';
  /** Consecutive failures. */
  readonly failures: number;
}

export interface BackfillCompletedFact {
  readonly type: 'backfillCompleted';
  readonly id: string;
  /** The number of slots it handed over. */
  readonly handed: number;
}

/** The search for the next time did not fit into one step; it continues in the next ones. Reported once per search. */
export interface SpecSearchLongFact {
  readonly type: 'specSearchLong';
  /** No slot lies up to this time. */
  readonly reached: Instant;
}

export type ScheduleFact =
  | SlotFact
  | StartedFact
  | FinishedFact
  | EditedFact
  | ClosedFact
  | PausedOnFailureFact
  | BackfillCompletedFact
  | SpecSearchLongFact;

export const scheduleFactTypes = closedList<ScheduleFact['type']>({
  slot: true,
  started: true,
  finished: true,
  edited: true,
  closed: true,
  pausedOnFailure: true,
  backfillCompleted: true,
  specSearchLong: true,
});
