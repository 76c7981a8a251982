/** What the calendar asks the server. Answers are kept for a few minutes: the coming weeks change slowly. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PartFilters } from 'carillon/client';
import type { Scope } from '../data/api.ts';
import { dayMs } from '../time/zone.ts';

const staleTime = 300_000;

export interface CalendarRange {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  /** Only schedules that match. */
  readonly part: PartFilters;
}

const spanOf = ({ from, to }: Pick<CalendarRange, 'from' | 'to'>) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

export function loadQuery({ api, namespace }: Scope, range: CalendarRange, bin: '1m' | '1h') {
  const { zone, part } = range;
  return queryOptions({
    queryKey: [namespace, 'load', range, bin],
    queryFn: async ({ signal }) =>
      await api.insight.load({ ...spanOf(range), bin, zone, ...part }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

export function daysQuery({ api, namespace }: Scope, range: CalendarRange) {
  const { zone, part } = range;
  return queryOptions({
    queryKey: [namespace, 'days', range],
    queryFn: async ({ signal }) => await api.insight.days({ ...spanOf(range), zone, ...part }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** Begins a month before the range, so that clock changes on past days of a month are shown too. */
export function clockQuery({ api, namespace }: Scope, today: number, part: PartFilters) {
  const range = { from: today - 35 * dayMs, to: today + 400 * dayMs };
  return queryOptions({
    queryKey: [namespace, 'clock', 'calendar', today, part],
    queryFn: async ({ signal }) => await api.insight.clockChanges({ ...spanOf(range), ...part }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** The past starts, by the hour. */
export function startedQuery({ api, namespace }: Scope, { from, to }: { from: number; to: number }) {
  return queryOptions({
    queryKey: [namespace, 'series', 'calendar', from, to],
    queryFn: async ({ signal }) =>
      await api.insight.series({ ...spanOf({ from, to }), bin: '1h' }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
