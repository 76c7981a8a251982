/** A failed attempt to enqueue work because its queue is down; it is retried. */
import { failureTypes } from '../runs/failure.ts';
import type { Conclusion } from '../runs/lifecycle.ts';
import { optionsOf } from '../runs/run.ts';

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
