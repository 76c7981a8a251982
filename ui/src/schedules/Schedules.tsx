/** The list of schedules: those that need a person come first. It is searched by typing, and the keyboard moves through it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readScheduleQuery } from 'carillon/client';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useLater } from '../data/later.ts';
import { useMayChange } from '../data/role.ts';
import { useLive } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { changeSearch, goTo } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Search } from '../route/search.ts';
import { styled } from '../style/styled.ts';
import { countText } from '../time/text.ts';
import { Chips } from './Chips.tsx';
import type { SortName } from './filter.ts';
import { commandOf, withoutState } from './filter.ts';
import { useKeptScroll } from './kept-scroll.ts';
import { Nothing } from './Nothing.tsx';
import { QueryField } from './QueryField.tsx';
import { countsQuery } from './query.ts';
import { Rows } from './Rows.tsx';
import type { Selection } from './selection.ts';
import {
  chosen,
  chosenAll,
  isChosen,
  isEmpty,
  noSelection,
  readSelection,
  selectionText,
} from './selection.ts';
import { useSchedules } from './use-schedules.ts';
import { Views } from './Views.tsx';

const Actions = lazyDialog(async () => (await import('../actions/Actions.tsx')).Actions);
const SelectionBar = lazyPart(
  async () => await styled(async () => (await import('./SelectionBar.tsx')).SelectionBar),
);
const TagAsk = lazyDialog(async () => (await import('../actions/TagAsk.tsx')).TagAsk);

export type Verb = 'trigger' | 'pause' | 'resume' | 'delete';

interface Asked {
  readonly verb: Verb;
  readonly ids: readonly string[];
  /** Whether all matching schedules are selected, including those that are not loaded. */
  readonly isAll: boolean;
}

const sorts: readonly (readonly [SortName, string])[] = [
  ['attention', 'what needs attention, then name'],
  ['next', 'what is due first'],
  ['id', 'name'],
];

