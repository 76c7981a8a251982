/** The error answers of this door. All errors have the same body. */
import type { Problem } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { HttpAnswer, HttpErrors, RefusedRequest } from '../http-door.ts';
import { errorHeaders } from '../http-errors.ts';
import { httpStatus } from '../status.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    /** A stable word that clients may switch on. */
    readonly reason: string;
    readonly message: string;
    readonly problems: readonly Problem[];
    /** Similar ids, when something of the given id is not there. */
    readonly didYouMean?: readonly string[];
    readonly requestId: string;
  };
}

/** `prefix` is the path of the API; the not-found answer names it. */
export function nativeErrors(prefix: string): HttpErrors {
  return {
    error: answer,
    notFound: (request) => {
      const message = `there is nothing at '${request.path.slice(0, 200)}'; the API is under ${prefix}`;
      return answer(new ServiceError({ code: 'notFound', reason: 'UNKNOWN_ROUTE', message }), request);
    },
  };
}

function answer(trouble: ServiceError, { id }: RefusedRequest): HttpAnswer {
  return {
    status: httpStatus(trouble),
    headers: errorHeaders(trouble),
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(errorBody(trouble, id)),
  };
}

/** Internal errors are written to the log under the request id; the caller gets only that id. */
function errorBody(
  { code, reason, message, problems, didYouMean }: ServiceError,
  requestId: string,
): ErrorBody {
  const shown =
    code === 'internal' ? `something went wrong here; the log has it under request ${requestId}` : message;
  return {
    error: {
      code,
      reason: code === 'internal' ? 'INTERNAL' : reason,
      message: shown,
      problems,
      ...(didYouMean.length === 0 ? {} : { didYouMean }),
      requestId,
    },
  };
}
