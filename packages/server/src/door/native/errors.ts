/** What this door sends when something goes wrong: one body, whatever it was. */
import type { Problem } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { HttpAnswer, HttpErrors, RefusedRequest } from '../http-door.ts';
import { errorHeaders } from '../http-errors.ts';
import { httpStatus } from '../status.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    /** A stable word to switch on. */
    readonly reason: string;
    readonly message: string;
    readonly problems: readonly Problem[];
    readonly requestId: string;
  };
}

/** `prefix`: where the API is, for callers that look elsewhere. */
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

/** Our own faults are told in the log, where the request id leads; not to the caller. */
function errorBody({ code, reason, message, problems }: ServiceError, requestId: string): ErrorBody {
  const shown =
    code === 'internal' ? `something went wrong here; the log has it under request ${requestId}` : message;
  return {
    error: { code, reason: code === 'internal' ? 'INTERNAL' : reason, message: shown, problems, requestId },
  };
}
