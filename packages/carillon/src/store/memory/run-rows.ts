/** The run queue: runs are found by id, by owner, by availability and by check time. */
import type { Instant } from '../../base/time.ts';
import { pageOf } from '../cursor.ts';
import { aliasKey } from '../distinct-runs.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import type { RunKey, RunPlace } from '../run-order.ts';
import { compareRunsBy, runCursorOf, runKeyOf, runPlaceIn } from '../run-order.ts';
import { withoutPayloads } from '../run-payloads.ts';
import type { Page, RunQuery, WaitingQuery } from '../store.ts';
import type { Surplus } from './execution-walk.ts';
import type { Ticket } from './heap.ts';
import { Heap } from './heap.ts';
import { firstPosition, SortedSet } from './sorted-set.ts';
import { WaitingRunQueues } from './waiting-runs.ts';

/** A stored run. The row is replaced, never changed. */
export interface StoredRun {
  readonly id: string;
  row: RunRow;
  /** The positions of the run in the heaps of waiting runs, of runs with a check time, and of finished runs. */
  waiting: Ticket<StoredRun> | undefined;
  checked: Ticket<StoredRun> | undefined;
  finished: Ticket<StoredRun> | undefined;
}

export class RunRows {
  readonly #byId = new Map<string, StoredRun>();
  readonly #ordered = new SortedSet<StoredRun>(compareRuns);
  readonly #byOwner = new Map<string, SortedSet<StoredRun>>();
  readonly #byAlias = new Map<string, SortedSet<StoredRun>>();
  /** The unfinished runs. */
  readonly #openByOwner = new Map<string, SortedSet<StoredRun>>();
  /** The ids of the unfinished exclusive runs, by namespace and alias. */
  readonly #exclusive = new Map<string, string>();
  /** The leased runs. */
  readonly #byWorker = new Map<string, SortedSet<StoredRun>>();
  readonly #waiting = new WaitingRunQueues();
  readonly #checked = new Heap<StoredRun>(
    (a, b) => (a.row.checkAt as number) - (b.row.checkAt as number) || compareRuns(a, b),
  );
  readonly #finished = new Heap<StoredRun>(
    (a, b) => (a.row.finishedAt as number) - (b.row.finishedAt as number) || compareRuns(a, b),
  );

  readonly #onForget: (id: string) => void;

  /** `onForget` is called with each run that is removed. */
  constructor(onForget: (id: string) => void) {
    this.#onForget = onForget;
  }

  get(id: string): RunRow | undefined {
    return this.#byId.get(id)?.row;
  }

  /** The id of the unfinished exclusive run under an alias. */
  holderOf(namespace: string, alias: string): string | undefined {
    return this.#exclusive.get(aliasKey(namespace, alias));
  }

  put(row: RunRow): void {
    const stored = this.#byId.get(row.id);
    if (stored === undefined) {
      this.#insert({ id: row.id, row, waiting: undefined, checked: undefined, finished: undefined });
      return;
    }
    this.#leaveIndexes(stored);
    if (stored.row.owner !== row.owner) this.#reown(stored, row.owner);
    stored.row = row;
    this.#enterIndexes(stored);
  }

  remove(id: string): void {
    const stored = this.#byId.get(id);
    if (stored !== undefined) this.#forget(stored);
  }

  claimable(query: WaitingQuery, now: Instant, limit: number): readonly RunRow[] {
    return this.#waiting.claimable(query, now, limit);
  }

  nextClaimable(query: WaitingQuery): Instant | null {
    return this.#waiting.earliest(query);
  }

  lapsed(now: Instant, limit: number): readonly RunRow[] {
    return this.#checked.first(limit, ({ row }) => (row.checkAt as number) <= now).map(({ row }) => row);
  }

  held(worker: string, limit: number): readonly RunRow[] {
    const held = this.#byWorker.get(worker)?.items() ?? [];
    return held.slice(0, Math.max(0, limit)).map(({ row }) => row);
  }

  owned(owner: string, upTo: number, limit: number): readonly RunRow[] {
    const open = this.#openByOwner.get(owner);
    if (open === undefined) return [];
    const end = open.search(({ row }) => (row.ordinal ?? -1) > upTo);
    const items = open.items();
    const rows: RunRow[] = [];
    for (let i = end - 1; i >= 0 && rows.length < limit; i -= 1) rows.push((items[i] as StoredRun).row);
    return rows;
  }

  nextLapsed(): Instant | null {
    return this.#checked.peek()?.row.checkAt ?? null;
  }

  page(query: RunQuery): Page<RunRow> {
    const ascending = query.order === 'ascending';
    const key = runKeyOf(query);
    const items = this.#inOrder(query, key);
    const ids = query.ids === undefined ? undefined : new Set(query.ids);
    const rows: RunRow[] = [];
    for (let i = startOf(items, query, key); i >= 0 && i < items.length; i += ascending ? 1 : -1) {
      const { row } = items[i] as StoredRun;
      if (isAsked(row, query, ids)) rows.push(query.payloads === false ? withoutPayloads(row) : row);
      if (rows.length > query.limit) break;
    }
    return pageOf(rows, query.limit, (row) => runCursorOf(row, key));
  }

  /**
   * The smallest set that contains everything asked for, in ascending order. Runs are sorted when no set has the order: both orders
   * nearly agree, which makes sorting fast, and writing pays nothing.
   */
  #inOrder({ alias, owner }: RunQuery, key: RunKey): readonly StoredRun[] {
    const set =
      owner !== undefined
        ? this.#byOwner.get(owner)
        : alias === undefined
          ? this.#ordered
          : this.#byAlias.get(alias);
    if (set === undefined) return [];
    const isSorted = owner === undefined ? key === 'id' : key === 'ordinal';
    if (isSorted) return set.items();
    const compare = compareRunsBy(key);
    return [...set.items()].sort((a, b) => compare(a.row, b.row));
  }

  sweep(finishedBefore: Instant, limit: number): number {
    const gone = this.#finished.first(limit, ({ row }) => (row.finishedAt as number) < finishedBefore);
    for (const stored of gone) this.#forget(stored);
    return gone.length;
  }

  /** Removes those of these runs that are finished; returns the number removed. */
  forget(ids: readonly string[]): number {
    const gone = ids.flatMap((id) => this.#byId.get(id) ?? []).filter(({ row }) => row.state === 'done');
    for (const stored of gone) this.#forget(stored);
    return gone.length;
  }

  /** Removes all but the newest `keep` finished runs of an owner, oldest first; returns the number removed. */
  trim(owner: string, { keep, before, limit }: Surplus): number {
    const runs = this.#byOwner.get(owner);
    if (runs === undefined || runs.size <= keep) return 0;
    const finished = runs.items().filter(({ row }) => row.state === 'done');
    const gone = finished
      .slice(0, Math.max(0, finished.length - keep))
      .filter(({ row }) => row.finishedAt !== null && row.finishedAt < before)
      .slice(0, limit);
    for (const stored of gone) this.#forget(stored);
    return gone.length;
  }

  #forget(stored: StoredRun): void {
    this.#leaveIndexes(stored);
    this.#reown(stored, null);
    leave(this.#byAlias, stored.row.alias, stored);
    this.#byId.delete(stored.id);
    this.#onForget(stored.id);
    this.#ordered.delete(stored);
  }

  #insert(stored: StoredRun): void {
    this.#byId.set(stored.id, stored);
    this.#ordered.add(stored);
    enter(this.#byOwner, stored.row.owner, stored, compareStarts);
    enter(this.#byAlias, stored.row.alias, stored);
    this.#enterIndexes(stored);
  }

  #enterIndexes(stored: StoredRun): void {
    const { state, checkAt, finishedAt, worker, exclusive, namespace, alias } = stored.row;
    if (state === 'waiting') this.#waiting.add(stored);
    if (state === 'leased') enter(this.#byWorker, worker, stored);
    if (state !== 'done') {
      enter(this.#openByOwner, stored.row.owner, stored, compareStarts);
      if (exclusive && alias !== null) this.#exclusive.set(aliasKey(namespace, alias), stored.id);
    }
    if (state !== 'done' && checkAt !== null) stored.checked = this.#checked.add(stored);
    if (state === 'done' && finishedAt !== null) stored.finished = this.#finished.add(stored);
  }

  #leaveIndexes(stored: StoredRun): void {
    const { checked, finished, row } = stored;
    if (row.state === 'leased') leave(this.#byWorker, row.worker, stored);
    if (row.state !== 'done') {
      leave(this.#openByOwner, row.owner, stored);
      if (row.exclusive && row.alias !== null) this.#exclusive.delete(aliasKey(row.namespace, row.alias));
    }
    if (stored.waiting !== undefined) this.#waiting.delete(stored);
    if (checked !== undefined) this.#checked.delete(checked);
    if (finished !== undefined) this.#finished.delete(finished);
    stored.checked = undefined;
    stored.finished = undefined;
  }

  #reown(stored: StoredRun, owner: string | null): void {
    leave(this.#byOwner, stored.row.owner, stored);
    enter(this.#byOwner, owner, stored, compareStarts);
  }
}

type Groups = Map<string, SortedSet<StoredRun>>;

function enter(groups: Groups, name: string | null, stored: StoredRun, compare = compareRuns): void {
  if (name === null) return;
  let runs = groups.get(name);
  if (runs === undefined) {
    runs = new SortedSet<StoredRun>(compare);
    groups.set(name, runs);
  }
  runs.add(stored);
}

function leave(groups: Groups, name: string | null, stored: StoredRun): void {
  if (name === null) return;
  const runs = groups.get(name);
  runs?.delete(stored);
  if (runs?.size === 0) groups.delete(name);
}

const compareOrdinals = compareRunsBy('ordinal');

/** The runs of one owner in order of start. */
function compareStarts(a: StoredRun, b: StoredRun): number {
  return compareOrdinals(a.row, b.row);
}

function compareRuns(a: StoredRun, b: StoredRun): number {
  return compareText(a.id, b.id);
}

/** The position of the first run of a page. */
function startOf(items: readonly StoredRun[], query: RunQuery, key: RunKey): number {
  const ascending = query.order === 'ascending';
  if (query.after === undefined) return ascending ? 0 : items.length - 1;
  const compare = compareRunsBy(key);
  const last: RunPlace = runPlaceIn(query.after, key);
  return ascending
    ? firstPosition(items, ({ row }) => compare(row, last) > 0)
    : firstPosition(items, ({ row }) => compare(row, last) >= 0) - 1;
}

function isAsked(row: RunRow, query: RunQuery, ids: ReadonlySet<string> | undefined): boolean {
  return (
    (ids === undefined || ids.has(row.id)) &&
    (query.owner === undefined || row.owner === query.owner) &&
    (query.alias === undefined || row.alias === query.alias) &&
    (query.namespace === undefined || row.namespace === query.namespace) &&
    (query.queue === undefined || row.queue === query.queue) &&
    (query.name === undefined || row.name === query.name) &&
    (query.states === undefined || query.states.includes(row.state)) &&
    (query.outcomes === undefined || (row.outcome !== null && query.outcomes.includes(row.outcome)))
  );
}
