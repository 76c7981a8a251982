/** The list of schedules: what needs a person first, found by typing, moved through with the keyboard. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useGo, useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useLater } from '../data/later.ts';
import { useLive } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { countText } from '../time/text.ts';
import { Chips } from './Chips.tsx';
import type { SortName } from './filter.ts';
import { commandOf, readFilter } from './filter.ts';
import { NothingFound } from './NothingFound.tsx';
import { QueryField } from './QueryField.tsx';
import { countsQuery } from './query.ts';
import { Rows } from './Rows.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { chosen, chosenAll, noSelection } from './selection.ts';
import { useSchedules } from './use-schedules.ts';
import { Views } from './Views.tsx';

const Actions = lazy(async () => ({ default: (await import('../actions/Actions.tsx')).Actions }));

export type Verb = 'trigger' | 'pause' | 'resume' | 'delete';

interface Asked {
  readonly verb: Verb;
  readonly ids: readonly string[];
}

const sorts: readonly (readonly [SortName, string])[] = [
  ['attention', 'what needs attention, then name'],
  ['next', 'what is due first'],
  ['id', 'name'],
];

export function Schedules() {
  const scope = useScope();
  const links = useLinks();
  const go = useGo();
  const { q = '', sort: sorted = 'attention' } = useSearch({ strict: false }) as {
    readonly q?: string;
    readonly sort?: string;
  };
  const sort: SortName = sorted === 'id' || sorted === 'next' ? sorted : 'attention';
  const navigate = useNavigate();
  const search = useCallback(
    (change: Readonly<Record<string, string | undefined>>, replace = true) => {
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace } as never);
    },
    [navigate],
  );
  const list = useSchedules(scope, q, sort);
  const enabled = useLater();
  const all = useQuery({ ...countsQuery(scope), enabled }).data;
  const filtered = useQuery({ ...countsQuery(scope, readFilter(q).filters), enabled: q !== '' }).data;
  useCountsLive();
  const matching = q === '' ? all?.total : filtered?.total;
  const order = list.rows.map(({ id }) => id);
  const [selection, setSelection] = useState(noSelection);
  const [cursor, setCursor] = useState(-1);
  const [asked, setAsked] = useState<Asked>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins anew
  useEffect(() => {
    setSelection(noSelection);
    setCursor(-1);
  }, [q, sort]);
  const pick = (id: string, isRange: boolean) => setSelection(chosen(selection, order, id, isRange));
  const here = list.rows[cursor];
  const targets = () => (selection.ids.size > 0 ? [...selection.ids] : here === undefined ? [] : [here.id]);
  const ask = (verb: Verb) => {
    const ids = targets();
    if (ids.length > 0) setAsked({ verb, ids });
  };
  const move = (by: number) => setCursor(Math.max(0, Math.min(order.length - 1, cursor + by)));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: ({ shiftKey }) => here !== undefined && pick(here.id, shiftKey),
    X: () => here !== undefined && pick(here.id, true),
    Enter: () => here !== undefined && go(links.schedule(here.id)),
    e: () => here !== undefined && go(links.edit(here.id)),
    t: () => ask('trigger'),
    p: () => ask(here?.status === 'paused' ? 'resume' : 'pause'),
    Escape: () => setSelection(noSelection),
  });
  const isEmpty = !list.isLoading && list.error === undefined && list.rows.length === 0;
  return (
    <Screen
      crumbs={[{ text: 'Schedules' }]}
      title="Schedules"
      acts={
        <Go to={links.place('schedules/new')} className="btn primary">
          <Icon name="plus" />
          New schedule
        </Go>
      }
    >
      <Views q={q} sort={sort} counts={all} onPick={(change) => search(change)} />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <QueryField value={q} onChange={(next) => search({ q: next })} />
        <Chips q={q} counts={all} onPick={(next) => search({ q: next })} />
      </div>
      {isEmpty ? (
        <NothingFound
          q={q}
          total={all?.total ?? 0}
          onClear={() => search({ q: undefined })}
          onPick={(next) => search({ q: next })}
        />
      ) : (
        <>
          {list.error !== undefined && list.rows.length === 0 ? (
            <div className="card">
              <Failed what="The schedules" error={list.error} onRetry={list.reload} />
            </div>
          ) : list.rows.length === 0 ? (
            <div className="card">
              <SkeletonRows rows={13} height={48} />
            </div>
          ) : (
            <Rows
              rows={list.rows}
              total={matching ?? list.rows.length}
              selection={selection}
              cursor={cursor}
              onPick={pick}
              onPickAll={() => setSelection(chosenAll(selection, order))}
              onEnd={list.loadMore}
              onShown={list.setShown}
              onAsk={(verb, id) => setAsked({ verb, ids: [id] })}
            />
          )}
          <footer className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-second text-text-3">
            <span>
              {matching === undefined
                ? ''
                : `${countText(matching)} ${matching === 1 ? 'schedule' : 'schedules'}`}
            </span>
            <label className="flex items-center gap-1.5">
              sorted by
              <select
                className="bg-transparent font-medium text-text-2"
                value={sort}
                onChange={(event) =>
                  search({ sort: event.target.value === 'attention' ? undefined : event.target.value })
                }
              >
                {sorts.map(([name, text]) => (
                  <option key={name} value={name}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" className="link" onClick={list.reload}>
              Sort again
            </button>
            <span className="flex-1" />
            <span className="wide-only">
              <kbd>j</kbd> <kbd>k</kbd> move <kbd>x</kbd> select <kbd>p</kbd> pause <kbd>t</kbd> trigger{' '}
              <kbd>↵</kbd> open
            </span>
          </footer>
          <div className="mt-3 max-w-140">
            <Command text={commandOf(q)} />
          </div>
        </>
      )}
      {selection.ids.size > 0 && (
        <SelectionBar
          selection={selection}
          matching={matching ?? order.length}
          onAll={() => setSelection({ ...selection, isAll: true })}
          onAsk={(verb) => ask(verb)}
          onClose={() => setSelection(noSelection)}
        />
      )}
      <Suspense>
        {asked !== undefined && (
          <Actions
            verb={asked.verb}
            ids={asked.ids}
            {...(selection.isAll && selection.ids.size > 0
              ? { matching: { text: q, count: matching ?? 0 } }
              : {})}
            onClose={(isDone) => {
              setAsked(undefined);
              if (!isDone) return;
              setSelection(noSelection);
              list.reload();
            }}
          />
        )}
      </Suspense>
    </Screen>
  );
}

/** Counts are asked for again when something happened, at most every five seconds. */
function useCountsLive(): void {
  const { namespace } = useScope();
  const client = useQueryClient();
  useLive(
    useCallback(() => {
      void client.invalidateQueries(
        { queryKey: [namespace, 'counts'], stale: true, refetchType: 'active' },
        { cancelRefetch: false },
      );
    }, [client, namespace]),
  );
}
