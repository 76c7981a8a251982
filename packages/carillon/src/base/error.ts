import { isMarked, markInstances } from './mark.ts';

/**
 * The one error class of the product. `code` is the closed gRPC set, `reason` a stable upper-case word that a client
 * may switch on, `message` is for people and says what to do. `cause` is for logs and never sent.
 */
export type ErrorCode =
  | 'cancelled'
  | 'invalidArgument'
  | 'deadlineExceeded'
  | 'notFound'
  | 'alreadyExists'
  | 'permissionDenied'
  | 'resourceExhausted'
  | 'failedPrecondition'
  | 'aborted'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'dataLoss'
  | 'unauthenticated';

/** One problem of an input: where it is, which rule it breaks (a stable word), and what to write instead. */
export interface Problem {
  /** Where in the input it is, such as `retry.attempts`; empty for the input as a whole. */
  readonly path: string;
  /** A stable upper-case word that says which rule was broken. */
  readonly reason: string;
  /** What is wrong, for people. */
  readonly message: string;
  /** What to write instead; absent when that is not known. */
  readonly fix?: string;
}

export interface ErrorFields {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly didYouMean?: readonly string[];
  readonly cause?: unknown;
}

const serviceErrorMark = Symbol.for('carillon.ServiceError');

/** The error of every refused call. Switch on `reason`. */
export class ServiceError extends Error {
  static {
    markInstances(ServiceError, serviceErrorMark);
  }

  override readonly name = 'ServiceError';
  /** The kind of error, one of a closed list. */
  readonly code: ErrorCode;
  /** A stable upper-case word that says which rule was broken. */
  readonly reason: string;
  /** Every problem of the input; empty when the input is not the problem. */
  readonly problems: readonly Problem[];
  /**
   * Similar ids, nearest first, when something of the given id is not there; the namespaces of the caller's key when it asked
   * for another one; otherwise empty.
   */
  readonly didYouMean: readonly string[];

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.reason = fields.reason;
    this.problems = fields.problems ?? [];
    this.didYouMean = fields.didYouMean ?? [];
  }

  /** The error itself, or an `internal` one around it. */
  static from(error: unknown): ServiceError {
    if (isServiceError(error)) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new ServiceError({ code: 'internal', reason: 'INTERNAL', message, cause: error });
  }

  /** An `invalidArgument` error that carries every problem found, so that the user can fix all of them at once. */
  static invalid(problems: readonly Problem[]): ServiceError {
    const message = problems.map(sentenceOf).join('; ');
    return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message, problems });
  }
}

/** Whether the value is a `ServiceError`, of this or another copy of the library. */
export function isServiceError(value: unknown): value is ServiceError {
  return isMarked(value, serviceErrorMark);
}

function sentenceOf({ path, message, fix }: Problem): string {
  return `${path === '' ? '' : `${path}: `}${message}${fix === undefined ? '' : ` (${fix})`}`;
}
