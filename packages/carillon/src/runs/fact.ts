/** The facts of runs without an owner; an execution reports the facts of its own runs. */
import { closedList } from '../base/closed-list.ts';
import type { Failure } from '../base/failure.ts';
import { reasonOf } from '../base/failure.ts';
import type { Batch } from '../engine/batch.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';
import { optionsOf } from './run.ts';

interface AboutRun {
  readonly namespace: string;
  readonly runId: string;
  /** The name that people use for the run; null when it has only its id. */
  readonly workflowId: string | null;
  readonly name: string;
  readonly queue: string;
}

/** The run is in the queue. */
export interface RunEnqueued extends AboutRun {
  readonly type: 'enqueued';
  readonly priority: number;
}

/** A worker took its first attempt. */
export interface RunStarted extends AboutRun {
  readonly type: 'started';
  readonly priority: number;
}

export interface RunFinished extends AboutRun {
  readonly type: 'finished';
  readonly outcome: RunOutcome;
  readonly attempt: number;
  /** The time from its first attempt to its end; null for a run that ended before any worker took it. */
  readonly durationMs: number | null;
  /** Why it failed or timed out. */
  readonly error?: string;
}

export type RunFact = RunEnqueued | RunStarted | RunFinished;

export const runFactTypes = closedList<RunFact['type']>({ enqueued: true, started: true, finished: true });

/** Reports a fact with the commit of the batch, if there is one. */
export function reportRun(batch: Batch, fact: RunFact | undefined): void {
  if (fact !== undefined) batch.report(fact);
}

/** Undefined, like the others, for a run with an owner. */
export function enqueuedFact(run: RunRow): RunFact | undefined {
  if (run.owner !== null) return undefined;
  return { type: 'enqueued', ...about(run), priority: run.priority };
}

/** Called with a run that was just claimed. */
export function startedFact(run: RunRow): RunFact | undefined {
  if (run.owner !== null || run.attempt !== 1) return undefined;
  return { type: 'started', ...about(run), priority: run.priority };
}

export function finishedFact(run: RunRow): RunFact | undefined {
  if (run.owner !== null || run.outcome === null) return undefined;
  const { outcome, attempt } = run;
  const fact = { type: 'finished', ...about(run), outcome, attempt, durationMs: durationOf(run) } as const;
  const error = outcome === 'failed' || outcome === 'timedOut' ? reasonIn(run.result) : undefined;
  return error === undefined ? fact : { ...fact, error };
}

/** The time from its first attempt to its end; null for a run that ended before any worker took it. */
export function durationOf({ startedAt, finishedAt }: RunRow): number | null {
  return startedAt === null || finishedAt === null ? null : Math.max(0, finishedAt - startedAt);
}

function about(run: RunRow): AboutRun {
  const { namespace, id: runId, name, queue } = run;
  return { namespace, runId, workflowId: optionsOf(run).workflowId ?? null, name, queue };
}

function reasonIn(failure: string | null): string {
  const found = failure === null ? null : (JSON.parse(failure) as Failure | null);
  return typeof found?.message === 'string' ? reasonOf(found) : 'no reason was given';
}
