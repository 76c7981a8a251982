/** The data of the timeline. Times are milliseconds since 1970. */
import type { Look } from '../verdict/verdict.ts';

export interface AttemptSpan {
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly isFailed: boolean;
}

export interface RunBar {
  readonly id: string;
  readonly start: number;
  /** Null while it goes on. */
  readonly end: number | null;
  readonly look: Look;
  /** Segments of the bar; empty when they are not known. */
  readonly attempts: readonly AttemptSpan[];
}

export interface Slot {
  readonly at: number;
  readonly look: Look;
  /** The person or backfill that asked for it; absent for the schedule's own slots. */
  readonly byHand?: string;
  readonly run?: RunBar;
  /** The person who paused the schedule or cancelled the slot; `note` has their reason. */
  readonly by?: string;
  readonly note?: string;
  /** Whether the slot was missed and the schedule skips missed slots. */
  readonly isSkippedMiss?: true;
  /** The run that blocked the slot. */
  readonly blockedBy?: string;
  /** The slot that ran in place of this one. */
  readonly ranAs?: number;
  /** For a future slot: how many of the measured runs would not have ended by its time. */
  readonly tooLong?: { readonly runs: number; readonly of: number; readonly goingMs?: number };
  /** How late the run began, in ms. */
  readonly lateMs?: number;
  /** The time after jitter, when it differs from `at`: lateness is measured from it. */
  readonly due?: number;
}

export interface Stretch {
  readonly kind: 'pause' | 'outage' | 'excluded' | 'blackout' | 'forgotten';
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly note?: string;
}

export interface Change {
  readonly kind: 'edit' | 'clock' | 'tz' | 'created';
  readonly at: number;
  readonly label: string;
  readonly text: string;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Partial<Record<Look, number>>>;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

/** How long runs usually take. */
export interface Usual {
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface TimelineData {
  readonly zone: string;
  /** The usual distance of two slots; decides the opening zoom and the level of detail. */
  readonly step: number;
  readonly slots: readonly Slot[];
  /** Present when the view is too wide for single slots. */
  readonly bins: readonly Bin[] | null;
  readonly stretches: readonly Stretch[];
  readonly changes: readonly Change[];
  readonly usual: Usual;
  /** The beginning of the ledger. */
  readonly keptFrom: number;
}
