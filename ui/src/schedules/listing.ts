/** Reads one page of the list. Closed schedules need no attention and have no next time, so they are listed by name. */
import type { FleetFilters } from 'carillon/client';
import type { Scope } from '../data/api.ts';
import type { ListedSchedule } from './row.ts';

interface Listing {
  readonly items: readonly ListedSchedule[];
  readonly next: string | null;
}

const well = { kind: null, text: '' };

export async function readListing(
  { api }: Scope,
  query: FleetFilters,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Listing> {
  if (query.state !== 'closed') return await api.insight.schedules(query, options);
  const { sort: _, strip: __, attention: ___, ...filters } = query;
  const { items, next } = await api.schedules.list(filters, options);
  return { items: items.map((schedule) => ({ ...schedule, attention: well })), next };
}
