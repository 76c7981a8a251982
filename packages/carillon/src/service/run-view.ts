/** The view of a run: its row with parsed JSON and without internal fields. */
import { redactRunInput } from '../action/redaction.ts';
import type { Instant } from '../base/time.ts';
import type { Failure } from '../runs/failure.ts';
import { optionsOf, sinceFreed } from '../runs/run.ts';
import type { RunOutcome, RunRow, RunState } from '../store/records.ts';
import { shownHolder } from './workers/holder.ts';

/** A run as it is now. */
export interface RunView {
  /** The id of the run. */
  readonly id: string;
  /** The namespace of the run. */
  readonly namespace: string;
  /** The queue of the run. */
  readonly queue: string;
  /** The name of its handler. */
  readonly name: string;
  /** The workflow id, for runs that a schedule started. */
  readonly workflowId: string | null;
  /** The schedule that started it; null for a run without one. */
  readonly schedule: string | null;
  /** The nominal time of the run's slot. */
  readonly scheduledAt: Instant | null;
  /** When its slot was due: the nominal time and its jitter. */
  readonly dueAt: Instant | null;
  /** The cause of its slot: `auto`, or the id of a trigger or backfill; null for a run without a schedule. */
  readonly cause: string | null;
  /** The run that this one repeats at the request of a person; null for all others. */
  readonly againOf: string | null;
  /** Runs of a higher priority are claimed first; `normal` is 0. */
  readonly priority: number;
  /** `waiting` for a worker or a retry, `leased` by a worker, or `done`. */
  readonly state: RunState;
  /** The outcome; null until the run has ended. */
  readonly outcome: RunOutcome | null;
  /** The number of the attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** When it was queued. */
  readonly createdAt: Instant;
  /** When a worker may take it: later than `createdAt` for a delay or a retry. */
  readonly availableAt: Instant;
  /** When its latest attempt began; null before the first. */
  readonly startedAt: Instant | null;
  /** When it ended; null before that. */
  readonly finishedAt: Instant | null;
  /** When the run of the same schedule ended that this one had to wait for; null when it waited for none. */
  readonly freedAt: Instant | null;
  /** The time from that end to the first attempt of this run. */
  readonly sinceFreedMs: number | null;
  /** The worker that holds the run's lease, or held it when the run ended; empty while no worker does. */
  readonly worker: string;
  /** Absent, like progress and result, in lists without `include: 'payloads'`. */
  readonly input?: unknown;
  /** The last progress that its handler reported. */
  readonly progress?: unknown;
  /** What its handler returned; null unless it completed. */
  readonly result?: unknown;
  /** The failure of the run, or of its latest attempt while it is being retried. */
  readonly failure: Failure | null;
}

/** What a list includes on request. */
export type Included = 'payloads';

/** The view of a run with its payloads. */
export function viewRun(run: RunRow): RunView {
  const succeeded = run.outcome === 'completed';
  return {
    ...viewListedRun(run),
    input: redactRunInput(run, JSON.parse(run.input) as unknown),
    progress: run.progress === null ? null : (JSON.parse(run.progress) as unknown),
    result: succeeded && run.result !== null ? (JSON.parse(run.result) as unknown) : null,
  };
}

/** The view of a run without its payloads, for lists. */
export function viewListedRun(run: RunRow): RunView {
  const options = optionsOf(run);
  const { workflowId, schedule, nominal, actual, cause, againOf, freedAt } = options;
  const { id, namespace, queue, name, priority, state, outcome, attempt } = run;
  const { createdAt, availableAt, startedAt, finishedAt } = run;
  const failure = outcome === 'completed' ? null : run.result;
  return {
    id,
    namespace,
    queue,
    name,
    workflowId: workflowId ?? null,
    schedule: schedule ?? null,
    scheduledAt: nominal ?? null,
    dueAt: actual ?? nominal ?? null,
    cause: cause ?? null,
    againOf: againOf ?? null,
    priority,
    state,
    outcome,
    attempt,
    createdAt,
    availableAt,
    startedAt,
    finishedAt,
    freedAt: freedAt ?? null,
    sinceFreedMs: sinceFreed(run, options) ?? null,
    worker: shownHolder(run.worker, namespace),
    failure: failure === null ? null : (JSON.parse(failure) as Failure),
  };
}

/** The view function of a list. */
export function runViewer(include: Included | undefined): (run: RunRow) => RunView {
  return include === 'payloads' ? viewRun : viewListedRun;
}

/** The approximate stored size of a run, in bytes. */
export function runBytes({ options, input, progress, result }: RunRow): number {
  return options.length + input.length + (progress?.length ?? 0) + (result?.length ?? 0);
}
