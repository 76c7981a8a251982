/**
 * The error when the caller no longer waits for the answer. It is a separate error, so that logs do not count it as a
 * fault.
 */
import { ServiceError } from '../base/error.ts';

export function callerGone(): ServiceError {
  return new ServiceError({ code: 'cancelled', reason: 'CANCELLED', message: 'the caller went away' });
}
