/**
 * The rows of the list. They are loaded page by page while the person scrolls, changed by live events, and read again now and
 * then for values that events do not contain. The order stays as it was loaded until the person asks for a new one.
 */
import { readScheduleQuery } from 'carillon/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { beginLater } from '../data/later.ts';
import { changedBy } from '../live/changed.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { keptHeight } from '../route/heights.ts';
import type { SortName } from './filter.ts';
import { readListing } from './listing.ts';
import { movedCount } from './moved.ts';
import type { ListedById } from './patch.ts';
import { patched, refreshed } from './patch.ts';
import type { ListedSchedule } from './row.ts';

/** The first page is small, so that it arrives quickly. */
const firstPage = 30;
const laterPage = 100;

/** Values that events do not contain (next times, reasons) are read again at most this often. */
const refreshMs = 5000;

interface Loaded {
  readonly order: readonly string[];
  readonly byId: ListedById;
  /** The cursor that each loaded page began after, for reading it again. */
  readonly cursors: readonly (string | undefined)[];
  readonly next: string | null;
}

const nothing: Loaded = { order: [], byId: new Map(), cursors: [], next: null };

export interface ScheduleList {
  readonly rows: readonly ListedSchedule[];
  readonly hasMore: boolean;
  /** How many of the rows on the screen would move if the list were read again. */
  readonly moved: number;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
  /** Reads from the beginning, in the present order. */
  readonly reload: () => void;
  /** Called with the range of rows that are on the screen. */
  readonly setShown: (first: number, last: number) => void;
}

/** The list that was left last. Back shows it at once as it was, and reads again the rows on the screen. */
let left: { readonly key: string; readonly loaded: Loaded } | undefined;

