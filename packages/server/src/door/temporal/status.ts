/**
 * Errors in gRPC's form: the code, a message and, in a trailer, details that let clients distinguish errors with the same
 * code.
 */
import { ServiceError } from 'carillon/internal/base';
import { statuses } from '../status.ts';
import { serviceErrorOf } from '../trouble.ts';
import { encode, typeNamed } from './protocol.ts';

export interface Trouble {
  readonly code: number;
  readonly message: string;
  /** An encoded `google.rpc.Status`; absent when the code is sufficient. */
  readonly details?: Uint8Array;
  /** For the log; not sent to the client. */
  readonly cause: ServiceError;
}

/** Trailers are headers: clients and proxies refuse more than a few thousand bytes. */
const longestMessage = 2000;

/** `namespace` is the namespace that the request names. */
export function troubleOf(error: unknown, requestId: string, namespace = ''): Trouble {
  const cause = serviceErrorOf(error);
  const { grpc: code } = statuses[cause.code];
  // Internal errors are written to the log under the request id; the caller gets only that id.
  const shown =
    cause.code === 'internal'
      ? `something went wrong here; the log has it under request ${requestId}`
      : cut(cause.message);
  const detail = detailOf(cause, namespace);
  if (detail === undefined) return { code, message: shown, cause };
  const [name, value] = detail;
  const details = encode(typeNamed('google.rpc.Status'), {
    code,
    message: shown,
    details: [{ type_url: `type.googleapis.com/${name}`, value: encode(typeNamed(name), value) }],
  });
  return { code, message: shown, details, cause };
}

function cut(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}

const failures = 'temporal.api.errordetails.v1';
const requestsPerSecond = 1;
const scopeOfNamespace = 1;

function detailOf(
  error: ServiceError,
  namespace: string,
): readonly [name: string, value: object] | undefined {
  switch (error.reason) {
    case 'NAMESPACE_NOT_FOUND':
      return [`${failures}.NamespaceNotFoundFailure`, { namespace }];
    case 'NAMESPACE_ALREADY_EXISTS':
      return [`${failures}.NamespaceAlreadyExistsFailure`, {}];
    case 'NOT_FOUND':
    case 'EXECUTION_CLOSED':
      return [`${failures}.NotFoundFailure`, {}];
    case 'ALREADY_EXISTS':
      // Used for schedules too, because the Go and Python clients check for it.
      return [`${failures}.WorkflowExecutionAlreadyStartedFailure`, {}];
    case 'PERMISSION_DENIED':
    case 'FOREIGN_ORIGIN':
      return [`${failures}.PermissionDeniedFailure`, { reason: cut(error.message) }];
    case 'RATE_LIMITED':
      return [`${failures}.ResourceExhaustedFailure`, { cause: requestsPerSecond, scope: scopeOfNamespace }];
    default:
      return undefined;
  }
}

export function badRequest(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message });
}

export function unknownMethod(method: string, service: string): ServiceError {
  // Go clients check for the words "unknown method" before they fall back to another method.
  const message = `unknown method ${method} for service ${service}: this server has schedules and what belongs to them`;
  return new ServiceError({ code: 'unimplemented', reason: 'UNKNOWN_METHOD', message });
}
