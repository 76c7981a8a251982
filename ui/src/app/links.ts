/** Addresses of the page, for links outside of the router's types. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { stringifySearch } from './search.ts';

export interface Links {
  readonly place: (to: string) => string;
  readonly schedule: (id: string, search?: Readonly<Record<string, string>>) => string;
  readonly edit: (id: string) => string;
  readonly run: (id: string) => string;
}

export function linksOf(namespace: string): Links {
  const root = `/${encodeURIComponent(namespace)}`;
  return {
    place: (to) => `${root}/${to}`,
    schedule: (id, search = {}) => `${root}/schedules/${encodeURIComponent(id)}${stringifySearch(search)}`,
    edit: (id) => `${root}/schedules/${encodeURIComponent(id)}/edit`,
    run: (id) => `${root}/runs/${encodeURIComponent(id)}`,
  };
}

export function useLinks(): Links {
  const { namespace = 'default' } = useParams({ strict: false }) as { readonly namespace?: string };
  return useMemo(() => linksOf(namespace), [namespace]);
}

/** Goes to an address of `linksOf`. */
export function useGo(): (address: string, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (address, options = {}) => {
      const [to = '', query = ''] = address.split('?');
      const search = Object.fromEntries(new URLSearchParams(query));
      void navigate({ to, search, ...options } as never);
    },
    [navigate],
  );
}
