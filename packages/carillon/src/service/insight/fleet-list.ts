/** Lists and counts over the index of a namespace: filtered, sorted by attention or next time, counted by state. */
import type { Instant } from '../../base/time.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import { decodeCursor, encodeCursor } from '../../store/cursor.ts';
import { matchesFilter } from '../../store/filter.ts';
import { compareText } from '../../store/order.ts';
import type { Filter } from '../../store/store.ts';
import { timeJson } from '../wire.ts';
import type { Attention } from './attention.ts';
import { attentionOf } from './attention.ts';
import type { Entry } from './fleet-index.ts';

export const scheduleSorts = ['id', 'attention', 'next'] as const;
export type ScheduleSort = (typeof scheduleSorts)[number];

/** How many open schedules there are, in all and by what lists filter for. A schedule may count several times below. */
export interface ScheduleCounts {
  /** The time of the counts. */
  readonly at: string;
  /** The open schedules that match. */
  readonly total: number;
  /** By state; the numbers add up to `total`. */
  readonly running: number;
  readonly paused: number;
  readonly ended: number;
  readonly quarantined: number;
  /** The last run failed. */
  readonly failing: number;
  /** Due, without a verdict. */
  readonly late: number;
  /** A run is running or waiting. */
  readonly busy: number;
  /** A run waits for a worker that knows its handler. */
  readonly noWorker: number;
  /** Needs a person for any reason but a pause. */
  readonly attention: number;
}

export interface IndexQuery {
  readonly filter?: Filter;
  readonly quarantined?: boolean;
}

export function countEntries(entries: readonly Entry[], query: IndexQuery, now: Instant): ScheduleCounts {
  const counts = { running: 0, paused: 0, ended: 0, quarantined: 0 };
  let total = 0;
  let failing = 0;
  let late = 0;
  let busy = 0;
  let noWorker = 0;
  let attention = 0;
  for (const entry of entries) {
    if (!isMatch(entry, query)) continue;
    total += 1;
    counts[stateOf(entry)] += 1;
    if (entry.failures > 0) failing += 1;
    if (isLate(entry, now)) late += 1;
    if (entry.running + entry.buffered > 0) busy += 1;
    const { kind } = attentionOf(entry, now);
    if (kind === 'noWorker') noWorker += 1;
    if (kind !== null && kind !== 'paused') attention += 1;
  }
  return { at: timeJson(now), total, ...counts, failing, late, busy, noWorker, attention };
}

/** The state that a description of the schedule would show. */
export function stateOf({
  incident,
  isPaused,
  isEnded,
}: Entry): 'running' | 'paused' | 'ended' | 'quarantined' {
  if (incident !== null) return 'quarantined';
  if (isPaused) return 'paused';
  return isEnded ? 'ended' : 'running';
}

function isLate({ next, isPaused, isEnded }: Entry, now: Instant): boolean {
  return next !== null && !isPaused && !isEnded && now - next > lateAfter;
}

export function isMatch(entry: Entry, { filter, quarantined }: IndexQuery): boolean {
  if (quarantined !== undefined && quarantined !== (entry.incident !== null)) return false;
  return filter === undefined || matchesFilter(filter, entry);
}

export interface SortedQuery extends IndexQuery {
  readonly sort: ScheduleSort;
  readonly after?: string;
  readonly limit: number;
}

export interface SortedEntry {
  readonly entry: Entry;
  readonly attention: Attention;
}

interface SortedPage {
  readonly items: readonly SortedEntry[];
  readonly next: string | null;
}

/** Schedules without a next time come last. */
const never = Number.MAX_SAFE_INTEGER;

/** One page; the order is by the key, then by id, so that a cursor names a place in it. */
export function sortedPage(entries: readonly Entry[], query: SortedQuery, now: Instant): SortedPage {
  const { sort, after, limit } = query;
  const from =
    after === undefined ? undefined : (decodeCursor(after, ['number', 'string']) as [number, string]);
  const found: { readonly key: number; readonly item: SortedEntry }[] = [];
  for (const entry of entries) {
    if (!isMatch(entry, query)) continue;
    const attention = attentionOf(entry, now);
    const key = keyOf(sort, entry, attention);
    const isBefore =
      from !== undefined && (key < from[0] || (key === from[0] && compareText(entry.id, from[1]) <= 0));
    if (!isBefore) found.push({ key, item: { entry, attention } });
  }
  // Entries come in order of their ids and the sort is stable, so the key alone is compared.
  if (sort !== 'id') found.sort((a, b) => a.key - b.key);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const isEnd = found.length <= limit || last === undefined;
  return {
    items: shown.map(({ item }) => item),
    next: isEnd ? null : encodeCursor([last.key, last.item.entry.id]),
  };
}

function keyOf(sort: ScheduleSort, { next, isPaused }: Entry, { score }: Attention): number {
  if (sort === 'attention') return -score;
  return sort === 'next' ? (isPaused ? never : (next ?? never)) : 0;
}
