/** Who changed what, through which door, as a difference by field, with its note. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditFilters } from 'carillon/client';
import { useCallback, useState } from 'react';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { quoted } from '../parts/quoted.ts';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { usePageZone } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { ChangeRow } from './ChangeRow.tsx';
import { actionText, dayOf, daysOf, doorText } from './change.ts';

const fields = [
  ['actor', 'Person', 'anyone'],
  ['schedule', 'Schedule', 'any'],
] as const;

/** The values that the menu offers; an address may contain others. */
const choices = [
  ['door', 'Door', ['page', 'rest', 'cli', 'embed', 'temporal', 'conductor', 'periodic', 'deploy']],
  [
    'action',
    'Action',
    [
      'create',
      'update',
      'pause',
      'resume',
      'trigger',
      'backfill',
      'cancelBackfill',
      'delete',
      'release',
      'enqueue',
      'again',
      'cancel',
      'terminate',
      'deploy',
    ],
  ],
] as const;

/** The command that prints the same list. */
function commandOf(filters: AuditFilters, schedule: string | undefined): string {
  const flags = { schedule, ...filters, target: undefined, limit: undefined };
  return Object.entries(flags).reduce(
    (text, [name, value]) => (value === undefined ? text : `${text} --${name} ${quoted(String(value))}`),
    'carillon audit',
  );
}

const nothingAsked = {
  actor: undefined,
  schedule: undefined,
  door: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
};

/** Whether a change was made since the list was read. It is shown when the person asks, so that nothing jumps. */
function useNews() {
  const [isNew, setNew] = useState(false);
  useLive(
    useCallback((events: readonly StreamedEvent[]) => {
      if (events.some(({ type }) => type === 'edited' || type === 'reset')) setNew(true);
    }, []),
  );
  return { isNew, forget: () => setNew(false) };
}

export function Audit() {
  const scope = useScope();
  const zone = usePageZone();
  const now = useNow();
  const search = useSearch();
  const { actor, schedule, door, action, from, to } = search;
  const filters = {
    limit: 50,
    ...(actor === undefined ? {} : { actor }),
    ...(schedule === undefined ? {} : { target: `schedule/${schedule}` }),
    ...(door === undefined ? {} : { door }),
    ...(action === undefined ? {} : { action }),
    ...daysOf(zone, from, to),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [scope.namespace, 'audit', filters],
    queryFn: async ({ signal, pageParam }) =>
      await scope.api.audit.list(
        { ...filters, ...(pageParam === '' ? {} : { after: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { isNew, forget } = useNews();
  const say = (name: string, value: string) =>
    changeSearch({ [name]: value === '' ? undefined : value }, { replace: true });
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Screen
      crumbs={[{ text: 'Audit' }]}
      title="Audit"
      sub="Every change: who, through which door, what, and why."
      acts={
        isNew && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              forget();
              void refetch();
            }}
          >
            New changes: show
          </button>
        )
      }
    >
      <div className="mb-3 flex flex-wrap items-end gap-3">
        {fields.map(([name, label, placeholder]) => (
          <label key={name}>
            <span className="label mb-1 block">{label}</span>
            <input
              className="input w-40!"
              placeholder={placeholder}
              defaultValue={search[name] ?? ''}
              key={search[name] ?? ''}
              onKeyDown={(event) => event.key === 'Enter' && say(name, event.currentTarget.value.trim())}
              onBlur={(event) =>
                event.target.value.trim() !== (search[name] ?? '') && say(name, event.target.value.trim())
              }
            />
          </label>
        ))}
        {choices.map(([name, label, offered]) => (
          <label key={name}>
            <span className="label mb-1 block">{label}</span>
            <select
              className="pick w-36!"
              value={search[name] ?? ''}
              onChange={(event) => say(name, event.target.value)}
            >
              <option value="">any</option>
              {[...new Set([...offered, ...(search[name] === undefined ? [] : [search[name]])])].map(
                (each) => (
                  <option key={each} value={each}>
                    {name === 'action' ? actionText(each) : doorText(each)}
                  </option>
                ),
              )}
            </select>
          </label>
        ))}
        <label>
          <span className="label mb-1 block">Since</span>
          <input
            type="date"
            className="input w-40!"
            value={dayOf(from)}
            onChange={(event) => say('from', event.target.value)}
          />
        </label>
        <label>
          <span className="label mb-1 block">Until</span>
          <input
            type="date"
            className="input w-40!"
            value={dayOf(to)}
            onChange={(event) => say('to', event.target.value)}
          />
        </label>
      </div>
      <section className="card" aria-label="Changes">
        {data === undefined ? (
          error === null ? (
            <SkeletonRows rows={8} height={48} />
          ) : (
            <Failed what="The audit" error={error} onRetry={() => void refetch()} />
          )
        ) : items.length === 0 ? (
          <div className="empty">
            <h2>No change here</h2>
            <p>
              {Object.keys(filters).length === 1
                ? 'Nothing has been changed yet.'
                : 'No change of that kind is in the audit. Names are compared as a whole.'}
            </p>
            {Object.keys(filters).length > 1 && (
              <button type="button" className="btn mt-2" onClick={() => changeSearch(nothingAsked)}>
                Show all
              </button>
            )}
          </div>
        ) : (
          <ul>
            {items.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end
              <ChangeRow key={index} entry={entry} zone={zone} now={now} />
            ))}
          </ul>
        )}
      </section>
      <div className="mt-3 flex items-center gap-3">
        {hasNextPage && (
          <button type="button" className="btn" onClick={() => void fetchNextPage()}>
            Older
          </button>
        )}
        <div className="min-w-0 max-w-140 flex-1">
          <Command text={commandOf(filters, schedule)} />
        </div>
      </div>
    </Screen>
  );
}
