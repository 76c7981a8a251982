/**
 * All runs, or those of one schedule, by start or by slot. The row of a run that ends changes in place. New runs are only counted
 * at the top until the person asks for them, so that no row moves.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Page, RunJson } from 'carillon/client';
import type { ReactNode } from 'react';
import { useCallback, useMemo, useState } from 'react';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import type { Search } from '../route/search.ts';
import { useTimeChoice, zoneBy } from '../time/choice.ts';
import { serverNow, useNow } from '../time/now.ts';
import { plural } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { Narrow } from './Narrow.tsx';
import { runsQuery } from './queries.ts';
import { RunTable } from './RunTable.tsx';
import type { RunsView } from './run-filters.ts';
import { chips, commandOf, filtersOf, runsViewOf } from './run-filters.ts';
import { newRuns, patchedRuns } from './run-news.ts';

/** The number of completed runs from which the usual durations are computed. */
const mostMeasured = 100;

export function Runs() {
  const scope = useScope();
  const times = useTimeChoice();
  const zoneOf = (ofSchedule = viewerZone) => zoneBy(times, ofSchedule);
  const now = useNow();
  const search = useSearch();
  const view = useMemo(() => runsViewOf(search), [search]);
  const { chip, by, schedule, after } = view;
  const { data, error, refetch } = useQuery(runsQuery(scope, filtersOf(view), schedule));
  // A list of failed or running runs does not show the usual durations.
  const completed = useQuery({
    ...runsQuery(scope, { outcome: ['completed'], limit: mostMeasured }, schedule),
    enabled: chip !== undefined && chip.name !== 'completed',
  }).data?.items;
  const { fresh, forget } = useNews(view, data);
  const say = (change: Search) => changeSearch({ after: undefined, ...change });
  const runs = data?.items ?? [];
  return (
    <Screen crumbs={[{ text: 'Runs' }]} title="Runs" sub={<Sub view={view} />}>
      <div className="mb-3 flex flex-wrap items-center gap-1.5">
        <fieldset className="flex flex-wrap gap-1.5" aria-label="Result">
          <button
            type="button"
            className="chip"
            aria-pressed={chip === undefined}
            onClick={() => say({ is: undefined })}
          >
            All
          </button>
          {chips.map(({ name, text, look }) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={chip?.name === name}
              onClick={() => say({ is: chip?.name === name ? undefined : name })}
            >
              <Mark look={look} />
              {text}
            </button>
          ))}
        </fieldset>
        {(['schedule', 'handler', 'queue'] as const).map((name) =>
          view[name] === undefined ? null : (
            <button key={name} type="button" className="chip" onClick={() => say({ [name]: undefined })}>
              {name} <b>{view[name]}</b>
              <span className="sr">, show all</span>
              <Icon name="close" />
            </button>
          ),
        )}
        <Narrow onNarrow={say} />
        <span className="flex-1" />
        {fresh > 0 && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              forget();
              if (after === undefined) void refetch();
              else say({});
            }}
          >
            {plural(fresh, 'new run')}: show
          </button>
        )}
        <Seg
          label="Order"
          options={[
            { value: 'start', text: 'By start' },
            { value: 'slot', text: 'By slot' },
          ]}
          value={by}
          onChange={(order) => say({ by: order === 'start' ? undefined : order })}
        />
      </div>
      <div className="card">
        {data === undefined ? (
          error === null ? (
            <SkeletonRows rows={12} height={36} />
          ) : (
            <Failed what="The runs" error={error} onRetry={() => void refetch()} />
          )
        ) : runs.length === 0 ? (
          <Empty view={view} />
        ) : (
          <RunTable
            runs={runs}
            measured={chip === undefined ? runs : (completed ?? runs)}
            now={now}
            zoneOf={zoneOf}
            by={by}
            isOfOne={schedule !== undefined}
          />
        )}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 max-w-140">
          <Command text={commandOf(view)} />
        </div>
        <span className="t3">
          {times === 'schedule' ? 'each time in the zone of its schedule' : `times in ${zoneOf()}`}
        </span>
        {after !== undefined && (
          <button type="button" className="btn" onClick={() => say({})}>
            Newest
          </button>
        )}
        {data?.next != null && (
          <button type="button" className="btn" onClick={() => say({ after: data.next ?? undefined })}>
            Older
          </button>
        )}
      </div>
    </Screen>
  );
}

/** The line that says which runs are listed, and in which order. */
function Sub({ view: { schedule, by } }: { readonly view: RunsView }) {
  const links = useLinks();
  const subject: ReactNode =
    schedule === undefined ? (
      'Everything that was started'
    ) : (
      <>
        What{' '}
        <Go className="link" to={links.schedule(schedule)}>
          {schedule}
        </Go>{' '}
        started
      </>
    );
  return (
    <>
      {subject},{' '}
      {by === 'start'
        ? 'the latest start first.'
        : 'the latest slot first: a backfill is where its slots are, not where it was run.'}
    </>
  );
}

function Empty({ view }: { readonly view: RunsView }) {
  const { chip, schedule, handler, queue, after } = view;
  const isNarrowed = [schedule, handler, queue, after].some((each) => each !== undefined);
  return (
    <div className="empty">
      <h2>No run here</h2>
      <p>
        {chip !== undefined
          ? `No run ${isNarrowed ? 'of these ' : ''}is ${chip.text.toLowerCase()}.`
          : isNarrowed
            ? 'Nothing of this has been started, or retention has removed it.'
            : 'Nothing has been started yet.'}
      </p>
    </div>
  );
}

/** The most new runs that are counted one by one. */
const mostCounted = 1000;

/** Applies live events: ends of runs change the shown rows, and new runs of the view are counted. */
function useNews(view: RunsView, page: Page<RunJson> | undefined) {
  const { namespace } = useScope();
  const client = useQueryClient();
  // The counts are reset when another list is shown.
  const list = JSON.stringify(view);
  const [news, setNews] = useState<News>({ list, ids: new Set() });
  const shown = useMemo(() => new Set(page?.items.map(({ id }) => id)), [page]);
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        client.setQueriesData<Page<RunJson>>({ queryKey: [namespace, 'runs'] }, (before) => {
          if (before === undefined) return before;
          const items = patchedRuns(before.items, events, serverNow());
          return items === before.items ? before : { ...before, items };
        });
        const found = newRuns(events, view, shown);
        if (found.length > 0) setNews((before) => withRuns(before, list, found));
      },
      [client, namespace, view, shown, list],
    ),
  );
  return {
    fresh: news.list === list ? news.ids.size : 0,
    forget: () => setNews({ list, ids: new Set() }),
  };
}

interface News {
  readonly list: string;
  readonly ids: ReadonlySet<string>;
}

function withRuns(before: News, list: string, found: readonly string[]): News {
  if (before.list !== list) return { list, ids: new Set(found) };
  return before.ids.size >= mostCounted ? before : { list, ids: new Set([...before.ids, ...found]) };
}
