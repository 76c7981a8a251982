/** What the frame of the page asks for. Screens have their own queries beside them. */
import { queryOptions } from '@tanstack/react-query';
import { setServerTime } from '../time/now.ts';
import type { Scope } from './api.ts';

export function aboutQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'about'],
    queryFn: async () => {
      const about = await api.about();
      setServerTime(Date.parse(about.now));
      return about;
    },
    staleTime: 300_000,
  });
}

export function nodesQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'nodes'],
    queryFn: async () => await api.nodes(),
    staleTime: 15_000,
    // A dead node causes no event; only the next answer shows that it is silent.
    refetchInterval: 20_000,
  });
}
