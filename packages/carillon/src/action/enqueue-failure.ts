/** A failed attempt to enqueue work because its queue is down; it is retried. */
import type { RunContext } from '../runs/context.ts';
import { failureTypes } from '../runs/failure.ts';
import type { Conclusion } from '../runs/lifecycle.ts';
import { optionsOf } from '../runs/run.ts';
import { ActionFailed, nothingBegan } from './action-failed.ts';

/** The error of work that could not be handed to another queue; it is tried again under the same id. */
export function enqueueFailed(
  context: RunContext<unknown>,
  { where, error, isUnsent }: { readonly where: string; readonly error: unknown; readonly isUnsent: boolean },
): ActionFailed {
  const why = error instanceof Error ? error.message : String(error);
  return new ActionFailed({
    message: `${where}: ${why}`,
    type: failureTypes.enqueueFailed,
    // Once it may have been sent, it is unknown whether the job exists.
    startFailed: isUnsent && nothingBegan(context),
  });
}

export interface EnqueueFailure {
  readonly schedule: string;
  readonly attempt: number;
  readonly error: string;
}

/** Returns undefined when the attempt ended in another way, or has no schedule. */
export function enqueueFailure(
  run: Parameters<typeof optionsOf>[0] & { readonly attempt: number },
  conclusion: Conclusion,
): EnqueueFailure | undefined {
  if (conclusion.kind !== 'failed' || conclusion.failure.type !== failureTypes.enqueueFailed)
    return undefined;
  const { schedule } = optionsOf(run);
  if (schedule === undefined) return undefined;
  return { schedule, attempt: run.attempt, error: conclusion.failure.message };
}
