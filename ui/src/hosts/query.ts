import { queryOptions } from '@tanstack/react-query';
import type { Scope } from '../data/api.ts';

/** Workflows that wait for a decision of a person. */
export function askingQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'hosts', 'asking'],
    queryFn: async ({ signal }) => {
      const { items } = await api.hosts.list({ limit: 100 }, { signal });
      return items.filter(({ status }) => status === 'blocked' || status === 'quarantined');
    },
    staleTime: 5000,
  });
}
