/** All runs, newest first. New ones are counted at the top and shown when the person asks, so that nothing jumps. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RunFilters } from 'carillon/client';
import { useCallback, useState } from 'react';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { quoted } from '../schedules/filter.ts';
import { usePageZone } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { plural } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { runsQuery } from './queries.ts';
import { RunTable } from './RunTable.tsx';

const chips: readonly {
  readonly name: string;
  readonly text: string;
  readonly look: Look;
  readonly filters: RunFilters;
}[] = [
  { name: 'running', text: 'Running', look: 'running', filters: { state: ['leased'] } },
  { name: 'waiting', text: 'Waiting', look: 'buffered', filters: { state: ['waiting'] } },
  { name: 'completed', text: 'Completed', look: 'started', filters: { outcome: ['completed'] } },
  { name: 'failed', text: 'Failed', look: 'failed', filters: { outcome: ['failed'] } },
  { name: 'timedOut', text: 'Timed out', look: 'timedOut', filters: { outcome: ['timedOut'] } },
  {
    name: 'stopped',
    text: 'Stopped',
    look: 'runStopped',
    filters: { outcome: ['cancelled', 'terminated'] },
  },
];

const pageSize = 50;

export function Runs() {
  const scope = useScope();
  const zone = usePageZone();
  const now = useNow();
  const navigate = useNavigate();
  const client = useQueryClient();
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const chip = chips.find(({ name }) => name === search.is);
  const filters: RunFilters = {
    ...chip?.filters,
    limit: pageSize,
    ...(search.handler === undefined ? {} : { name: search.handler }),
    ...(search.queue === undefined ? {} : { queue: search.queue }),
    ...(search.after === undefined ? {} : { after: search.after }),
  };
  const ofSchedule = search.schedule;
  const all = useQuery({ ...runsQuery(scope, filters), enabled: ofSchedule === undefined });
  const own = useQuery({
    queryKey: [scope.namespace, 'runs', 'of', ofSchedule, search.after],
    queryFn: async ({ signal }) =>
      await scope.api.schedules.runs(
        ofSchedule ?? '',
        { limit: pageSize, ...(search.after === undefined ? {} : { after: search.after }) },
        { signal },
      ),
    enabled: ofSchedule !== undefined,
  });
  const { data, error, refetch } = ofSchedule === undefined ? all : own;
  const [fresh, setFresh] = useState(0);
  useLive(
    useCallback((events: readonly StreamedEvent[]) => {
      const started = events.filter(({ type }) => type === 'started').length;
      if (started > 0) setFresh((before) => before + started);
    }, []),
  );
  const say = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, after: undefined, ...change }),
    } as never);
  const runs = data?.items ?? [];
  const shown =
    ofSchedule === undefined ? runs : runs.filter((run) => chip === undefined || isOf(run, chip.filters));
  return (
    <Screen
      crumbs={[{ text: 'Runs' }]}
      title="Runs"
      sub={
        ofSchedule === undefined
          ? 'Everything that was started, newest first.'
          : `Of the schedule ${ofSchedule}, newest first.`
      }
    >
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
        {ofSchedule !== undefined && (
          <button type="button" className="btn quiet" onClick={() => say({ schedule: undefined })}>
            Of all schedules
          </button>
        )}
        <span className="flex-1" />
        {fresh > 0 && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              setFresh(0);
              void client.invalidateQueries({ queryKey: [scope.namespace, 'runs'] });
            }}
          >
            {plural(fresh, 'new run')}: show
          </button>
        )}
      </div>
      <div className="card">
        {data === undefined ? (
          error === null ? (
            <SkeletonRows rows={12} height={36} />
          ) : (
            <Failed what="The runs" error={error} onRetry={() => void refetch()} />
          )
        ) : shown.length === 0 ? (
          <div className="empty">
            <h2>No run here</h2>
            <p>
              {chip === undefined ? 'Nothing has been started yet.' : `No run is ${chip.text.toLowerCase()}.`}
            </p>
          </div>
        ) : (
          <RunTable runs={shown} now={now} zoneOf={() => zone} isOfOne={ofSchedule !== undefined} />
        )}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 max-w-140">
          <Command
            text={`carillon runs${ofSchedule === undefined ? '' : ` --schedule ${quoted(ofSchedule)}`}${chip === undefined ? '' : ` --${'state' in chip.filters ? 'state' : 'outcome'} ${(chip.filters.state ?? chip.filters.outcome ?? []).join(' ')}`}`}
          />
        </div>
        <span className="t3">times in {zone}</span>
        {data?.next != null && (
          <button type="button" className="btn" onClick={() => say({ after: data.next ?? undefined })}>
            Older
          </button>
        )}
      </div>
    </Screen>
  );
}

function isOf(
  run: { readonly state: string; readonly outcome: string | null },
  { state, outcome }: RunFilters,
): boolean {
  if (state !== undefined && !(state as readonly string[]).includes(run.state)) return false;
  return (
    outcome === undefined || (run.outcome !== null && (outcome as readonly string[]).includes(run.outcome))
  );
}
