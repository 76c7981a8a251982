/** Lists and counts over the index of a namespace: filtered, sorted by attention or next time, counted by state. */
import { nextTurn } from '../../base/next-turn.ts';
import type { Instant } from '../../base/time.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import { decodeCursor, pageOf } from '../../store/cursor.ts';
import { matchesFilter } from '../../store/filter.ts';
import { compareText } from '../../store/order.ts';
import type { Filter } from '../../store/store.ts';
import { timeJson } from '../wire.ts';
import type { Attention, AttentionKind } from './attention.ts';
import { attentionOf } from './attention.ts';
import type { FleetEntry } from './fleet-index.ts';

export const scheduleSorts = ['id', 'attention', 'next', 'newest'] as const;
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
  /** Schedules whose last run failed. */
  readonly failing: number;
  /** Schedules that are due, without a verdict. */
  readonly late: number;
  /** Schedules with a run that is running or waiting. */
  readonly busy: number;
  /** Schedules with a run that waits for a worker that knows its handler. */
  readonly noWorker: number;
  /** Schedules with many of their latest slots skipped, because a run was unfinished. */
  readonly skipping: number;
  /** Schedules that need a person for any reason but a pause. */
  readonly attention: number;
  /**
   * The runs of the namespace that are in work, with and without a schedule. No filter applies; at most 1,000 are
   * counted.
   */
  readonly runsNow: number;
}

export interface IndexQuery {
  readonly filter?: Filter;
  readonly quarantined?: boolean;
  /** Only schedules that need a person, for this reason, or for any but a pause. */
  readonly attention?: AttentionKind | 'any';
}

/** The entries that are examined between two turns of the event loop: a few milliseconds of work. */
const entriesPerTurn = 5000;

/** Visits the entries that match, in order, and lets other work of the process run in between. */
async function eachMatch(
  entries: readonly FleetEntry[],
  { filter, quarantined, attention: wanted, now }: IndexQuery & { readonly now: Instant },
  visit: (entry: FleetEntry, attention: Attention) => void,
): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    if (index % entriesPerTurn === entriesPerTurn - 1) await nextTurn();
    if (quarantined !== undefined && quarantined !== (entry.incident !== null)) continue;
    if (filter !== undefined && !matchesFilter(filter, entry)) continue;
    const attention = attentionOf(entry, now);
    if (wanted === undefined || wanted === attention.kind || (wanted === 'any' && needsPerson(attention)))
      visit(entry, attention);
  }
}

export async function matchingIds(
  entries: readonly FleetEntry[],
  filter: Filter,
  now: Instant,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  await eachMatch(entries, { filter, now }, ({ id }) => void ids.add(id));
  return ids;
}

/** A pause is a person's own decision. */
function needsPerson({ kind }: Attention): boolean {
  return kind !== null && kind !== 'paused';
}

export async function countEntries(
  entries: readonly FleetEntry[],
  query: IndexQuery,
  now: Instant,
): Promise<Omit<ScheduleCounts, 'runsNow'>> {
  const counts = { running: 0, paused: 0, ended: 0, quarantined: 0 };
  let total = 0;
  let failing = 0;
  let late = 0;
  let busy = 0;
  let noWorker = 0;
  let skipping = 0;
  let attention = 0;
  await eachMatch(entries, { ...query, now }, (entry, need) => {
    total += 1;
    counts[stateOf(entry)] += 1;
    if (entry.failures > 0) failing += 1;
    if (isLate(entry, now)) late += 1;
    if (entry.running + entry.buffered > 0) busy += 1;
    if (need.kind === 'noWorker') noWorker += 1;
    if (need.kind === 'skipping') skipping += 1;
    if (needsPerson(need)) attention += 1;
  });
  return { at: timeJson(now), total, ...counts, failing, late, busy, noWorker, skipping, attention };
}

/** The state that a description of the schedule would show. */
export function stateOf({
  incident,
  isPaused,
  isEnded,
}: FleetEntry): 'running' | 'paused' | 'ended' | 'quarantined' {
  if (incident !== null) return 'quarantined';
  if (isPaused) return 'paused';
  return isEnded ? 'ended' : 'running';
}

function isLate({ next, isPaused, isEnded }: FleetEntry, now: Instant): boolean {
  return next !== null && !isPaused && !isEnded && now - next > lateAfter;
}

export interface SortedQuery extends IndexQuery {
  readonly sort: ScheduleSort;
  readonly after?: string;
  readonly limit: number;
}

export interface SortedEntry {
  readonly entry: FleetEntry;
  readonly attention: Attention;
}

interface SortedPage {
  readonly items: readonly SortedEntry[];
  readonly next: string | null;
}

/** Schedules without a next time come last. */
const never = Number.MAX_SAFE_INTEGER;

interface Keyed {
  readonly key: number;
  readonly item: SortedEntry;
}

/**
 * One page; the order is by the key, then by id, so that a cursor names a place in it. Only as many entries are kept and
 * moved as the page has, however many there are.
 */
export async function sortedPage(
  entries: readonly FleetEntry[],
  query: SortedQuery,
  now: Instant,
): Promise<SortedPage> {
  const { sort, after, limit } = query;
  const from =
    after === undefined ? undefined : (decodeCursor(after, ['number', 'string']) as [number, string]);
  const best: Keyed[] = [];
  await eachMatch(entries, { ...query, now }, (entry, attention) => {
    const key = keyOf(sort, entry, attention);
    if (from !== undefined && (key < from[0] || (key === from[0] && compareText(entry.id, from[1]) <= 0)))
      return;
    if (best.length > limit && key >= (best.at(-1) as Keyed).key) return;
    // Entries come in order of their ids, so an equal key belongs after those that are there.
    let place = best.length;
    while (place > 0 && (best[place - 1] as Keyed).key > key) place -= 1;
    best.splice(place, 0, { key, item: { entry, attention } });
    if (best.length > limit + 1) best.pop();
  });
  const { items, next } = pageOf(best, limit, ({ key, item }) => [key, item.entry.id]);
  return { items: items.map(({ item }) => item), next };
}

function keyOf(sort: ScheduleSort, { next, isPaused, createdAt }: FleetEntry, { score }: Attention): number {
  if (sort === 'attention') return -score;
  if (sort === 'newest') return -createdAt;
  return sort === 'next' ? (isPaused ? never : (next ?? never)) : 0;
}
