/** The error of a failed call: the server's refusal, or that the server could not be reached. */
import { isMarked, markInstances } from '../base/mark.ts';

export interface ClientProblem {
  readonly path: string;
  readonly reason: string;
  readonly message: string;
  readonly fix?: string;
}

export interface ClientErrorFields {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly problems?: readonly ClientProblem[];
  readonly didYouMean?: readonly string[];
  readonly requestId?: string;
  readonly cause?: unknown;
}

const carillonErrorMark = Symbol.for('carillon.CarillonError');

/** The error of every refused call of the client, or of one that did not reach the server. */
export class CarillonError extends Error {
  static {
    markInstances(CarillonError, carillonErrorMark);
  }

  override readonly name = 'CarillonError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** One of the gRPC codes, e.g. `notFound`. */
  readonly code: string;
  /** A stable word to switch on, e.g. `ALREADY_EXISTS`; `UNREACHABLE` when there was no answer. */
  readonly reason: string;
  /** Every problem of the input; empty when the input is not the problem. */
  readonly problems: readonly ClientProblem[];
  /** Similar ids, nearest first, when something of the given id is not there; otherwise empty. */
  readonly didYouMean: readonly string[];
  /** The id of the request in the server's log. */
  readonly requestId: string;

  constructor(fields: ClientErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.reason = fields.reason;
    this.problems = fields.problems ?? [];
    this.didYouMean = fields.didYouMean ?? [];
    this.requestId = fields.requestId ?? '';
  }
}

/** Whether the value is a `CarillonError`, of this or another copy of the library. */
export function isCarillonError(value: unknown): value is CarillonError {
  return isMarked(value, carillonErrorMark);
}

/** Reads the body of a refusal. A proxy before the server may have answered in another format. */
export function errorOf(status: number, body: unknown): CarillonError {
  const sent = (body as { readonly error?: Partial<ClientErrorFields> } | undefined)?.error;
  if (typeof sent?.reason !== 'string' || typeof sent.message !== 'string') {
    const message = `the server answered ${status} with a body that is not Carillon's; check that the URL leads to a Carillon server`;
    return new CarillonError({ status, code: 'internal', reason: 'UNEXPECTED_ANSWER', message });
  }
  return new CarillonError({
    status,
    code: sent.code ?? 'internal',
    reason: sent.reason,
    message: sent.message,
    problems: sent.problems ?? [],
    didYouMean: sent.didYouMean ?? [],
    requestId: sent.requestId ?? '',
  });
}
