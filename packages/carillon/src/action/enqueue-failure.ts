/** An attempt to hand work over that failed because its queue is down; it is repeated. */
import { failureTypes } from '../runs/failure.ts';
import type { Conclusion } from '../runs/lifecycle.ts';
import { optionsOf } from '../runs/run.ts';

export interface EnqueueFailure {
  readonly schedule: string;
  readonly attempt: number;
  readonly error: string;
}

/** Undefined when the attempt ended in another way, or belongs to no schedule. */
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
