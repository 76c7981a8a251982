/**
 * The store in memory: for tests, simulation and work that may be lost. Every operation does its work at
 * the moment it is called and resolves in a microtask, so a simulation on it is deterministic. Finding what is due costs
 * the logarithm of what is stored; an idle row costs nothing.
 */

import type { Clock } from '../../base/clock.ts';
import { Listeners as ListenerSet } from '../../base/listeners.ts';
import { ChangeListeners } from '../change.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { StoreError } from '../error.ts';
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
  CommittedChange,
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
import { listedOf } from './execution-rows.ts';
import { countExecutions, pageOfExecutions } from './listing.ts';
import { present } from './selection.ts';
import { sweep } from './sweeper.ts';
import { Tables } from './tables.ts';
import type { Surroundings } from './transaction.ts';
import { partOf, transact } from './transaction.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
}

export class MemoryStore implements Store {
  readonly name = 'memory';
  readonly capabilities: Capabilities = { shared: false, filters: 'all' };
  readonly #clock: Clock;
  readonly #tables = new Tables();
  readonly #listeners = new ChangeListeners();
  readonly #around: Surroundings;
  readonly #messages = new ListenerSet<(text: string | null) => void>(() => {});
  #isClosed = false;

  constructor(options: MemoryStoreOptions) {
    this.#clock = options.clock;
    this.#around = { tables: this.#tables, clock: options.clock, listeners: this.#listeners };
  }

  async migrate(): Promise<void> {
    this.#assertOpen();
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    this.#assertOpen();
    return transact(this.#around, selection, decider);
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
    if ('refs' in which) return present(which.refs.map((ref) => partOf(this.#tables, ref)));
    return this.#tables.executions.get(which.incarnation)?.parts.history(which.name) ?? [];
  }

  async list(query: ListQuery): Promise<Page<ListedExecution>> {
    this.#assertOpen();
    return pageOfExecutions(this.#tables, query);
  }

  async count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number> {
    this.#assertOpen();
    return countExecutions(this.#tables, query);
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

  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void {
    return this.#listeners.add(listener, of);
  }

  async sweep(retention: Retention): Promise<Swept> {
    this.#assertOpen();
    return sweep(this.#tables, retention);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('unavailable', 'the memory store is closed');
  }
}
