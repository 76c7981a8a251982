/** The error of every refused query: what is wrong, and at which position (counted from 1). */
import { ServiceError } from 'carillon/internal/base';

export function queryError(message: string, at?: number): ServiceError {
  const place = at === undefined ? '' : ` at position ${at + 1}`;
  return new ServiceError({
    code: 'invalidArgument',
    reason: 'INVALID_QUERY',
    message: `invalid query: ${message}${place}`,
  });
}
