import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Scope } from '../data/api.ts';
import { dayMs, hourMs, minuteMs, viewerZone } from '../time/zone.ts';

export const ranges = [
  { name: '6h', text: '6 h', span: 6 * hourMs, bin: '5m', size: 5 * minuteMs },
  { name: '24h', text: '24 h', span: dayMs, bin: '15m', size: 15 * minuteMs },
  { name: '7d', text: '7 d', span: 7 * dayMs, bin: '2h', size: 2 * hourMs },
  { name: '30d', text: '30 d', span: 30 * dayMs, bin: '12h', size: 12 * hourMs },
] as const;
export type RangeName = (typeof ranges)[number]['name'];

export function seriesQuery({ api, namespace }: Scope, name: RangeName, now: number) {
  const { span, bin, size } = ranges.find((range) => range.name === name) ?? ranges[1];
  const to = Math.ceil(now / size) * size;
  return queryOptions({
    queryKey: [namespace, 'series', name, to],
    queryFn: async ({ signal }) =>
      await api.insight.series(
        { from: new Date(to - span).toISOString(), to: new Date(to).toISOString(), bin },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 20_000,
  });
}

/** The coming hour by the minute. */
export function comingQuery({ api, namespace }: Scope, now: number) {
  const from = Math.floor(now / minuteMs) * minuteMs;
  return queryOptions({
    queryKey: [namespace, 'load', 'hour', from],
    queryFn: async ({ signal }) => {
      const load = await api.insight.load(
        {
          from: new Date(from).toISOString(),
          to: new Date(from + hourMs).toISOString(),
          bin: '1m',
          zone: viewerZone,
        },
        { signal },
      );
      // The minute that begins with the end of the hour is not a whole one.
      return { ...load, bins: load.bins.filter((bin) => Date.parse(bin.from) < from + hourMs) };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Times without a living node. */
export function silencesQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'nodes', 'silences'],
    queryFn: async () => await api.silences(),
    staleTime: 60_000,
  });
}

export function needsQuery({ api, namespace }: Scope) {
  return queryOptions({
    queryKey: [namespace, 'needs'],
    queryFn: async ({ signal }) => await api.insight.needs({ signal }),
    staleTime: 5000,
  });
}
