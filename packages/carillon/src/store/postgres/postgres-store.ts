/**
 * The shared store: any number of nodes on one PostgreSQL.
 *
 * The database's clock judges what is due, so nodes need not agree on the time. Rows are locked while they are decided
 * over; a step takes two round trips for any number of rows. docs/postgresql.md explains how to set it up.
 */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { SystemClock } from '../../base/clock.ts';
import { Listeners as ListenerSet } from '../../base/listeners.ts';
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { ChangeListeners } from '../change.ts';
import { auditOf, eventOf, listedOf, logOf, slotOf } from '../columns.ts';
import { pageOf } from '../cursor.ts';
import { StoreError } from '../error.ts';
import { eventPage } from '../event-page.ts';
import { logPage } from '../log-page.ts';
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
import { runCursorOf, runKeyOf } from '../run-order.ts';
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
  StoreEvent,
  Swept,
  WakeQuery,
  WakeTimes,
} from '../store.ts';
import { Watchers } from '../watchers.ts';
import { addressOf, checkSchema, type DriverConfig } from './address.ts';
import { encodeText } from './change-codec.ts';
import { CommitLanes } from './commit-lanes.ts';
import { Connections } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import { nowOr } from './execution-rows.ts';
import { Listener } from './listener.ts';
import { Listing } from './listing.ts';
import { migrate } from './migration.ts';
import { Notifier } from './notifier.ts';
import { partOf } from './part-rows.ts';
import { type AnyRequest, DecisionRequest } from './request.ts';
import { runOf } from './run-columns.ts';
import { RunPartitions } from './run-partitions.ts';
import { Sweeper } from './sweeper.ts';
import { Tables } from './tables.ts';
import { Transaction } from './transaction.ts';
import { troubleOf } from './trouble.ts';

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:5432/database`. Behind a `?` the options below may stand as `schema`, `pool_size`,
   * `statement_timeout_ms`, `listen` and `prepare`, beside the driver's own (`sslmode`, …).
   */
  readonly url?: string;
  /** Settings of the driver beyond the URL, or instead of it: `ssl`, `password` as a function, … */
  readonly connection?: DriverConfig;
  /** The schema. Default `carillon`. `migrate` creates it if it does not exist. */
  readonly schema?: string;
  /** The largest number of connections, beside the one that listens. Default 10. */
  readonly poolSize?: number;
  /** Limits every statement, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Whether to receive notifications of other nodes' commits. Default true; false behind a pooler that hands out connections per transaction. */
  readonly listen?: boolean;
  /** Whether the server keeps the plans of our statements. Default true; false behind a pooler that cannot (PgBouncer before 1.21). */
  readonly prepare?: boolean;
  /** `full` (default): commits are as durable as the server is set to make them. `fast`: a crash of the server may lose the last of them. */
  readonly durability?: 'full' | 'fast';
  /** The name shown in `pg_stat_activity`. Default `carillon`. */
  readonly applicationName?: string;
  /** For tests: replaces the database's clock for judging what is due. */
  readonly clock?: Clock;
  /** Measures pauses, backoff and patience of the store itself. Default: the system's clock. */
  readonly timer?: Clock;
}

const defaultPoolSize = 10;
const defaultStatementTimeoutMs = 30_000;
/** How long closing waits for answers to earlier requests. */
const closingPatienceMs = 5000;
/** The days of runs for which partitions are made by a migration, and by each sweep. */
const daysAtStart = 2;
const daysAhead = 7;
/**
 * Transactions with named rows that run side by side. Fewer lanes make larger batches, which is most of the gain: with 64
 * requests in flight, few lanes did several times what eight connections without batches did. Two, so that one can
 * be under way while the other commits, and a row that another transaction holds does not block everything.
 */
const mostLanes = 2;

export class PostgresStore implements Store {
  readonly name = 'postgres';
  readonly capabilities: Capabilities = {
    shared: true,
    filters: 'all',
    backupTool: "pg_dump, or a snapshot of the server's disk",
  };
  readonly #schema: string;
  readonly #clock: Clock | undefined;
  readonly #timer: Clock;
  readonly #connections: Connections;
  readonly #tables: Tables;
  readonly #partitions: RunPartitions;
  readonly #transacting: Transaction;
  readonly #lanes: CommitLanes;
  readonly #listing: Listing;
  readonly #listeners = new ChangeListeners();
  readonly #watchers = new Watchers();
  readonly #notifier: Notifier;
  readonly #messages = new ListenerSet<(text: string | null) => void>(() => {});
  readonly #notification: (text: string) => readonly [channel: string, payload: string];
  readonly #listener: Listener | null;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  /** Connects with the first call. Throws when the options make no sense. */
  constructor(options: PostgresStoreOptions) {
    const address = addressOf(options.url, options.connection);
    const settings = { ...address.settings, ...present(options) };
    this.#schema = checkSchema(settings.schema ?? 'carillon');
    const poolSize = settings.poolSize ?? defaultPoolSize;
    this.#clock = options.clock;
    const timer = options.timer ?? new SystemClock();
    this.#timer = timer;
    this.#connections = new Connections({
      address,
      poolSize,
      statementTimeoutMs: settings.statementTimeoutMs ?? defaultStatementTimeoutMs,
      applicationName: options.applicationName ?? 'carillon',
      prepare: settings.prepare ?? true,
      isDurable: options.durability !== 'fast',
      // After a failover that lost commits, their versions are assigned again to other commits.
      broken: () => this.#watchers.tell({ kind: 'rewound' }),
      timer,
    });
    this.#tables = new Tables(this.#schema);
    this.#partitions = new RunPartitions(this.#connections, this.#tables.schema);
    this.#transacting = new Transaction({
      connections: this.#connections,
      tables: this.#tables,
      judge: () => this.#judge(),
      committed: (requests, removed) => this.#committed(requests, removed),
    });
    this.#lanes = new CommitLanes(this.#transacting, Math.min(mostLanes, poolSize));
    this.#listing = new Listing(this.#connections, this.#tables);
    const channel = `carillon_${this.#schema}`;
    const ourselves = randomUUID();
    this.#notification = (text) => [channel, encodeText(text, ourselves)];
    this.#notifier = new Notifier({ connections: this.#connections, channel, sender: ourselves, timer });
    this.#listener =
      (settings.listen ?? true)
        ? new Listener({
            connections: this.#connections,
            channel,
            ourselves,
            heard: (change) => this.#listeners.tell(change),
            published: (text) => this.#messages.each((listener) => listener(text)),
            timer,
          })
        : null;
  }

  async migrate(): Promise<void> {
    await this.#guard(async () => {
      await migrate(this.#connections, this.#schema);
      await this.#partitions.make(await this.#now(), daysAtStart);
    });
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    this.#assertOpen();
    const request = new DecisionRequest(selection, decider);
    const asked = request as unknown as AnyRequest;
    if (selection.kind === 'keys' || selection.kind === 'runs') this.#lanes.add(asked);
    else void this.#transacting.carry([asked]);
    return await this.#track(request.outcome);
  }

  async read(
    which: { keys: readonly ExecutionKey[] } | { incarnations: readonly string[] },
  ): Promise<readonly ListedExecution[]> {
    const { executions } = this.#tables;
    const rows = await this.#rows(
      'keys' in which ? executions.listedNewest(which.keys) : executions.listed(which.incarnations),
    );
    return rows.map(listedOf);
  }

  async parts(
    which: { refs: readonly PartRef[] } | { incarnation: string; name: string },
  ): Promise<readonly PartRow[]> {
    const { parts } = this.#tables;
    const rows = await this.#rows(
      'refs' in which ? parts.exactly(which.refs) : parts.history(which.incarnation, which.name),
    );
    return rows.map(partOf);
  }

  async list(query: ListQuery): Promise<Page<ListedExecution>> {
    return await this.#guard(() => this.#listing.page(query));
  }

  async count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number> {
    return await this.#guard(() => this.#listing.count(query));
  }

  async slots(query: SlotQuery): Promise<Page<SlotRow>> {
    const rows = await this.#rows(this.#tables.slots.page(query));
    const slots = rows.map((row) => slotOf(query.incarnation, row));
    return pageOf(slots, query.limit, (slot) => [slot.nominal, slot.cause]);
  }

  async runs(query: RunQuery): Promise<Page<RunRow>> {
    const rows = await this.#rows(this.#tables.runs.page(query));
    const key = runKeyOf(query);
    return pageOf(rows.map(runOf), query.limit, (run) => runCursorOf(run, key));
  }

  async events(query: EventQuery): Promise<Page<EventRow>> {
    const rows = await this.#rows(this.#tables.events.page(query));
    return eventPage(
      query,
      rows.map((row) => eventOf(query.owner, row)),
    );
  }

  async logs(query: LogQuery): Promise<Page<LogRow>> {
    const rows = await this.#rows(this.#tables.logs.page(query));
    return logPage(rows.map(logOf), query.limit);
  }

  async lastLines(of: readonly AttemptRef[]): Promise<readonly LogRow[]> {
    return of.length === 0 ? [] : (await this.#rows(this.#tables.logs.last(of))).map(logOf);
  }

  async audit(query: AuditQuery): Promise<Page<AuditRow>> {
    const rows = await this.#rows(this.#tables.journals.audit(query));
    const { items, next } = pageOf(rows, query.limit, (row) => [row[0] as number]);
    return { items: items.map(auditOf), next };
  }

  async wakeTimes({ archetypes, queues = [], ...known }: WakeQuery): Promise<WakeTimes> {
    const { executions, runs } = this.#tables;
    const nextDue = executions.nextDue(archetypes);
    const found = await this.#guard(() =>
      this.#connections.read(
        this.#time(),
        runs.nextLapsed(),
        ...(queues.length === 0 ? [] : [runs.nextClaimable({ queues, ...known })]),
        ...(nextDue === null ? [] : [nextDue]),
      ),
    );
    const [now, lapsed = null, ...rest] = found.map((rows) => (rows[0]?.[0] ?? null) as Instant | null);
    const claimable = queues.length === 0 ? null : (rest.shift() ?? null);
    return { now: now as Instant, due: rest[0] ?? null, lapsed, claimable };
  }

  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void {
    if (this.#closing === null) this.#listener?.open();
    return this.#listeners.add(listener, of);
  }

  watch(watcher: (event: StoreEvent) => void): () => void {
    return this.#watchers.add(watcher);
  }

  async publish(text: string): Promise<void> {
    await this.#guard(async () => {
      const values = [...this.#notification(text)];
      await this.#connections.single({ name: 'notify', text: 'select pg_notify($1, $2)', values });
    });
  }

  messages(listener: (text: string | null) => void): () => void {
    if (this.#closing === null) this.#listener?.open();
    return this.#messages.add(listener);
  }

  /** Resolves once the listener is connected, or its first attempt has failed. For tests and start-up logs. */
  async listening(): Promise<void> {
    await this.#listener?.ready();
  }

  async sweep(retention: Retention): Promise<Swept> {
    return await this.#guard(async () => {
      await this.#partitions.make(await this.#now(), daysAhead);
      return await new Sweeper(this.#connections, this.#tables).sweep(retention);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#settled();
    await this.#notifier.close();
    await this.#listener?.close();
    this.#listeners.clear();
    await this.#connections.close();
  }

  /** Waits for operations under way, but not for a server that does not answer. */
  async #settled(): Promise<void> {
    const cancel = this.#timer.wakeAt(addTime(this.#timer.now(), closingPatienceMs), () =>
      this.#connections.cut(),
    );
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    cancel();
  }

  #committed(requests: readonly AnyRequest[], removed: ReadonlyMap<string, ExecutionKey>): void {
    for (const request of requests) {
      const change = request.changed(removed);
      if (change === null) continue;
      this.#listeners.tell(change);
      this.#notifier.announce(change);
    }
  }

  /** The time of judgement. */
  async #now(): Promise<Instant> {
    const [rows] = await this.#connections.read(this.#time());
    return rows?.[0]?.[0] as Instant;
  }

  #time(): Statement {
    return { name: 'time', text: `select ${nowOr('$1')}`, values: [this.#judge()] };
  }

  #judge(): Instant | null {
    return this.#clock?.now() ?? null;
  }

  async #rows(statement: Statement): Promise<readonly SqlRow[]> {
    const [rows = []] = await this.#guard(() => this.#connections.read(statement));
    return rows;
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    try {
      return await this.#track(work());
    } catch (error) {
      throw troubleOf(error, this.#connections.place);
    }
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new StoreError('unavailable', `${this.#connections.place} is closed`);
  }
}

/** The given options without undefined values: an undefined option must not hide what the URL says. */
function present<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
