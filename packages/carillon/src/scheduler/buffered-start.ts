/**
 * One start on its way from slot to finished run. Six states, each with only the fields it has:
 *
 *   pending    found due; the invoker decides in the same transaction
 *     deferred   may not start yet because another run is unfinished; decided again on every event that could free it
 *   ready      its run waits in the queue for a worker
 *   running    a worker holds its run
 *   backingOff an attempt failed; its run waits for the next one
 *   completed  its run has ended
 *
 * The schedule's row keeps the first two and, for the others, the id of the run: from the moment a start is chosen its run
 * exists, so no start can be lost between deciding and starting. The last four states are read from the run row.
 */
import type { Instant } from '../base/time.ts';
import type { Slot } from '../ledger/ledger.ts';
import { auto } from '../ledger/ledger.ts';
import type { RunOptions } from '../runs/run.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';
import type { OverlapPolicy } from './definition.ts';
import type { OperatorSettingName } from './operator-settings.ts';

export interface WaitingStart extends Slot {
  readonly state: 'pending' | 'deferred';
  /** Set only when the request named a policy; otherwise the schedule's current policy applies. */
  readonly overlap?: OverlapPolicy;
  /** When a person asked for the slot after its time (resume with the missed slots): its catch-up window counts from this time. */
  readonly askedAt?: Instant;
  /** The base of its workflow id, when the schedule has got another one since. */
  readonly workflowBase?: string;
  /** A trigger for now: its nominal time is not a slot. */
  readonly isTimeless?: true;
  /** The unfinished run of the same slot whose end the start waits for, even if the policy allows more. */
  readonly behind?: string;
  /** Held back until then by a setting of the operator. */
  readonly notBefore?: Instant;
  readonly heldBy?: OperatorSettingName;
}

/** A start that was chosen. Its run has the further state. */
export interface ChosenStart extends Slot {
  readonly runId: string;
  readonly workflowId: string;
  readonly startedAt: Instant;
}

/** The slot of a run, read from the run row and its options. */
export function slotOfRun(run: RunRow, options: RunOptions): ChosenStart {
  const { nominal = run.createdAt, actual = nominal, cause = auto, workflowId = '' } = options;
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
