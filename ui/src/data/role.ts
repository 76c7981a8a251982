/** What the caller may do; buttons that would be refused are not shown. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Scope } from './api.ts';
import { useScope } from './api.ts';
import { aboutQuery } from './queries.ts';
import type { KeyRole } from './role-of.ts';
import { mayChange } from './role-of.ts';

export function settingsQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'settings'],
    queryFn: async ({ signal }) => await api.settings.get({ signal }),
    staleTime: 300_000,
  });
}

/**
 * The role of the caller; undefined until the server has answered, which it does with the first answers of every
 * screen.
 */
export function useRole(): KeyRole | undefined {
  return useQuery(aboutQuery(useScope())).data?.role;
}

/**
 * Whether to show buttons for changes: not until the role is known, so that no button is shown that would be refused.
 */
export function useMayChange(): boolean {
  return mayChange(useRole());
}

export function useIsAdmin(): boolean {
  return useRole() === 'admin';
}
