import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RunFilters, RunJson } from 'carillon/client';
import type { Scope } from '../data/api.ts';
import type { Listed } from './schedule-facts.ts';

/** A query for the runs of all schedules, or of one. */
export function runsQuery({ api, namespace }: Scope, filters: RunFilters, schedule?: string) {
  return queryOptions({
    queryKey: [namespace, 'runs', schedule ?? null, filters],
    queryFn: async ({ signal }) =>
      schedule === undefined
        ? await api.runs.list(filters, { signal })
        : await api.schedules.runs(schedule, filters, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 2000,
  });
}

/** A query for attempts. Its key extends that of the run, so that an event of the run reads both again. */
export function attemptsQuery({ api, namespace }: Scope, id: string, attempt: number) {
  return queryOptions({
    queryKey: [namespace, 'run', id, 'attempts', attempt],
    queryFn: async ({ signal }) => await api.runs.attempts(id, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 1000,
  });
}

/** How often an unfinished run is read again, because no event reports progress or a new attempt. */
const progressMs = 3000;

export function runQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'run', id],
    queryFn: async ({ signal }) => await api.runs.get(id, { signal }),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'done' ? false : progressMs,
  });
}

/** A query for the runs that repeat a run. */
export function repeatsQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'run', id, 'repeats'],
    queryFn: async ({ signal }) => await api.runs.list({ againOf: id, limit: 5 }, { signal }),
    staleTime: 5000,
  });
}

/** A query for the schedules of a list of runs, in one request. Closed schedules are left out. */
export function schedulesOfQuery({ api, namespace }: Scope, runs: readonly RunJson[]) {
  const id = [...new Set(runs.flatMap(({ schedule }) => (schedule === null ? [] : [schedule])))].sort();
  return queryOptions({
    queryKey: [namespace, 'schedules-of-runs', id],
    queryFn: async ({ signal }): Promise<readonly Listed[]> =>
      (await api.insight.schedules({ id, strip: true, limit: id.length }, { signal })).items,
    enabled: id.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
