/** The caller no longer waits for the answer. An error of its own, so that it is not taken for a fault. */
import { ServiceError } from '../base/error.ts';

export function callerGone(): ServiceError {
  return new ServiceError({ code: 'cancelled', reason: 'CANCELLED', message: 'the caller went away' });
}
