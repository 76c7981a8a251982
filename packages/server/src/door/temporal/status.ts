/**
 * What went wrong, as gRPC says it: the code, a message, and in a trailer the details by which clients tell apart what the
 * code alone does not.
 */
import { ServiceError } from 'carillon/internal/base';
import { statuses } from '../status.ts';
import { serviceErrorOf } from '../trouble.ts';
import { encode, typeNamed } from './protocol.ts';

export interface Trouble {
  readonly code: number;
  readonly message: string;
  /** A serialised `google.rpc.Status`; absent where the code says it all. */
  readonly details?: Uint8Array;
  /** For the log; not to be told. */
  readonly cause: ServiceError;
}

/** Trailers are headers: beyond a few thousand bytes clients and proxies give up on them. */
const longestMessage = 2000;

/** `namespace` is the one the request named. */
export function troubleOf(error: unknown, requestId: string, namespace = ''): Trouble {
  const cause = serviceErrorOf(error);
  const { grpc: code } = statuses[cause.code];
  // Our own faults are told in the log, where the request id leads; not to whoever asked.
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
      // Of a schedule too: Go and Python look for this one.
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
  // Go clients look for these two words before they go on without a method.
  const message = `unknown method ${method} for service ${service}: this server has schedules and what belongs to them`;
  return new ServiceError({ code: 'unimplemented', reason: 'UNKNOWN_METHOD', message });
}
