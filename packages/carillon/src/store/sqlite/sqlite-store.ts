/**
 * The embedded store: one SQLite file owned by one process.
 *
 * Calls are synchronous on the thread that makes them. A batch writes at most about 2000 rows (see
 * `commit-queue.ts`) and blocks the event loop meanwhile: a few milliseconds for 100 executions, 15 to 40 for
 * 1000. Ask for `due` in hundreds where latency matters more than throughput.
 */
import { dirname } from 'node:path';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { ChangeListeners } from '../change.ts';
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
  Backups,
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
import { backUp } from './backup.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Durability } from './connection.ts';
import { Connection } from './connection.ts';
import { LogKeeper } from './log-keeper.ts';
import { loadMigrations, migrate } from './migration.ts';
import { Ownership } from './ownership.ts';
import { Sweeper } from './sweeper.ts';
import { Tables } from './tables.ts';
import { Transaction } from './transaction.ts';
import { troubleOf } from './trouble.ts';

export interface SqliteStoreOptions {
  /** The path of the file, which is created if it does not exist; `:memory:` keeps everything in memory. */
  readonly path: string;
  readonly clock: Clock;
  /** How durable an acknowledged commit is. Default `full`. */
  readonly durability?: Durability;
  /** Called with conditions that an operator should know. Default: Node's warnings. */
  readonly warn?: (message: string) => void;
  /** The name of this machine, shown to other processes that try to open the file. Default: the system's. */
  readonly host?: string;
}

/** The open file and everything that uses it. */
interface Opened {
  readonly connection: Connection;
  readonly queue: CommitQueue;
}

export class SqliteStore implements Store {
  readonly name = 'sqlite';
  readonly capabilities: Capabilities = { shared: false, filters: 'all' };
  readonly #options: SqliteStoreOptions;
  readonly #clock: Clock;
  readonly #path: string;
  /** The owner of the file; absent for `:memory:`. */
  readonly #ownership: Ownership | undefined;
  readonly #listeners = new ChangeListeners();
  readonly #watchers = new Watchers();
  #opened: Opened | null = null;
  #tables: Tables | null = null;
  #closing: Promise<void> | null = null;
  #isClosed = false;

  readonly backups: Backups;

  /** Takes ownership of the file and opens it; throws `unavailable` when another process has it. */
  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const { path, host } = options;
    const tell = (event: StoreEvent) => this.#watchers.tell(event);
    this.#ownership =
      path === ':memory:'
        ? undefined
        : this.#guard(() => new Ownership({ path, tell, ...(host === undefined ? {} : { host }) }));
    this.#path = this.#ownership?.path ?? path;
    if (this.#ownership?.isOwning ?? true) this.#open();
    this.backups = {
      folder: this.#ownership === undefined ? null : dirname(this.#path),
      copyTo: async (target, progress) => {
        this.#ready();
        return await this.#guardAsync(backUp({ connection: this.#connection, target, progress }));
      },
    };
  }

