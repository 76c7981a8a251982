/** The errors for a caller when an execution is absent, exists already, or is no longer open. */
import { ServiceError } from '../base/error.ts';
import type { ExecutionKey } from '../store/records.ts';

export function notFound(key: ExecutionKey): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no ${key.archetype} '${key.id}' in the namespace '${key.namespace}'`,
  });
}

export function alreadyExists(key: ExecutionKey): ServiceError {
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'ALREADY_EXISTS',
    message: `${key.archetype} '${key.id}' exists already in the namespace '${key.namespace}'; choose another id, or update it`,
  });
}

export function requestUsed(key: ExecutionKey, requestId: string): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'REQUEST_ID_REUSED',
    message: `request '${requestId}' created a ${key.archetype} '${key.id}' that is closed by now; use a new request id`,
  });
}

export function executionClosed(key: ExecutionKey): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'EXECUTION_CLOSED',
    message: `${key.archetype} '${key.id}' is closed and takes no more changes; create it anew to use its id again`,
  });
}
