import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RunFilters } from 'carillon/client';
import type { Scope } from '../data/api.ts';

export function runsQuery({ api, namespace }: Scope, filters: RunFilters) {
  return queryOptions({
    queryKey: [namespace, 'runs', filters],
    queryFn: async ({ signal }) => await api.runs.list(filters, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 2000,
  });
}

/** Below the key of the run, so that an event of the run reads both again. */
export function attemptsQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'run', id, 'attempts'],
    queryFn: async ({ signal }) => await api.runs.attempts(id, { signal }),
    staleTime: 1000,
  });
}

export function runQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'run', id],
    queryFn: async ({ signal }) => await api.runs.get(id, { signal }),
    staleTime: 1000,
  });
}