  /** Also waits until it is certain that no process on another machine or container has the file. */
  async migrate(): Promise<void> {
    this.#assertOpen();
    await this.#ownership?.settle();
    this.#assertOpen();
    if (this.#tables !== null) return;
    const { connection } = this.#opened ?? this.#open();
    this.#guard(() => {
      migrate(connection, loadMigrations(), {
        now: this.#clock.now(),
        ...(this.#ownership === undefined ? {} : { owner: this.#ownership.token }),
      });
      this.#tables = new Tables(connection);
    });
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    const around = { tables: this.#ready(), clock: this.#clock, listeners: this.#listeners };
    const transaction = new Transaction(around, selection, decider);
    this.#opened?.queue.add(transaction);
    return transaction.outcome;
  }

  async read(
    which: { keys: readonly ExecutionKey[] } | { incarnations: readonly string[] },
  ): Promise<readonly ListedExecution[]> {
    const { executions } = this.#ready();
    return this.#guard(() => {
      const found =
        'keys' in which
          ? which.keys.map((key) => executions.listedNewest(key))
          : which.incarnations.map((incarnation) => executions.listed(incarnation));
      return found.filter((row) => row !== undefined);
    });
  }

  async parts(
    which: { refs: readonly PartRef[] } | { incarnation: string; name: string },
  ): Promise<readonly PartRow[]> {
    const { executions, parts } = this.#ready();
    return this.#guard(() => {
      executions.begin();
      if (!('refs' in which)) return parts.history(which.incarnation, which.name);
      return which.refs.map((ref) => parts.get(ref)).filter((part) => part !== undefined);
    });
  }

  async list(query: ListQuery): Promise<Page<ListedExecution>> {
    return this.#guardAsync(this.#ready().listing.page(query));
  }

  async count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number> {
    return this.#guardAsync(this.#ready().listing.count(query));
  }

  async slots(query: SlotQuery): Promise<Page<SlotRow>> {
    const { executions, slots } = this.#ready();
    return this.#guard(() => {
      executions.begin();
      return slots.page(query);
    });
  }

  async runs(query: RunQuery): Promise<Page<RunRow>> {
    const { runPages } = this.#ready();
    return this.#guard(() => runPages.page(query));
  }

  async events(query: EventQuery): Promise<Page<EventRow>> {
    const { events } = this.#ready();
    return this.#guard(() => events.page(query));
  }

  async logs(query: LogQuery): Promise<Page<LogRow>> {
    const { logs } = this.#ready();
    return this.#guard(() => logs.page(query));
  }

  async lastLines(of: readonly AttemptRef[]): Promise<readonly LogRow[]> {
    const { logs } = this.#ready();
    return this.#guard(() => of.flatMap((attempt) => logs.last(attempt) ?? []));
  }

  async audit(query: AuditQuery): Promise<Page<AuditRow>> {
    const { journals } = this.#ready();
    return this.#guard(() => journals.audit(query));
  }

  async wakeTimes({ archetypes, queues = [], ...rest }: WakeQuery): Promise<WakeTimes> {
    const { executions, runs } = this.#ready();
    return this.#guard(() => ({
      now: this.#clock.now(),
      due: executions.nextDue(archetypes),
      lapsed: runs.nextLapsed(),
      claimable: runs.nextClaimable({ queues, ...rest }),
    }));
  }

  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void {
    return this.#listeners.add(listener, of);
  }

  watch(watcher: (event: StoreEvent) => void): () => void {
    return this.#watchers.add(watcher);
  }

  async sweep(retention: Retention): Promise<Swept> {
    const tables = this.#ready();
    return this.#guardAsync(new Sweeper(this.#connection, tables).sweep(retention));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    await this.#opened?.queue.idle();
    this.#listeners.clear();
    this.#watchers.clear();
    try {
      this.#guard(() => {
        if (this.#ownership?.isLost === true) this.#opened?.connection.abandon();
        else this.#opened?.connection.close();
      });
    } finally {
      // Released only now: while the log is moved into the file, no other process may open it.
      this.#ownership?.close();
    }
  }

  #open(): Opened {
    const { durability = 'full', warn = warnByNode } = this.#options;
    const ownership = this.#ownership;
    try {
      const connection = new Connection({
        path: this.#path,
        durability,
        warn,
        ...(ownership === undefined ? {} : { ownership }),
      });
      this.#opened = { connection, queue: new CommitQueue(connection) };
      if (ownership !== undefined) {
        const log = new LogKeeper(connection, warn);
        ownership.begin(() => log.check());
      }
      return this.#opened;
    } catch (error) {
      ownership?.close();
      throw error;
    }
  }

  get #connection(): Connection {
    assert(this.#opened !== null, 'a store whose schema is up to date has its file open');
    return this.#opened.connection;
  }

  #ready(): Tables {
    this.#assertOpen();
    if (this.#tables === null) {
      throw new StoreError('unavailable', `${this.#path}: call migrate() before anything else`);
    }
    return this.#tables;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('unavailable', `${this.#path} is closed`);
    this.#ownership?.assertHeld();
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw troubleOf(error, this.#path ?? this.#options.path);
    }
  }

  async #guardAsync<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      // A read under way while the store closes meets a closed driver, which is not an error of its own.
      this.#assertOpen();
      throw troubleOf(error, this.#path);
    }
  }
}

function warnByNode(message: string): void {
  process.emitWarning(message, 'CarillonWarning');
}
