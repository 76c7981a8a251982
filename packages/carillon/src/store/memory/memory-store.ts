/**
 * The store in memory: for tests, simulation and work that may be lost. Every operation does its work at
 * the moment it is called and resolves in a microtask, so a simulation on it is deterministic. Finding what is due costs
 * the logarithm of what is stored; an idle row costs nothing.
 */

import type { Clock } from '../../base/clock.ts';
import { Listeners as ListenerSet } from '../../base/listeners.ts';
import type { Instant } from '../../base/time.ts';
import { changeOf, Listeners } from '../change.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { StoreError } from '../error.ts';
import { matchesFilter } from '../filter.ts';
import { loadedRows, partKey } from '../loaded.ts';
import type {
  AuditRow,
  EventRow,
  ExecutionKey,
  ListedExecution,
  LogRow,
  PartRef,
  PartRow,
  RunRow,
  SlotRow,
} from '../records.ts';
import type {
  AttemptRef,
  AuditQuery,
  Capabilities,
  Change,
  Decider,
  EventQuery,
  Interest,
  ListQuery,
  LogQuery,
  Page,
  Retention,
  RunQuery,
  Selection,
  SlotQuery,
  Store,
  Swept,
  WakeQuery,
  WakeTimes,
} from '../store.ts';
import type { ListPosition, StoredExecution } from './execution-rows.ts';
import { compareListed, listedOf, positionOf } from './execution-rows.ts';
import { walkExecutions } from './execution-walk.ts';
import { present, select } from './selection.ts';
import { Tables } from './tables.ts';
import { applyWrites, checkWrites } from './writing.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
}

export class MemoryStore implements Store {
  readonly name = 'memory';
  readonly capabilities: Capabilities = { shared: false, filters: 'all' };
  readonly #clock: Clock;
  readonly #tables = new Tables();
  readonly #listeners = new Listeners();
  readonly #messages = new ListenerSet<(text: string | null) => void>(() => {});
  #isClosed = false;

  constructor(options: MemoryStoreOptions) {
    this.#clock = options.clock;
  }

