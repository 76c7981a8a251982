/** Reports to a world what the handlers of a node do. */
import type { Clock } from '../base/clock.ts';
import type { Carillon } from '../embed/carillon.ts';
import type { Failure } from '../runs/failure.ts';
import type { Conclusion } from '../runs/lifecycle.ts';
import { optionsOf } from '../runs/run.ts';
import type { RunRow } from '../store/records.ts';
import type { Failures } from './failures.ts';
import type { NodeWork } from './patience.ts';

export interface HandlerWatch {
  /** Virtual time. */
  readonly clock: Clock;
  readonly failures: Failures;
  readonly work: NodeWork;
}

export function observeHandlers(carillon: Carillon, { clock, failures, work }: HandlerWatch): void {
  carillon.observe({
    began: ({ id, name }) => work.began(id, name),
    concluded: (run, conclusion) => {
      work.concluded(run.id);
      const failure = failureIn(conclusion);
      if (failure !== undefined) failures.failed({ ...about(run), at: clock.now(), ...failure });
      else if (conclusion.kind === 'completed') failures.completed(run.id);
    },
  });
}

function about(run: RunRow) {
  const { id: runId, name: handler, attempt } = run;
  return { schedule: optionsOf(run).schedule ?? null, handler, runId, attempt };
}

/** Cancelled and interrupted attempts are not failures: the test or the node ended them. */
function failureIn(
  conclusion: Conclusion,
): (Pick<Failure, 'message' | 'stack'> & { readonly type: string }) | undefined {
  switch (conclusion.kind) {
    case 'failed': {
      const { message, type = 'Error', stack } = conclusion.failure;
      return { type, message, ...(stack === undefined ? {} : { stack }) };
    }
    case 'timedOut':
      return { type: 'TimedOut', message: `the ${conclusion.limit} timed out` };
    default:
      return undefined;
  }
}
