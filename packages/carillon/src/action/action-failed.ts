/** The error of an action whose work failed, with everything that the queue needs to decide what comes next. */
import { isMarked, markInstances } from '../base/mark.ts';
import type { RunContext } from '../runs/context.ts';
import type { Failure } from '../runs/failure.ts';

export type ActionFailure = Omit<Failure, 'stack'>;

const actionFailedMark = Symbol.for('carillon.ActionFailed');

export class ActionFailed extends Error {
  static {
    markInstances(ActionFailed, actionFailedMark);
  }

  override readonly name: string;
  readonly details: unknown;
  readonly nonRetryable: boolean;
  readonly startFailed: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(failure: ActionFailure) {
    super(failure.message);
    this.name = failure.type ?? 'ActionFailed';
    this.details = failure.details;
    this.nonRetryable = failure.nonRetryable ?? false;
    this.startFailed = failure.startFailed ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    // The cause is outside this program; a stack trace would only fill the row.
    this.stack = '';
  }
}

/** Whether the value is an `ActionFailed`, of this or another copy of the library. */
export function isActionFailed(value: unknown): value is ActionFailed {
  return isMarked(value, actionFailedMark);
}

/**
 * Whether no earlier attempt of this run can have begun its work. Only then does a failed start mean that the slot
 * was never acted on: after a worker that went silent or stopped, or after any answer, that is unknown.
 */
export function nothingBegan({ previousFailure }: RunContext<unknown>): boolean {
  return previousFailure === null || previousFailure.startFailed === true;
}

/** The failure of an attempt to end work outside: the work goes on there, so it is still to be withdrawn. */
export function notStopped(message: string): ActionFailed {
  const failure = { message: `the workflow could not be stopped: ${message}`, type: 'NotWithdrawn' };
  return Object.assign(new ActionFailed(failure), { leavesWork: true });
}
