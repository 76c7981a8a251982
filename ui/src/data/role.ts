/** What the caller may do; buttons that would be refused are not shown. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Scope } from './api.ts';
import { useScope } from './api.ts';
import { useLater } from './later.ts';

export function settingsQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'settings'],
    queryFn: async ({ signal }) => await api.settings.get({ signal }),
    staleTime: 300_000,
  });
}

/** Until the role is known the buttons are there: most people may use them. */
export function useMayChange(): boolean {
  const enabled = useLater();
  const role = useQuery({ ...settingsQuery(useScope()), enabled }).data?.role;
  return role !== 'viewer';
}

export function useIsAdmin(): boolean {
  return useQuery(settingsQuery(useScope())).data?.role === 'admin';
}
