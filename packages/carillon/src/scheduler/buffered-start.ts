/**
 * One start on its way from slot to finished run. Six states, each with only the fields it has:
 *
 *   pending    found due; the invoker decides in the same transaction
 *   deferred   may not go yet because something runs; decided again on every event that could free it
 *   ready      its run waits in the queue for a worker
 *   running    a worker holds its run
 *   backingOff an attempt failed; its run waits for the next one
 *   completed  its run has ended
 *
 * The schedule's row keeps the first two and, for the rest, the id of the run: from the moment a start is chosen its run
 * exists, so nothing can be in flight between deciding and starting. The last four are read off the run row.
 */
import type { Instant } from '../base/time.ts';
import { auto } from '../ledger/ledger.ts';
import { optionsOf } from '../runs/run.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';
import type { OverlapPolicy } from './definition.ts';

/** What every start knows about its slot. */
export interface Slot {
  readonly nominal: Instant;
  /** Nominal plus jitter: when it was due. */
  readonly actual: Instant;
  readonly cause: string;
  /** Asked for by a person (trigger, backfill): pause, window and limited actions do not apply. */
  readonly manual: boolean;
}

export interface WaitingStart extends Slot {
  readonly state: 'pending' | 'deferred';
  /** Only when the request named one; otherwise the schedule's policy of the moment applies. */
  readonly overlap?: OverlapPolicy;
  /** When a person asked for it after its time (resume with the missed ones): its catch-up window counts from here. */
  readonly askedAt?: Instant;
}

/** A start that was chosen. Its run tells the rest. */
export interface ChosenStart extends Slot {
  readonly runId: string;
  readonly workflowId: string;
  readonly startedAt: Instant;
}

/** What the run says of the slot it was started for. */
export function slotOfRun(run: RunRow): ChosenStart {
  const { nominal = run.createdAt, actual = nominal, cause = auto, workflowId = '' } = optionsOf(run);
  const manual = cause !== auto;
  return { nominal, actual, cause, manual, runId: run.id, workflowId, startedAt: run.createdAt };
}

export type BufferedStart =
  | (Slot & { readonly state: 'pending' })
  | (Slot & { readonly state: 'deferred'; readonly overlap?: OverlapPolicy })
  | (Slot & { readonly state: 'ready'; readonly runId: string })
  | (Slot & {
      readonly state: 'running';
      readonly runId: string;
      readonly startedAt: Instant;
      readonly attempt: number;
    })
  | (Slot & {
      readonly state: 'backingOff';
      readonly runId: string;
      readonly until: Instant;
      readonly attempt: number;
    })
  | (Slot & {
      readonly state: 'completed';
      readonly runId: string;
      readonly outcome: RunOutcome;
      readonly finishedAt: Instant;
    });

/** The state of a chosen start, as its run shows it. */
export function startOf(slot: Slot, run: RunRow): BufferedStart {
  const { nominal, actual, cause, manual } = slot;
  const known = { nominal, actual, cause, manual, runId: run.id };
  if (run.state === 'done') {
    const finishedAt = run.finishedAt ?? run.createdAt;
    return { ...known, state: 'completed', outcome: run.outcome ?? 'failed', finishedAt };
  }
  if (run.state === 'leased') {
    return { ...known, state: 'running', startedAt: run.startedAt ?? run.createdAt, attempt: run.attempt };
  }
  if (run.attempt > 0) return { ...known, state: 'backingOff', until: run.availableAt, attempt: run.attempt };
  return { ...known, state: 'ready' };
}
