/** The view of a run of a host: the run, and what it did for its workflow. */

import type { FailureDetails, RunSummary } from '../../host/run-input.ts';
import { inputOf } from '../../host/run-input.ts';
import type { RunRow } from '../../store/records.ts';
import type { RunView } from '../run-view.ts';
import { viewListedRun } from '../run-view.ts';

export interface HostRunView extends Omit<RunView, 'input' | 'progress' | 'result'> {
  readonly kind: 'producer' | 'consumer';
  readonly handler: string;
  /** What the run does: everything, only the question about a change, or only `next`. */
  readonly task: 'run' | 'reconcile' | 'continue';
  readonly workAttempt: number;
  /** The run whose work it took up. */
  readonly retryOf: string | null;
  /** The id of the first run of that work. */
  readonly chain: string;
  /** What it did, once it has committed. */
  readonly summary: RunSummary | null;
  /** How it failed: see the guide. */
  readonly failureClass: FailureDetails['class'] | 'crashed' | 'stopped' | null;
}

export function viewHostRun(run: RunRow): HostRunView {
  const { kind, handler, task, attempt, retryOf } = inputOf(run);
  const view = viewListedRun(run);
  return {
    ...view,
    kind,
    handler,
    task,
    workAttempt: attempt,
    retryOf: retryOf ?? null,
    chain: run.alias ?? run.id,
    summary:
      run.outcome === 'completed' && run.result !== null ? (JSON.parse(run.result) as RunSummary) : null,
    failureClass: classOf(run, view),
  };
}

function classOf(run: RunRow, { failure }: RunView): HostRunView['failureClass'] {
  if (run.outcome === null || run.outcome === 'completed') return null;
  if (run.outcome === 'cancelled' || run.outcome === 'terminated') return 'stopped';
  if (run.outcome === 'timedOut') return 'crashed';
  const { class: given } = (failure?.details ?? {}) as Partial<FailureDetails>;
  return given ?? (failure?.nonRetryable === true ? 'logic' : 'transient');
}
