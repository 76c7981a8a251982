/**
 * Whether a schedule needs a person, and why. It is computed from what a listing knows of each schedule, so that a fleet
 * can be sorted by it without reading any ledger.
 */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { minute } from '../../base/time.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import type { RunRow } from '../../store/records.ts';

/** The reasons, the worst first. */
export const attentionKinds = [
  'quarantined',
  'noWorker',
  'failing',
  'late',
  'skipping',
  'waiting',
  'paused',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export interface Attention {
  /** The worst reason; null when nothing needs a person. */
  readonly kind: AttentionKind | null;
  /** 0 when nothing needs a person; sort by it, largest first. */
  readonly score: number;
  /** The reason in a few words; empty when there is none. */
  readonly text: string;
}

/** What the index knows of one schedule. */
export interface Watched {
  readonly incident: string | null;
  readonly isPaused: boolean;
  readonly isEnded: boolean;
  /** The next due time; null when there is none. */
  readonly next: Instant | null;
  readonly running: number;
  /** Starts that wait for an earlier run. */
  readonly buffered: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Overlap skips among the latest twenty starts and skips. */
  readonly skips: number;
  /** The oldest run of the schedule that no worker has taken up; null when there is none. */
  readonly untaken: Untaken | null;
}

/** A schedule that the index does not know yet. */
export const nothingKnown: Watched = {
  incident: null,
  isPaused: false,
  isEnded: false,
  next: null,
  running: 0,
  buffered: 0,
  failures: 0,
  skips: 0,
  untaken: null,
};

export interface Untaken {
  readonly handler: string;
  readonly since: Instant;
}

/** A run that waits longer than this has no worker that knows it. */
export const untakenAfter = minute / 2;

/** Whether a run waits although its time came a while ago, and no worker has begun it. */
export function isUntaken(
  { state, attempt, availableAt }: Pick<RunRow, 'state' | 'attempt' | 'availableAt'>,
  now: Instant,
): boolean {
  return state === 'waiting' && attempt === 0 && now - availableAt > untakenAfter;
}

/** From this many skips among the latest twenty on, a person should know. */
export const manySkips = 5;

const nothing: Attention = { kind: null, score: 0, text: '' };
/** The distance between the scores of two reasons; the number added to it says how bad the schedule is. */
const step = 1000;

export function attentionOf(watched: Watched, now: Instant): Attention {
  const { incident, isPaused, isEnded, next, failures, skips, buffered, untaken } = watched;
  if (incident !== null) return about('quarantined', 0, incident);
  if (untaken !== null && now - untaken.since > untakenAfter) {
    return about('noWorker', minutesOf(now - untaken.since), `no worker knows '${untaken.handler}'`);
  }
  if (failures > 0) {
    return about(
      'failing',
      failures,
      failures === 1 ? 'the last run failed' : `${countText(failures)} failures in a row`,
    );
  }
  if (next !== null && !isPaused && !isEnded && now - next > lateAfter) {
    return about('late', minutesOf(now - next), `due ${roughDuration(now - next)} ago, no verdict`);
  }
  if (skips >= manySkips && !isPaused && !isEnded) {
    return about('skipping', skips, `${skips} of its latest 20 slots were skipped`);
  }
  if (buffered > 1) return about('waiting', buffered, `${countText(buffered)} starts wait for their turn`);
  if (isPaused) return about('paused', 0, 'paused');
  return nothing;
}

function about(kind: AttentionKind, amount: number, text: string): Attention {
  const rank = attentionKinds.length - attentionKinds.indexOf(kind);
  return { kind, score: rank * step + Math.min(amount, step - 1), text };
}

function minutesOf(length: number): number {
  return Math.floor(length / minute);
}
