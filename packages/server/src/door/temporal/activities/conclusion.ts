/** The end of an activity's attempt, as the run queue takes it. Results and failures keep the form in which the worker sent them. */
import type { Failure, WorkerConclusion } from 'carillon/internal/service';
import { conclusionOfResult, failureTypes } from 'carillon/internal/service';
import { base64 } from '../fields.ts';
import { readArguments } from '../payload.ts';
import { durationMs } from '../proto-time.ts';
import type { Duration, Payload } from '../protocol.ts';
import { encode, typeNamed } from '../protocol.ts';

export interface Payloads {
  readonly payloads?: readonly Payload[] | null;
}

/** `temporal.api.failure.v1.Failure` */
export interface WireFailure {
  readonly message?: string | null;
  readonly stackTrace?: string | null;
  readonly applicationFailureInfo?: {
    readonly type?: string | null;
    readonly nonRetryable?: boolean | null;
    readonly details?: Payloads | null;
    readonly nextRetryDelay?: Duration | null;
  } | null;
}

const failureType = typeNamed('temporal.api.failure.v1.Failure');

/** The largest failure whose bytes are kept. Of a larger one only the decoded fields are kept. */
const largestKept = 64 * 1024;

/** Failure types with which SDKs report that the worker stops. The work has not failed, so no attempt is counted. */
const workerStopped: ReadonlySet<string> = new Set([
  'WorkerShutdown',
  'io.temporal.client.ActivityWorkerShutdownException',
]);

export function completed(result: Payloads | null | undefined): WorkerConclusion {
  // A result that cannot be stored fails the attempt, as it does for handlers here.
  return conclusionOfResult(readArguments(result?.payloads)) as WorkerConclusion;
}

export function failed(failure: WireFailure | null | undefined): WorkerConclusion {
  const read = readFailure(failure ?? {});
  return workerStopped.has(read.type ?? '')
    ? { kind: 'released', begun: true }
    : { kind: 'failed', failure: read };
}

export function cancelled(details: Payloads | null | undefined): WorkerConclusion {
  const said = readArguments(details?.payloads);
  const failure: Failure = {
    message: typeof said === 'string' ? said : 'cancelled',
    type: failureTypes.cancelled,
    ...(said === null || typeof said === 'string' ? {} : { details: said }),
  };
  return { kind: 'cancelled', failure };
}

export function readFailure(failure: WireFailure): Failure {
  const { message, stackTrace, applicationFailureInfo: info } = failure;
  const delay = info?.nextRetryDelay ? durationMs(info.nextRetryDelay) : undefined;
  const details = readArguments(info?.details?.payloads);
  const bytes = encode(failureType, failure);
  return {
    message: message ?? '',
    ...(info?.type ? { type: info.type } : {}),
    ...(stackTrace ? { stack: stackTrace } : {}),
    ...(details === null ? {} : { details }),
    ...(info?.nonRetryable === true ? { nonRetryable: true } : {}),
    ...(delay === undefined || delay <= 0 ? {} : { retryAfterMs: Math.trunc(delay) }),
    ...(bytes.length > largestKept ? {} : { wire: base64(bytes) }),
  };
}