  async migrate(): Promise<void> {
    this.#assertOpen();
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    this.#assertOpen();
    const now = this.#clock.now();
    const { executions, runs } = select(this.#tables, selection, now);
    const needs = decider.need?.(executions, runs);
    const parts =
      needs === undefined || needs.parts.length === 0
        ? undefined
        : new Map(needs.parts.map((ref) => [partKey(ref), this.#part(ref)?.data]));
    const events = needs?.events?.flatMap(
      (need) => this.#tables.executions.get(need.owner)?.events.needed(need) ?? [],
    );
    const { writes, result } = decider.decide(loadedRows({ now, executions, runs }, parts, events));
    checkWrites(this.#tables, writes);
    const removed = applyWrites(this.#tables, writes);
    const change = this.#listeners.isEmpty ? null : changeOf(writes, removed);
    if (change !== null) this.#listeners.tell(change);
    return result;
  }

  async read(
    which: { keys: readonly ExecutionKey[] } | { incarnations: readonly string[] },
  ): Promise<readonly ListedExecution[]> {
    this.#assertOpen();
    const found =
      'keys' in which
        ? which.keys.map((key) => this.#tables.executions.newest(key))
        : which.incarnations.map((incarnation) => this.#tables.executions.get(incarnation));
    return present(found).map(listedOf);
  }

  async parts(
    which: { refs: readonly PartRef[] } | { incarnation: string; name: string },
  ): Promise<readonly PartRow[]> {
    this.#assertOpen();
    if ('refs' in which) return present(which.refs.map((ref) => this.#part(ref)));
    return this.#tables.executions.get(which.incarnation)?.parts.history(which.name) ?? [];
  }

  async list(query: ListQuery): Promise<Page<ListedExecution>> {
    this.#assertOpen();
    const items = this.#tables.executions.listed.items();
    const found: StoredExecution[] = [];
    for (let i = this.#startOf(query); i < items.length && found.length <= query.limit; i++) {
      const stored = items[i] as StoredExecution;
      if (isListed(stored, query)) found.push(stored);
    }
    const { items: page, next } = pageOf(found, query.limit, positionOf);
    return { items: page.map(listedOf), next };
  }

  async count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number> {
    this.#assertOpen();
    let count = 0;
    for (const stored of this.#tables.executions.all()) if (isListed(stored, query)) count++;
    return count;
  }

  async slots(query: SlotQuery): Promise<Page<SlotRow>> {
    this.#assertOpen();
    return this.#tables.executions.get(query.incarnation)?.slots.page(query) ?? { items: [], next: null };
  }

  async runs(query: RunQuery): Promise<Page<RunRow>> {
    this.#assertOpen();
    return this.#tables.runs.page(query);
  }

  async events(query: EventQuery): Promise<Page<EventRow>> {
    this.#assertOpen();
    return this.#tables.executions.get(query.owner)?.events.page(query) ?? { items: [], next: null };
  }

  async logs(query: LogQuery): Promise<Page<LogRow>> {
    this.#assertOpen();
    return this.#tables.logs.page(query);
  }

  async lastLines(of: readonly AttemptRef[]): Promise<readonly LogRow[]> {
    this.#assertOpen();
    return of.flatMap((attempt) => this.#tables.logs.last(attempt) ?? []);
  }

  async audit({ namespace, target, after, limit }: AuditQuery): Promise<Page<AuditRow>> {
    this.#assertOpen();
    const [before] =
      after === undefined ? [Number.POSITIVE_INFINITY] : (decodeCursor(after, ['number']) as [number]);
    const found: { readonly sequence: number; readonly row: AuditRow }[] = [];
    for (const entry of this.#tables.audit.before(before)) {
      if (found.length > limit) break;
      const isAsked =
        (namespace === undefined || entry.row.namespace === namespace) &&
        (target === undefined || entry.row.target === target);
      if (isAsked) found.push(entry);
    }
    const { items, next } = pageOf(found, limit, ({ sequence }) => [sequence]);
    return { items: items.map(({ row }) => row), next };
  }

  async wakeTimes({ archetypes, queues = [], ...rest }: WakeQuery): Promise<WakeTimes> {
    this.#assertOpen();
    return {
      now: this.#clock.now(),
      due: this.#tables.executions.nextDue(archetypes),
      lapsed: this.#tables.runs.nextLapsed(),
      claimable: this.#tables.runs.nextClaimable({ queues, ...rest }),
    };
  }

  /** Several Carillons of one process may share the store, as the nodes of a simulated cluster do. */
  async publish(text: string): Promise<void> {
    this.#messages.each((listener) => listener(text));
  }

  messages(listener: (text: string | null) => void): () => void {
    return this.#messages.add(listener);
  }

  subscribe(listener: (change: Change) => void, of?: Interest): () => void {
    return this.#listeners.add(listener, of);
  }

  async sweep(retention: Retention): Promise<Swept> {
    this.#assertOpen();
    const { limit, closedBefore, runsFinishedBefore, finishedRuns, eventsBefore, auditBefore } = retention;
    let swept = 0;
    if (closedBefore !== undefined) swept += this.#sweepClosed(closedBefore, limit);
    const { rows, next } = walkExecutions(this.#tables.executions, this.#tables.runs, retention);
    if (runsFinishedBefore !== undefined) swept += this.#tables.runs.sweep(runsFinishedBefore, limit);
    if (finishedRuns !== undefined) swept += this.#tables.runs.forget(finishedRuns);
    if (eventsBefore !== undefined) swept += this.#tables.executions.sweepEvents(eventsBefore, limit);
    if (auditBefore !== undefined) swept += this.#tables.audit.sweep(auditBefore, limit);
    return { rows: swept + rows, next };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  #part(ref: PartRef): PartRow | undefined {
    return this.#tables.executions.get(ref.incarnation)?.parts.get(ref);
  }

  #startOf(query: ListQuery): number {
    const { listed } = this.#tables.executions;
    if (query.after !== undefined) {
      const last = decodeCursor(query.after, ['string', 'string', 'string', 'number']);
      const position = last as unknown as ListPosition;
      return listed.search((stored) => compareListed(positionOf(stored), position) > 0);
    }
    return 0;
  }

  /** An execution is removed after the last of its slots and events, which count against the limit like any others. */
  #sweepClosed(before: Instant, limit: number): number {
    let slots = 0;
    let events = 0;
    let swept = 0;
    for (const stored of this.#tables.executions.closedBefore(before, limit)) {
      slots += stored.slots.sweep(Number.POSITIVE_INFINITY as Instant, limit - slots);
      events += stored.events.removeSome(limit - events);
      if (stored.slots.size > 0 || stored.events.size > 0) break;
      this.#tables.executions.remove(stored);
      swept++;
    }
    return slots + events + swept;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('unavailable', 'the memory store is closed');
  }
}

function isListed(stored: StoredExecution, query: Omit<ListQuery, 'after' | 'limit'>): boolean {
  const { row } = stored;
  return (
    (query.namespace === undefined || row.key.namespace === query.namespace) &&
    (query.archetype === undefined || row.key.archetype === query.archetype) &&
    (query.status === undefined || row.status === query.status) &&
    (query.quarantined === undefined || (row.incident !== null) === query.quarantined) &&
    (query.filter === undefined ||
      matchesFilter(query.filter, { key: row.key, attributes: stored.attributes, signals: row.signals }))
  );
}
