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
      return [`${failures}.WorkflowExecutionAlreadyStartedFailure`, startedOf(error.cause)];
    case 'PERMISSION_DENIED':
    case 'FOREIGN_ORIGIN':
      return [`${failures}.PermissionDeniedFailure`, { reason: cut(error.message) }];
    case 'RATE_LIMITED':
      return [`${failures}.ResourceExhaustedFailure`, { cause: requestsPerSecond, scope: scopeOfNamespace }];
    default:
      return undefined;
  }
}

/** Which workflow is in the way, and by which request it was started. */
function startedOf(cause: unknown): object {
  const { startRequestId, runId } = (cause ?? {}) as {
    readonly startRequestId?: unknown;
    readonly runId?: unknown;
  };
  return typeof runId === 'string' ? { startRequestId, runId } : {};
}

export function badRequest(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message });
}

/** Why a known procedure is not served. Signals, updates and resets need workflow code, which does not run here. */
const unserved: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /^(Signal|Update|PollWorkflowExecutionUpdate|Reset|ExecuteMulti|Pause|Unpause|RespondWorkflow|RespondQuery)/,
    'this server runs handlers and activities, not workflow code; cancel, terminate and start workflows instead',
  ],
  [/Nexus/, 'this server has no Nexus services'],
  [/WorkerDeployment|WorkerVersioning|BuildId|Deployment/, 'this server has no versions of workers'],
  [/^(Archive|ListArchived)/, 'finished runs are removed by retention and not archived'],
];

export function unknownMethod(method: string, service: string): ServiceError {
  const [, sentence] = unserved.find(([pattern]) => pattern.test(method)) ?? [];
  return unimplemented(
    `${method} for service ${service}`,
    sentence ?? 'this server has schedules and what belongs to them',
  );
}

export function unimplemented(method: string, sentence: string): ServiceError {
  // Go clients check for the words "unknown method" before they fall back to another method.
  const message = `unknown method ${method}: ${sentence}`;
  return new ServiceError({ code: 'unimplemented', reason: 'UNKNOWN_METHOD', message });
}
