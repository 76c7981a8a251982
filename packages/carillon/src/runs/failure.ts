/** Why an attempt or a run did not succeed, in its stored form: plain data with bounded texts. */
import type { Instant } from '../base/time.ts';
import { cut, longestDetails, longestMessage, longestStack } from './limits.ts';

export interface Failure {
  readonly message: string;
  /** The error's name, or one of `failureTypes`. */
  readonly type?: string;
  readonly stack?: string;
  /** JSON the handler attached to its error. */
  readonly details?: unknown;
  /** True when another attempt cannot help. */
  readonly nonRetryable?: boolean;
  /** True when the work never began: a schedule that counts started actions may give this one back. */
  readonly startFailed?: boolean;
  /** The pause after the failure before another attempt may begin. */
  readonly retryAfterMs?: number;
  /** The person or program that asked for the end of a cancelled or terminated run, and when; absent: its schedule did. */
  readonly askedBy?: string;
  readonly askedAt?: Instant;
  /** The failure in the encoding of the door that reported it, for clients of that door. */
  readonly wire?: string;
}

/** A request to cancel or terminate runs. */
export interface StopReason {
  readonly reason: string;
  /** Absent: the schedule's overlap policy. */
  readonly askedBy?: string;
  /** JSON of the caller. */
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
  /** Work for another system could not be handed over: its queue is down. */
  enqueueFailed: 'EnqueueFailed',
} as const;

/** Thrown by a handler that knows another attempt would end the same way. */
export class NonRetryable extends Error {
  override readonly name: string = 'NonRetryable';
  readonly nonRetryable = true;
  readonly details: unknown;

  constructor(message: string, options: { readonly cause?: unknown; readonly details?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }
}

/** Any value can be thrown; a value that is not an error becomes the message. Never throws itself. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: cut(textOf(error), longestMessage) };
  const extra = error as { readonly [Field in keyof Failure]?: unknown };
  const details = storable(extra.details);
  return {
    message: cut(textOf(error.message), longestMessage),
    type: cut(textOf(error.name), 200),
    ...(typeof error.stack === 'string' && error.stack !== ''
      ? { stack: cut(error.stack, longestStack) }
      : {}),
    ...(details === undefined ? {} : { details }),
    ...(extra.nonRetryable === true ? { nonRetryable: true } : {}),
    ...(extra.startFailed === true ? { startFailed: true } : {}),
    ...(typeof extra.retryAfterMs === 'number' ? { retryAfterMs: extra.retryAfterMs } : {}),
  };
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Details that cannot be stored are left out rather than hiding the failure behind a second one. */
function storable(details: unknown): unknown {
  if (details === undefined) return undefined;
  try {
    const text = JSON.stringify(details);
    return text === undefined || text.length > longestDetails ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
