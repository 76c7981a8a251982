/** The last occurrences of a task, each with its outcome and reason: the ledger in the terms of the registry. */
import type { Instant } from '../base/time.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import { sentence } from '../scheduler/explain-words.ts';
import type { Verdict, VerdictDetail } from '../scheduler/verdict.ts';
import type { RunView } from '../service/run-view.ts';
import type { RunRow, SlotRow } from '../store/records.ts';
import type { TaskTrigger } from './task.ts';
import { triggerOf } from './task.ts';
import { isFailure } from './task-state.ts';

export type OccurrenceDecision =
  /** A job was made. */
  | 'fired'
  /** No job was made, on purpose: overlap, pause, limit or change. */
  | 'skipped'
  /** No job was made, because no process was running in time. */
  | 'missed'
  /** A job was made and failed, or could not be made. */
  | 'failed'
  /** The occurrence waits for an earlier job to end. */
  | 'waiting';

export interface Occurred {
  /** The nominal time of the occurrence, or of the first of `count` equal ones. */
  readonly nominal: Instant;
  readonly until: Instant;
  readonly count: number;
  readonly decision: OccurrenceDecision;
  readonly trigger: TaskTrigger;
  /** The reason in plain words. */
  readonly reason: string;
  readonly decidedAt: Instant;
  readonly jobId: string | null;
  readonly outcome: RunView['outcome'];
  /** The verdict in the ledger. */
  readonly verdict: Verdict;
}

const decisions: Readonly<Record<Verdict, OccurrenceDecision>> = {
  started: 'fired',
  startedLate: 'fired',
  buffered: 'waiting',
  skippedOverlap: 'skipped',
  missedWindow: 'missed',
  coalesced: 'missed',
  startFailed: 'failed',
  noWorker: 'failed',
  paused: 'skipped',
  excluded: 'skipped',
  limitReached: 'skipped',
  outOfBounds: 'skipped',
  superseded: 'skipped',
  bufferFull: 'skipped',
  dstGap: 'skipped',
  dstFold: 'skipped',
  blackout: 'skipped',
  cancelled: 'skipped',
  alreadyStarted: 'skipped',
};

/** Reads the occurrences, newest first. */
export async function readTaskHistory(
  carillon: Carillon,
  id: string,
  limit: number,
): Promise<readonly Occurred[]> {
  const { namespace } = carillon;
  const { services, runtime } = internalsOf(carillon);
  const { items: slots } = await services.schedules.slots({ namespace, id }, { limit, order: 'descending' });
  const ids = [...new Set(slots.flatMap(namedRuns))];
  const found = ids.length === 0 ? [] : (await runtime.store.runs({ ids, limit: ids.length })).items;
  const runs = new Map(found.map((run) => [run.id, run]));
  return slots.map((slot) => occurredOf(slot, runs));
}

function occurredOf(slot: SlotRow, runs: ReadonlyMap<string, RunRow>): Occurred {
  const { nominal, until, count, at, runId, cause } = slot;
  const verdict = slot.verdict as Verdict;
  const detail = detailOf(slot);
  const run = runId === null ? null : (runs.get(runId) ?? null);
  const blocker = detail?.blockedBy === undefined ? undefined : runs.get(detail.blockedBy);
  const decision = decisions[verdict];
  return {
    nominal,
    until,
    count,
    decision: decision === 'fired' && run !== null && isFailure(run) ? 'failed' : decision,
    trigger: triggerOf(cause),
    reason: `${sentence(verdict, { slot, detail, run, blocker })}${failureWords(run)}`,
    decidedAt: at,
    jobId: runId,
    outcome: run?.outcome ?? null,
    verdict,
  };
}

function failureWords(run: RunRow | null): string {
  if (run === null || !isFailure(run) || run.result === null) return '';
  return ` ${(JSON.parse(run.result) as { readonly message: string }).message}`;
}

function namedRuns(slot: SlotRow): readonly string[] {
  return [slot.runId, detailOf(slot)?.blockedBy].filter((id) => id !== null && id !== undefined);
}

function detailOf({ detail }: SlotRow): VerdictDetail | null {
  return detail === null ? null : (JSON.parse(detail) as VerdictDetail);
}
