/** How an action says that its work did not succeed: everything the queue needs to decide what comes next. */
import type { RunContext } from '../runs/context.ts';
import type { Failure } from '../runs/failure.ts';

export type ActionFailure = Omit<Failure, 'stack'>;

export class ActionFailed extends Error {
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
    // The trouble is elsewhere; where in our code it was noticed would only fill the row.
    this.stack = '';
  }
}

/**
 * Whether no earlier attempt of this run can have begun its work. Only then does a failed start mean that the slot was
 * never acted on: after a worker that went silent or stopped, or an answer of any kind, nobody can know.
 */
export function nothingBegan({ previousFailure }: RunContext<unknown>): boolean {
  return previousFailure === null || previousFailure.startFailed === true;
}
