/** Failures of runs: the types that the queue itself reports, and the error of a handler that wants no other attempt. */
import type { Failure } from '../base/failure.ts';
import type { Instant } from '../base/time.ts';

export type { Failure } from '../base/failure.ts';
export { failureOf } from '../base/failure.ts';

/** A request to cancel or terminate runs. */
export interface StopReason {
  readonly reason: string;
  /** The person or program that asked; absent: the schedule's overlap policy did. */
  readonly askedBy?: string;
  /** Details that the caller gave, as JSON. */
  readonly details?: unknown;
}

export function stopFailure({ reason, askedBy, details }: StopReason, type: string, now: Instant): Failure {
  return {
    message: reason,
    type,
    ...(details === undefined ? {} : { details }),
    ...(askedBy === undefined ? {} : { askedBy }),
    askedAt: now,
  };
}

/** The types of failures that the queue itself reports. */
export const failureTypes = {
  cancelled: 'Cancelled',
  terminated: 'Terminated',
  leaseLost: 'LeaseLost',
  released: 'Released',
  attemptTimedOut: 'AttemptTimedOut',
  executionTimedOut: 'ExecutionTimedOut',
  badResult: 'BadResult',
  /** No living worker knew the name of the run for as long as it may wait. */
  noWorker: 'NoWorker',
  /** Work for another system could not be handed over: its queue is down. */
  enqueueFailed: 'EnqueueFailed',
} as const;

/** Thrown by a handler that knows another attempt would end the same way. */
export class NonRetryable extends Error {
  override readonly name: string = 'NonRetryable';
  /** Always true: no attempt follows. */
  readonly nonRetryable = true;
  /** Data that is stored with the failure. */
  readonly details: unknown;

  constructor(message: string, options: { readonly cause?: unknown; readonly details?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }
}
