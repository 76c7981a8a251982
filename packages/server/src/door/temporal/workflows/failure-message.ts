/** The failure of a workflow in Temporal's format. */
import type { Failure } from 'carillon/internal/service';
import { encoded } from '../fields.ts';
import { payloadOf } from '../payload.ts';

/** `temporal.api.failure.v1.Failure` */
export function failureMessage(failure: Failure): object {
  const { message, stack, type, nonRetryable, details, wire } = failure;
  // A Temporal worker reported the failure. Its bytes are returned, because they may be encrypted.
  if (wire !== undefined) return encoded(Buffer.from(wire, 'base64'));
  return {
    message,
    source: 'Carillon',
    stackTrace: stack ?? '',
    applicationFailureInfo: {
      type: type ?? '',
      nonRetryable: nonRetryable === true,
      ...(details === undefined ? {} : { details: { payloads: [payloadOf(details)] } }),
    },
  };
}

/** The failure in the result of a run that was not completed. */
export function storedFailure(result: string | null): Failure {
  const failure = result === null ? null : (JSON.parse(result) as Partial<Failure> | null);
  return { ...failure, message: failure?.message ?? '' };
}
