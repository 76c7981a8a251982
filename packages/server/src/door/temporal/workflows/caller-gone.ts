/** Nobody waits for the answer any more; said as an error of ours, so that it is not taken for a fault. */
import { ServiceError } from 'carillon/internal/base';

export function callerGone(): ServiceError {
  return new ServiceError({ code: 'cancelled', reason: 'CANCELLED', message: 'the caller went away' });
}
