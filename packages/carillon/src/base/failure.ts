/**
 * Why an attempt or a run did not succeed, in its stored form: plain data with bounded texts. Shared with the client, whose
 * workers report failures over HTTP.
 */
import type { Instant } from './time.ts';

/** How an attempt failed, in the form that is stored. */
export interface Failure {
  /** The message of the error. */
  readonly message: string;
  /** The error's name, or one of `failureTypes`. */
  readonly type?: string;
  /** The stack of the error, when it had one. */
  readonly stack?: string;
  /** JSON the handler attached to its error. */
  readonly details?: unknown;
  /** True when another attempt cannot help. */
  readonly nonRetryable?: boolean;
  /** True when the work never began: a schedule that counts started actions may give this one back. */
  readonly startFailed?: boolean;
  /** The shortest pause after the failure before another attempt may begin. */
  readonly retryAfterMs?: number;
  /** The pause before another attempt, instead of that of the retry policy. */
  readonly retryInMs?: number;
  /** The person or program that asked for the end of a cancelled or terminated run, and when; absent: its schedule did. */
  readonly askedBy?: string;
  /** When the end was asked for. */
  readonly askedAt?: Instant;
  /** The failure in the encoding of the door that reported it, for clients of that door. */
  readonly wire?: string;
  /** The error that caused this one, as `cause` of the error says. */
  readonly cause?: Failure;
  /** The errors of an `AggregateError`. */
  readonly errors?: readonly Failure[];
}

export const longestMessage = 4 * 1024;
export const longestStack = 8 * 1024;
export const longestDetails = 16 * 1024;
const longestType = 200;
/** The stack of a cause mostly repeats that of its error. */
const longestCauseStack = 2 * 1024;
/** How many causes in a row are kept, and how many errors of an aggregate. */
const mostCauses = 5;
const mostErrors = 10;

export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Any value can be thrown; a value that is not an error becomes the message. Never throws itself. */
export function failureOf(error: unknown): Failure {
  return describe(error, 0, new Set());
}

function describe(error: unknown, depth: number, seen: Set<unknown>): Failure {
  if (!isError(error)) return { message: cut(textOf(error), longestMessage) };
  seen.add(error);
  const extra = error as { readonly [Field in keyof Failure]?: unknown };
  const details = storable(extra.details);
  const stack = typeof error.stack === 'string' ? error.stack : '';
  return {
    message: cut(textOf(error.message), longestMessage),
    type: cut(textOf(error.name), longestType),
    ...(stack === '' ? {} : { stack: cut(stack, depth === 0 ? longestStack : longestCauseStack) }),
    ...(details === undefined ? {} : { details }),
    ...(extra.nonRetryable === true ? { nonRetryable: true } : {}),
    ...(extra.startFailed === true ? { startFailed: true } : {}),
    ...(isPause(extra.retryAfterMs) ? { retryAfterMs: extra.retryAfterMs } : {}),
    ...(isPause(extra.retryInMs) ? { retryInMs: extra.retryInMs } : {}),
    ...inner(extra, depth, seen),
  };
}

/** The errors behind an error. A chain that leads back to itself ends there. */
function inner(
  { cause, errors }: { readonly cause?: unknown; readonly errors?: unknown },
  depth: number,
  seen: Set<unknown>,
): Pick<Failure, 'cause' | 'errors'> {
  if (depth >= mostCauses) return {};
  const deeper = (error: unknown) => describe(error, depth + 1, seen);
  const isNew = (error: unknown) => error !== undefined && error !== null && !seen.has(error);
  const several = Array.isArray(errors) ? errors.filter(isNew).slice(0, mostErrors).map(deeper) : [];
  return {
    ...(isNew(cause) ? { cause: deeper(cause) } : {}),
    ...(several.length === 0 ? {} : { errors: several }),
  };
}

function isPause(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/**
 * The failure and its causes in one line, for logs and events: 'fetch failed: connect ECONNREFUSED 127.0.0.1:80'. A cause that
 * the line names already is left out.
 */
export function reasonOf(failure: Failure): string {
  let line = failure.message;
  for (let cause = failure.cause; cause !== undefined; cause = cause.cause) {
    if (!line.includes(cause.message)) line += `: ${cause.message}`;
  }
  return cut(line, longestMessage);
}

/** Errors of another realm are errors too. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
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