export function useSchedules(scope: Scope, text: string, sort: SortName): ScheduleList {
  const key = JSON.stringify([scope.namespace, text, sort]);
  const [back] = useState(() => (keptHeight() > 0 && left?.key === key ? left : undefined));
  const [loaded, setLoaded] = useState<Loaded>(back?.loaded ?? nothing);
  const [isLoading, setLoading] = useState(back === undefined);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const [moved, setMoved] = useState(0);
  const busy = useRef<AbortController | undefined>(undefined);
  const isThere = useRef(back !== undefined);
  const filters = useMemo(() => readScheduleQuery(text).filters, [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again
  useEffect(() => {
    const abort = new AbortController();
    busy.current = abort;
    if (isThere.current) {
      isThere.current = false;
      return () => abort.abort();
    }
    setLoading(true);
    readListing(scope, { ...filters, sort, strip: true, limit: firstPage }, { signal: abort.signal })
      .then(({ items, next }) => {
        setLoaded(added(nothing, items, next, undefined));
        setMoved(0);
        setError(undefined);
        setLoading(false);
        beginLater();
      })
      .catch((reason: unknown) => {
        if (abort.signal.aborted) return;
        setError(reason);
        setLoading(false);
      });
    return () => abort.abort();
  }, [scope, filters, sort, round]);
  const { next } = loaded;
  const loadMore = useCallback(() => {
    const signal = busy.current?.signal;
    if (next === null || isLoading || signal === undefined) return;
    setLoading(true);
    readListing(scope, { ...filters, sort, strip: true, limit: laterPage, after: next }, { signal })
      .then((page) => {
        setLoaded((before) => added(before, page.items, page.next, next));
        setLoading(false);
      })
      .catch((reason: unknown) => {
        if (signal.aborted) return;
        setError(reason);
        setLoading(false);
      });
  }, [scope, filters, sort, next, isLoading]);
  const isBack = back !== undefined;
  const setShown = useRefreshing({ scope, filters, sort, loaded, isBack, setLoaded, setRound, setMoved });
  const leaving = useRef({ key, loaded });
  leaving.current = { key, loaded };
  useEffect(
    () => () => {
      left = leaving.current;
    },
    [],
  );
  const rows = useMemo(() => loaded.order.flatMap((id) => loaded.byId.get(id) ?? []), [loaded]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { rows, hasMore: next !== null, moved, isLoading, error, loadMore, reload, setShown };
}

function added(
  before: Loaded,
  items: readonly ListedSchedule[],
  next: string | null,
  cursor: string | undefined,
): Loaded {
  const fresh = items.filter(({ id }) => !before.byId.has(id));
  return {
    order: [...before.order, ...fresh.map(({ id }) => id)],
    byId: new Map([...before.byId, ...items.map((item) => [item.id, item] as const)]),
    cursors: [...before.cursors, cursor],
    next,
  };
}

interface Refreshing {
  readonly scope: Scope;
  readonly filters: ReturnType<typeof readScheduleQuery>['filters'];
  readonly sort: SortName;
  readonly loaded: Loaded;
  /** Whether the rows come from a list that was left, and none of its pages was read since. */
  readonly isBack: boolean;
  readonly setLoaded: (change: (before: Loaded) => Loaded) => void;
  readonly setRound: (change: (before: number) => number) => void;
  readonly setMoved: (count: number) => void;
}

/** Applies events, and reads the page on the screen again, without strips, when one of its rows has changed. */
function useRefreshing(refreshing: Refreshing) {
  const { scope, filters, sort, loaded, isBack, setLoaded, setRound, setMoved } = refreshing;
  const shown = useRef({ first: 0, last: firstPage });
  const unread = useRef(new Set(isBack ? loaded.cursors.keys() : []));
  const latest = useRef(loaded);
  latest.current = loaded;
  const readAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refresh = useCallback(async () => {
    timer.current = undefined;
    readAt.current = performance.now();
    const { cursors, order } = latest.current;
    let moved = 0;
    try {
      for (const page of pagesOf(shown.current)) {
        const after = cursors[page];
        const limit = page === 0 ? firstPage : laterPage;
        const strip = unread.current.has(page);
        const request = { ...filters, sort, strip, limit, ...(after === undefined ? {} : { after }) };
        const { items } = await readListing(scope, request);
        unread.current.delete(page);
        // The list was empty, so no row can move away from under the pointer.
        if (order.length === 0 && items.length > 0) return setRound((before) => before + 1);
        setLoaded((before) => ({ ...before, byId: refreshed(before.byId, items) }));
        const begin = page === 0 ? 0 : firstPage + (page - 1) * laterPage;
        const sorted = items.map(({ id }) => id);
        moved += movedCount(order.slice(begin, begin + limit), sorted);
      }
      setMoved(moved);
    } catch {
      // The rows stay unchanged; the next event causes another attempt.
    }
  }, [scope, filters, sort, setLoaded, setMoved, setRound]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        const { all, schedules } = changedBy(events);
        if (all) return setRound((before) => before + 1);
        setLoaded((before) => {
          const byId = patched(before.byId, events);
          return byId === before.byId ? before : { ...before, byId };
        });
        const { order } = latest.current;
        const { first, last } = shown.current;
        const isSeen = order.slice(first, last + 1).some((id) => schedules.has(id));
        // A schedule that is new or not loaded yet may belong to this list.
        const { byId } = latest.current;
        const isNew = [...schedules].some((id) => !byId.has(id)) && (order.length === 0 || hasEdit(events));
        if (!(isSeen || isNew) || timer.current !== undefined || document.hidden) return;
        const wait = Math.max(250, refreshMs - (performance.now() - readAt.current));
        timer.current = setTimeout(refresh, wait);
      },
      [refresh, setLoaded, setRound],
    ),
  );
  return useCallback(
    (first: number, last: number) => {
      shown.current = { first, last };
      const isRead = pagesOf(shown.current).every((page) => !unread.current.has(page));
      if (!isRead) timer.current ??= setTimeout(refresh, 250);
    },
    [refresh],
  );
}

function hasEdit(events: readonly StreamedEvent[]): boolean {
  return events.some(({ type }) => type === 'edited');
}

/** The loaded pages of a range of rows. The screen never shows more rows than a page has. */
function pagesOf({ first, last }: { readonly first: number; readonly last: number }): readonly number[] {
  return [...new Set([pageOf(first), pageOf(Math.max(first, last))])];
}

function pageOf(row: number): number {
  return row < firstPage ? 0 : 1 + Math.floor((row - firstPage) / laterPage);
}
