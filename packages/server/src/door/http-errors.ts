/** The headers that HTTP requires for an error's status, the same in every door. */
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
