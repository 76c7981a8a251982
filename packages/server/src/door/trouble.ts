/** Turns any thrown value into a `ServiceError`. */
import { isServiceError, ServiceError } from 'carillon/internal/base';
import { storeTrouble } from 'carillon/internal/service';

/** Reason and message for the requests that Fastify refuses by itself. */
const refusals: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'only JSON is understood: send content-type application/json',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_BODY', 'the body is not as long as content-length says'],
  FST_ERR_BAD_URL: ['BAD_URL', 'the path is not valid percent-encoding'],
  FST_ERR_ASYNC_CONSTRAINT: ['BAD_REQUEST', 'the request cannot be understood'],
};

export function serviceErrorOf(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const trouble = storeTrouble(error);
  if (trouble !== undefined) return trouble;
  const { code, statusCode, message } = (error ?? {}) as {
    code?: unknown;
    statusCode?: unknown;
    message?: unknown;
  };
  const known = typeof code === 'string' ? refusals[code] : undefined;
  if (known !== undefined) return refusal(...known);
  // The messages of Fastify's own 4xx errors describe the request and reveal nothing about the server.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return refusal('BAD_REQUEST', typeof message === 'string' ? message : 'the request cannot be understood');
  }
  return ServiceError.from(error);
}

function refusal(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason, message });
}
