/** A run as it is shown: its row with the JSON read and the machinery left out. */
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
  readonly input: unknown;
  readonly progress: unknown;
  readonly result: unknown;
  /** Of the run, or of its latest attempt while it is being retried. */
  readonly failure: Failure | null;
}

export function viewRun(run: RunRow): RunView {
  const { workflowId, schedule, nominal, cause } = optionsOf(run);
  const stored = run.result === null ? null : (JSON.parse(run.result) as unknown);
  const succeeded = run.outcome === 'completed';
  const { id, namespace, queue, name, priority, state, outcome, attempt } = run;
  const { createdAt, availableAt, startedAt, finishedAt, worker } = run;
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
    input: JSON.parse(run.input) as unknown,
    progress: run.progress === null ? null : (JSON.parse(run.progress) as unknown),
    result: succeeded ? stored : null,
    failure: succeeded ? null : (stored as Failure | null),
  };
}
