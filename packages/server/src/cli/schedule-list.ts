/** `carillon schedule list`: schedules by filters, by a saved view, or by what needs a person first. */

import type {
  AttentionKind,
  CarillonClient,
  ScheduleFilters,
  ScheduleSort,
  SummaryJson,
} from 'carillon/client';
import type { Context } from 'carillon/internal/cli';
import { BadInput, clientOf, print, type RemoteOptions, readScheduleQuery } from 'carillon/internal/cli';
import { listText } from './schedule-view.ts';

export async function listSchedules(
  context: Context,
  given: RemoteOptions &
    ScheduleFilters & {
      limit: number;
      payloads?: boolean;
      sort?: ScheduleSort;
      attention?: AttentionKind | true;
      handler?: string;
      view?: string;
    },
): Promise<void> {
  const { state, tag, owner, handler, queue, prefix, failing, late, busy, text, limit } = given;
  const client = clientOf(context, given);
  const saved = given.view === undefined ? undefined : await savedQuery(client, given.view);
  const { attention: savedAttention, ...savedFilters } = saved?.filters ?? {};
  const filters: ScheduleFilters = {
    ...savedFilters,
    ...(handler === undefined ? {} : { name: handler }),
    ...(queue === undefined ? {} : { queue }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(state === undefined ? {} : { state }),
    ...(tag === undefined ? {} : { tag }),
    ...(owner === undefined ? {} : { owner }),
    ...(failing === undefined ? {} : { failing }),
    ...(late === undefined ? {} : { late }),
    ...(busy === undefined ? {} : { busy }),
    ...(text === undefined ? {} : { text }),
  };
  // Payloads are requested only with `--json`, because only JSON output shows them.
  const included = given.payloads === true && given.json === true ? ({ include: 'payloads' } as const) : {};
  const { schedules, insight } = client;
  const { server } = given;
  const sort = given.sort ?? saved?.sort;
  const attention = given.attention ?? savedAttention;
  const isNarrowed = Object.keys(filters).length > 0 || attention !== undefined;
  const view = { now: context.now, colored: context.colors.stdout, isNarrowed, server };
  if (sort !== undefined || attention !== undefined) {
    const page = await insight.schedules({
      ...filters,
      ...included,
      ...(attention === undefined ? {} : { attention: attention === true ? 'any' : attention }),
      sort: sort ?? 'attention',
      limit: Math.min(limit, 1000),
    });
    const shown = { items: page.items, hasMore: page.next !== null };
    return print(context, given.json, shown, listText(page.items, { ...view, hasMore: shown.hasMore }));
  }
  const items: SummaryJson[] = [];
  let hasMore = false;
  for await (const schedule of schedules.each({ ...filters, ...included, limit: Math.min(limit, 1000) })) {
    hasMore = items.length === limit;
    if (hasMore) break;
    items.push(schedule);
  }
  print(context, given.json, { items, hasMore }, listText(items, { ...view, hasMore }));
}

/** The query of a saved view of the list of schedules. */
async function savedQuery({ views }: CarillonClient, name: string) {
  const known = (await views.list()).filter(({ place }) => place === 'schedules');
  const view = known.find((each) => each.name === name);
  if (view === undefined) {
    const fix =
      known.length === 0
        ? 'save one on the page, or with: carillon view save <name> <query>'
        : `one of ${known.map((each) => `'${each.name}'`).join(', ')}`;
    throw new BadInput([
      { path: '--view', reason: 'UNKNOWN_VIEW', message: `there is no view '${name}'`, fix },
    ]);
  }
  const search = new URLSearchParams(view.query);
  const { filters } = readScheduleQuery(search.get('q') ?? '');
  const sort = search.get('sort');
  return { filters, ...(sort === null ? {} : { sort: sort as ScheduleSort }) };
}
