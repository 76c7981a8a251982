/** What HTTP itself says of an error, in every door's answers: the headers that belong to a status. */
import type { ServiceError } from 'carillon/internal/base';

export function errorHeaders({
  code,
  reason,
  problems,
}: Pick<ServiceError, 'code' | 'reason' | 'problems'>): Readonly<Record<string, string>> {
  return {
    ...(reason === 'METHOD_NOT_ALLOWED' ? { allow: problems[0]?.message ?? '' } : {}),
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="carillon"' } : {}),
    ...(code === 'resourceExhausted' || code === 'unavailable' ? { 'retry-after': '1' } : {}),
  };
}