export function Schedules() {
  const scope = useScope();
  const links = useLinks();
  const { q = '', sort: sorted = 'attention', sel } = useSearch();
  const mayChange = useMayChange();
  const sort: SortName = sorted === 'id' || sorted === 'next' ? sorted : 'attention';
  /** Changes the query. Typing replaces the entry of the history; a click adds one, so that Back undoes it. */
  const search = useCallback((change: Search, replace = true) => {
    changeSearch(change, { replace });
  }, []);
  const list = useSchedules(scope, q, sort);
  useKeptScroll({ count: list.rows.length, hasMore: list.hasMore, loadMore: list.loadMore });
  const enabled = useLater();
  const all = useQuery({ ...countsQuery(scope), enabled }).data;
  const { filters } = readScheduleQuery(q);
  // Counts are of open schedules.
  const isClosed = filters.state === 'closed';
  const filtered = useQuery({ ...countsQuery(scope, filters), enabled: q !== '' && !isClosed }).data;
  useCountsLive();
  const stateless = withoutState(q);
  const apart = useQuery({
    ...countsQuery(scope, readScheduleQuery(stateless).filters),
    enabled: stateless !== '' && stateless !== q,
  }).data;
  const byState = stateless === '' ? all : stateless === q ? filtered : apart;
  const matching = q === '' ? all?.total : filtered?.total;
  const order = list.rows.map(({ id }) => id);
  const [selection, setSelection] = useSelection(q, sort, sel, search);
  const [cursor, setCursor] = useState(-1);
  // A small screen has room for the ticks only while a person selects.
  const [isTicking, setSelecting] = useState(false);
  const isSelecting = isTicking || !isEmpty(selection);
  const [asked, setAsked] = useState<Asked>();
  const [isTagging, setTagging] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins anew
  useEffect(() => setCursor(-1), [q, sort]);
  const [isEntered, setEntered] = useState(false);
  // The first row of what was found gets the keys when it is there.
  useEffect(() => {
    if (!isEntered || list.isLoading) return;
    setEntered(false);
    setCursor(0);
  }, [isEntered, list.isLoading]);
  const pick = (id: string, isRange: boolean) => setSelection(chosen(selection, order, id, isRange));
  const here = list.rows[cursor];
  const ask = (verb: Verb) => {
    if (!isEmpty(selection)) setAsked({ verb, ids: [...selection.ids], isAll: selection.isAll });
    else if (here !== undefined) setAsked({ verb, ids: [here.id], isAll: false });
  };
  const meant = isEmpty(selection) ? [here] : list.rows.filter(({ id }) => isChosen(selection, id));
  const arePaused = meant.length > 0 && meant.every((row) => row?.status === 'paused');
  const move = (by: number) => setCursor(Math.max(0, Math.min(order.length - 1, cursor + by)));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => here !== undefined && goTo(links.schedule(here.id)),
    ...(mayChange && {
      x: () => here !== undefined && pick(here.id, false),
      X: () => here !== undefined && pick(here.id, true),
      e: () => here !== undefined && goTo(links.edit(here.id)),
      t: () => ask('trigger'),
      p: () => ask(arePaused ? 'resume' : 'pause'),
      Escape: () => setSelection(noSelection),
    }),
  });
  const isBare = !list.isLoading && list.error === undefined && list.rows.length === 0;
  return (
    <Screen
      crumbs={[{ text: 'Schedules' }]}
      title="Schedules"
      acts={
        mayChange && (
          <Go to={links.place('schedules/new')} className="btn primary">
            <Icon name="plus" />
            New schedule
          </Go>
        )
      }
    >
      <Views q={q} sort={sort} counts={all} onPick={(change) => search(change, false)} />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <QueryField value={q} onChange={(next) => search({ q: next })} onEnter={() => setEntered(true)} />
        <Chips q={q} counts={byState} onPick={(next) => search({ q: next }, false)} />
        {mayChange && !isBare && (
          <span className="narrow-only">
            <button
              type="button"
              className="chip"
              aria-pressed={isSelecting}
              onClick={() => {
                setSelecting(!isSelecting);
                if (isSelecting) setSelection(noSelection);
              }}
            >
              Select
            </button>
          </span>
        )}
      </div>
      {isBare ? (
        <Nothing
          q={q}
          total={all?.total ?? 0}
          onClear={() => search({ q: undefined }, false)}
          onPick={(next) => search({ q: next }, false)}
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
              onAsk={(verb, id) => setAsked({ verb, ids: [id], isAll: false })}
              mayChange={mayChange}
              isSelecting={isSelecting}
            />
          )}
          <footer className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-second text-text-3">
            <span>
              {matching === undefined || list.rows.length === 0
                ? ''
                : `${countText(matching)} ${matching === 1 ? 'schedule' : 'schedules'}`}
            </span>
            <label className="flex items-center gap-1.5">
              sorted by
              <select
                className="plain-select bg-transparent font-medium text-text-2"
                value={sort}
                onChange={(event) =>
                  search({ sort: event.target.value === 'attention' ? undefined : event.target.value }, false)
                }
              >
                {sorts.map(([name, text]) => (
                  <option key={name} value={name}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
            {list.moved > 0 && (
              <span>
                {list.moved === 1 ? '1 row would move' : `${countText(list.moved)} rows would move`}{' '}
                <button type="button" className="link" onClick={list.reload}>
                  Sort again
                </button>
              </span>
            )}
            <span className="flex-1" />
            <span className="wide-only">
              <kbd>j</kbd> <kbd>k</kbd> move{' '}
              {mayChange && (
                <>
                  <kbd>x</kbd> select <kbd>p</kbd> pause <kbd>t</kbd> trigger{' '}
                </>
              )}
              <kbd>↵</kbd> open
            </span>
          </footer>
        </>
      )}
      {(q !== '' || !isBare) && (
        <div className="mt-3 max-w-140">
          <Command text={commandOf(q)} />
        </div>
      )}
      {mayChange && !isEmpty(selection) && (
        <Suspense>
          <SelectionBar
            selection={selection}
            matching={matching ?? order.length}
            onAll={() => setSelection({ ...selection, isAll: true })}
            onAsk={(verb) => ask(verb)}
            onTag={() => setTagging(true)}
            onClose={() => setSelection(noSelection)}
          />
        </Suspense>
      )}
      {isTagging && (
        <TagAsk
          ids={[...selection.ids]}
          text={q}
          isAll={selection.isAll}
          onClose={(isDone) => {
            setTagging(false);
            if (!isDone) return;
            setSelection(noSelection);
            list.reload();
          }}
        />
      )}
      {asked !== undefined && (
        <Actions
          verb={asked.verb}
          ids={asked.ids}
          {...(asked.isAll ? { matching: { text: q, count: matching ?? 0 } } : {})}
          onClose={(isDone) => {
            setAsked(undefined);
            if (!isDone) return;
            setSelection(noSelection);
            list.reload();
          }}
        />
      )}
    </Screen>
  );
}

/** The selection, which is kept in the address. Another query clears it. */
function useSelection(
  q: string,
  sort: SortName,
  sel: string | undefined,
  search: (change: Readonly<Record<string, string | undefined>>) => void,
) {
  const [kept, setKept] = useState(() => ({ of: `${q} ${sort}`, selection: readSelection(sel) }));
  const of = `${q} ${sort}`;
  const selection = kept.of === of ? kept.selection : noSelection;
  const set = (next: Selection) => {
    setKept({ of, selection: next });
    if (selectionText(next) !== sel) search({ sel: selectionText(next) });
  };
  const isStale = kept.of !== of && sel !== undefined;
  useEffect(() => {
    if (isStale) search({ sel: undefined });
  }, [isStale, search]);
  return [selection, set] as const;
}

/** Reads the counts again after events, at most every five seconds. */
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
