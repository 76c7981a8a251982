/** The port of work that runs elsewhere. */
import type { Handler } from '../runs/context.ts';
import type { WorkerQueue } from '../runs/worker.ts';

/**
 * A kind of work outside our own handlers. Every piece of it is a run on the queue `@<kind>`, so it has the leases,
 * retries, timeouts, priorities and the one ending of any run.
 *
 * - It *starts* when `perform` is called, once per attempt, with the action's JSON as input. The run's id is the same in
 *   every attempt: hand it on as the idempotency key, because an attempt may be repeated after a crash.
 * - It is *cancelled* by the context's signal: end the work, as far as it can be ended, and throw the signal's reason.
 * - Its *completion* is learned from what `perform` returns or throws (`ActionFailed` says whether trying again helps
 *   and whether the work ever began), or, when it returned `park(…)`, from the holder of the callback token; a parked
 *   run that is not finished in time is a timed out attempt.
 */
export interface Action {
  readonly kind: string;
  /** Pieces of this work that one process has under way at once. */
  readonly concurrency: number;
  readonly perform: Handler<never>;
  /** `perform` only waits for what others do, and finds it again when called anew; see `WorkerQueue`. Default false. */
  readonly waitsElsewhere?: boolean;
  /** Lets go of connections; called after the last run has ended. */
  close?(): Promise<void>;
}

export interface ActionQueue extends WorkerQueue {
  close?(): Promise<void>;
}

/** Work elsewhere is asked for by workers of ours, on queues of their own. */
export function actionQueue(kind: string): string {
  return `@${kind}`;
}

export function actionQueues(actions: readonly Action[]): Readonly<Record<string, ActionQueue>> {
  return Object.fromEntries(
    actions.map((action) => {
      const { kind, concurrency, perform, waitsElsewhere = false } = action;
      const close = action.close?.bind(action);
      return [
        actionQueue(kind),
        {
          concurrency,
          handlers: { [kind]: perform },
          waitsElsewhere,
          ...(close === undefined ? {} : { close }),
        },
      ];
    }),
  );
}
