/** What screens read from the server, in one place: paths, queries and the shapes of the answers. */
import type { ScheduleFilters } from 'carillon/client';
import type { SortName } from '../schedules/filter.ts';
import type { ListedSchedule } from '../schedules/row.ts';
import type { BinName } from '../timeline/view.ts';
import type { BinsAnswer, StretchesAnswer, TimelineAnswer } from '../timeline/wire.ts';
import { serverUrl } from './address.ts';
import type { Scope } from './api.ts';
import { readKey } from './key.ts';

async function get<T>(
  { namespace }: Scope,
  path: string,
  query: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<T> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const key = readKey();
  const text = search.size === 0 ? '' : `?${search}`;
  const response = await fetch(
    `${serverUrl}/api/v1/namespaces/${encodeURIComponent(namespace)}${path}${text}`,
    {
      ...(signal === undefined ? {} : { signal }),
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    },
  );
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export interface ScheduleCounts {
  readonly total: number;
  readonly running: number;
  readonly paused: number;
  readonly ended: number;
  readonly quarantined: number;
  readonly failing: number;
  readonly late: number;
  readonly busy: number;
  readonly noWorker: number;
  readonly attention: number;
}

export interface ListRequest {
  readonly filters: ScheduleFilters;
  readonly sort: SortName;
  readonly strip: boolean;
  readonly limit: number;
  readonly after?: string;
}

export const reads = {
  counts: (scope: Scope, filters: ScheduleFilters = {}, signal?: AbortSignal) =>
    get<ScheduleCounts>(scope, '/schedules:counts', { ...filters }, signal),
  list: (scope: Scope, { filters, ...rest }: ListRequest, signal?: AbortSignal) =>
    get<{ readonly items: readonly ListedSchedule[]; readonly next: string | null }>(
      scope,
      '/schedules',
      { ...filters, ...rest },
      signal,
    ),
  timeline: (
    scope: Scope,
    id: string,
    range: { from: string; to: string },
    limit: number,
    signal?: AbortSignal,
  ) =>
    get<TimelineAnswer>(scope, `/schedules/${encodeURIComponent(id)}/timeline`, { ...range, limit }, signal),
  bins: (scope: Scope, id: string, range: { from: string; to: string }, bin: BinName, signal?: AbortSignal) =>
    get<BinsAnswer>(scope, `/schedules/${encodeURIComponent(id)}/bins`, { ...range, bin }, signal),
  stretches: (scope: Scope, id: string, range: { from: string; to: string }, signal?: AbortSignal) =>
    get<StretchesAnswer>(scope, `/schedules/${encodeURIComponent(id)}/stretches`, range, signal),
};
