import { queryOptions } from '@tanstack/react-query';
import type { CountFilters } from 'carillon/client';
import type { Scope } from '../data/api.ts';

/** A query for the number of schedules by state; live events repeat it, at most every few seconds. */
export function countsQuery(scope: Scope, filters: CountFilters = {}) {
  return queryOptions({
    queryKey: [scope.namespace, 'counts', filters],
    queryFn: async ({ signal }) => await scope.api.insight.counts(filters, { signal }),
    staleTime: 5000,
  });
}
