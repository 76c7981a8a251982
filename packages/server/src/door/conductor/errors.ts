/** The error answers of this door, in the form of Conductor's `ErrorResponse`. */
import { ServiceError } from 'carillon/internal/base';
import type { HttpAnswer, HttpErrors, RefusedRequest } from '../http-door.ts';
import { errorHeaders } from '../http-errors.ts';
import { httpStatus } from '../status.ts';

export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly invalidValue?: string;
}

interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly instance?: string;
  readonly retryable: boolean;
  /** The word by which the official clients recognise a key that must be renewed. */
  readonly error?: string;
  readonly validationErrors?: readonly FieldError[];
}

/** `instance` names the server in every answer. */
export function conductorErrors(instance: string): HttpErrors {
  return {
    error: (trouble, request) => ({
      ...answer(errorResponse(trouble, request, instance)),
      headers: errorHeaders(trouble),
    }),
    notFound: ({ path }) => {
      const message = `No static resource ${path.slice(0, 500).replace(/^\/+|\/+$/g, '')}.`;
      return answer({ status: 404, message, instance, retryable: false });
    },
  };
}

function errorResponse(trouble: ServiceError, request: RefusedRequest, instance: string): ErrorResponse {
  const { code, reason, problems } = trouble;
  const status = httpStatus(trouble);
  if (trouble instanceof ValidationFailed) {
    const { message, fields } = trouble;
    return { status, message, retryable: false, validationErrors: fields };
  }
  const message =
    code === 'internal'
      ? `something went wrong here; the log has it under request ${request.id}`
      : trouble.message;
  return {
    status,
    message,
    instance,
    retryable: code === 'unavailable' || code === 'aborted' || code === 'resourceExhausted',
    ...(code === 'unauthenticated' ? { error: 'INVALID_TOKEN' } : {}),
    ...(code === 'invalidArgument' && reason !== 'METHOD_NOT_ALLOWED' && problems.length > 0
      ? { validationErrors: problems.map(fieldError) }
      : {}),
  };
}

function fieldError({ path, message, fix }: ServiceError['problems'][number]): FieldError {
  return { path, message: fix === undefined ? message : `${message} (${fix})` };
}

function answer(body: ErrorResponse): HttpAnswer {
  return { status: body.status, contentType: 'application/json', body: JSON.stringify(body) };
}

/** The error for an argument that breaks one of the original's own rules; its answer has a special form. */
class ValidationFailed extends ServiceError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[], detail: string) {
    const message = `Validation failed, check below errors for detail.${detail === '' ? '' : ` ${detail}`}`;
    super({ code: 'invalidArgument', reason: 'VALIDATION_FAILED', message });
    this.fields = fields;
  }
}

/** `detail` is part of the message itself, because the official clients show nothing else. */
export function validationFailed(fields: readonly FieldError[], detail = ''): ServiceError {
  return new ValidationFailed(fields, detail);
}

/** A list of names that breaks a rule of the bulk routes. */
export function badList(path: string, message: string): ServiceError {
  return validationFailed([{ path, message }]);
}

export function scheduleNotFound(name: string): ServiceError {
  const message = `Schedule '${name}' not found`;
  return new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message });
}

export function methodNotSupported(method: string, allowed: readonly string[]): ServiceError {
  const reason = 'METHOD_NOT_ALLOWED';
  const message = `Request method '${method}' is not supported`;
  const problems = [{ path: '', reason, message: allowed.join(', ') }];
  return new ServiceError({ code: 'invalidArgument', reason, message, problems });
}
