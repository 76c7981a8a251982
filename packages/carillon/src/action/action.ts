/** The port of work that runs outside the program's handlers. */
import type { Handler } from '../runs/context.ts';
import type { WorkerQueue } from '../runs/offered-queues.ts';

/**
 * A kind of work outside the program's handlers. Each piece of work is a run on the queue `@<kind>`, with leases,
 * retries, timeouts, priorities and exactly one end, like any run.
 *
 * - It *starts* when `perform` is called, once per attempt, with the action's JSON as input. The run's id is the same
 *   in every attempt: pass it on as the idempotency key, because an attempt may be repeated after a crash.
 * - It is *cancelled* by the context's signal: end the work, as far as it can be ended, and throw the signal's
 *   reason.
 * - Its *completion* is learned from what `perform` returns or throws (`ActionFailed` says whether trying again helps
 *   and whether the work ever began), or, when it returned `park(…)`, from the holder of the callback token; a parked
 *   run that is not finished in time is a timed out attempt.
 */
export interface Action {
  readonly kind: string;
  /** The most pieces of this work that one process performs at once. */
  readonly concurrency: number;
  readonly perform: Handler<never>;
  /**
   * Whether `perform` only waits for outside work and finds it again when it is called again; see `WorkerQueue`.
   * Default false.
   */
  readonly waitsElsewhere?: boolean;
  /** Closes connections; called after the last run has ended. */
  close?(): Promise<void>;
}

export interface ActionQueue extends WorkerQueue {
  close?(): Promise<void>;
}

/** The queue of an action's kind. Workers of this process perform the runs on it. */
export function actionQueue(kind: string): string {
  return `@${kind}`;
}

/** The target of schedules that name none. */
export const defaultTarget = 'default';

/** The queue of one target of a kind. Each target has its own, so that a slow or dead one delays no other work. */
export function targetQueue(kind: string, target: string = defaultTarget): string {
  return `${actionQueue(kind)}/${target}`;
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
