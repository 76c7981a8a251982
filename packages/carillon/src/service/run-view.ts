/** A run as it is shown: its row with the JSON read and the machinery left out. */
import { redactRunInput } from '../action/redaction.ts';
import type { Instant } from '../base/time.ts';
import type { Failure } from '../runs/failure.ts';
import { optionsOf } from '../runs/run.ts';
import type { RunOutcome, RunRow, RunState } from '../store/records.ts';

export interface RunView {
  readonly id: string;
  readonly namespace: string;
  readonly queue: string;
  readonly name: string;
  /** What people know it by, when a schedule started it. */
  readonly workflowId: string | null;
  readonly schedule: string | null;
  /** The slot it is for. */
  readonly scheduledAt: Instant | null;
  readonly cause: string | null;
  readonly priority: number;
  readonly state: RunState;
  /** How it ended; null while it has not. */
  readonly outcome: RunOutcome | null;
  readonly attempt: number;
  readonly createdAt: Instant;
  readonly availableAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  /** Who works on it; empty when nobody does. */
  readonly worker: string;
  /** Absent, like progress and result, in lists that were not asked to include payloads. */
  readonly input?: unknown;
  readonly progress?: unknown;
  readonly result?: unknown;
  /** Of the run, or of its latest attempt while it is being retried. */
  readonly failure: Failure | null;
}

/** What a list shows besides; nothing unless it is asked for. */
export type Included = 'payloads';

/** A run with everything it holds. */
export function viewRun(run: RunRow): RunView {
  const succeeded = run.outcome === 'completed';
  return {
    ...viewListedRun(run),
    input: redactRunInput(run, JSON.parse(run.input) as unknown),
    progress: run.progress === null ? null : (JSON.parse(run.progress) as unknown),
    result: succeeded && run.result !== null ? (JSON.parse(run.result) as unknown) : null,
  };
}

/** A run without its payloads, as lists show it. */
export function viewListedRun(run: RunRow): RunView {
  const { workflowId, schedule, nominal, cause } = optionsOf(run);
  const { id, namespace, queue, name, priority, state, outcome, attempt } = run;
  const { createdAt, availableAt, startedAt, finishedAt, worker } = run;
  const failure = outcome === 'completed' ? null : run.result;
  return {
    id,
    namespace,
    queue,
    name,
    workflowId: workflowId ?? null,
    schedule: schedule ?? null,
    scheduledAt: nominal ?? null,
    cause: cause ?? null,
    priority,
    state,
    outcome,
    attempt,
    createdAt,
    availableAt,
    startedAt,
    finishedAt,
    worker,
    failure: failure === null ? null : (JSON.parse(failure) as Failure),
  };
}

/** How a list shows a run. */
export function runViewer(include: Included | undefined): (run: RunRow) => RunView {
  return include === 'payloads' ? viewRun : viewListedRun;
}

/** Bytes of what is stored for a run, roughly. */
export function runBytes({ options, input, progress, result }: RunRow): number {
  return options.length + input.length + (progress?.length ?? 0) + (result?.length ?? 0);
}
