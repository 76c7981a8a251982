/** Addresses of the page. */
import { useMemo } from 'react';
import { useParams } from '../route/hooks.ts';
import type { Search } from '../route/search.ts';
import { stringifySearch } from '../route/search.ts';

export interface Links {
  readonly place: (to: string) => string;
  readonly schedule: (id: string, search?: Search) => string;
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
  const { namespace = 'default' } = useParams();
  return useMemo(() => linksOf(namespace), [namespace]);
}
