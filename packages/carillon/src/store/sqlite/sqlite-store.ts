/**
 * The embedded store: one SQLite file owned by one process.
 *
 * Calls are synchronous on the thread that makes them. A batch writes at most about 2000 rows (see
 * `commit-queue.ts`) and blocks the event loop meanwhile: a few milliseconds for 100 executions, 15 to 40 for
 * 1000. Ask for `due` in hundreds where latency matters more than throughput.
 */
import type { Clock } from '../../base/clock.ts';
import { Listeners } from '../change.ts';
import { StoreError } from '../error.ts';
import type {
  AuditRow,
  EventRow,
  ExecutionKey,
  ListedExecution,
  PartRef,
  PartRow,
  RunRow,
  SlotRow,
} from '../records.ts';
import type {
  AuditQuery,
  Capabilities,
  Change,
  Decider,
  EventQuery,
  Interest,
  ListQuery,
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
import { CommitQueue } from './commit-queue.ts';
import type { Durability } from './connection.ts';
import { Connection } from './connection.ts';
import { loadMigrations, migrate } from './migration.ts';
import { Sweeper } from './sweeper.ts';
import { Tables } from './tables.ts';
import { Transaction } from './transaction.ts';
import { troubleOf } from './trouble.ts';

export interface SqliteStoreOptions {
  /** The file, created if it is not there; `:memory:` keeps everything in memory. */
  readonly path: string;
  readonly clock: Clock;
  /** Default `full`. */
  readonly durability?: Durability;
}

export class SqliteStore implements Store {
  readonly name = 'sqlite';
  readonly capabilities: Capabilities = { shared: false, filters: 'all' };
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #queue: CommitQueue;
  readonly #listeners = new Listeners();
  #tables: Tables | null = null;
  #closing: Promise<void> | null = null;
  #isClosed = false;

  /** Opens the file and takes it into possession; throws `unavailable` when another process has it. */
  constructor(options: SqliteStoreOptions) {
    this.#clock = options.clock;
    this.#connection = new Connection(options.path, options.durability ?? 'full');
    this.#queue = new CommitQueue(this.#connection);
  }

  async migrate(): Promise<void> {
    this.#assertOpen();
    this.#guard(() => {
      migrate(this.#connection, loadMigrations(), this.#clock.now());
      this.#tables = new Tables(this.#connection);
    });
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    const around = { tables: this.#ready(), clock: this.#clock, listeners: this.#listeners };
    const transaction = new Transaction(around, selection, decider);
    this.#queue.add(transaction);
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
    const { runs } = this.#ready();
    return this.#guard(() => runs.page(query));
  }

  async events(query: EventQuery): Promise<readonly EventRow[]> {
    const { journals } = this.#ready();
    return this.#guard(() => journals.events(query));
  }

  async audit(query: AuditQuery): Promise<Page<AuditRow>> {
    const { journals } = this.#ready();
    return this.#guard(() => journals.audit(query));
  }

  async wakeTimes({ archetypes, queues = [] }: WakeQuery): Promise<WakeTimes> {
    const { executions, runs } = this.#ready();
    return this.#guard(() => ({
      now: this.#clock.now(),
      due: executions.nextDue(archetypes),
      lapsed: runs.nextLapsed(),
      claimable: runs.nextClaimable(queues),
    }));
  }

  subscribe(listener: (change: Change) => void, of?: Interest): () => void {
    return this.#listeners.add(listener, of);
  }

  async sweep(retention: Retention): Promise<Swept> {
    return this.#guardAsync(new Sweeper(this.#connection, this.#ready()).sweep(retention));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.idle();
    this.#listeners.clear();
    this.#guard(() => this.#connection.close());
  }

  #ready(): Tables {
    this.#assertOpen();
    if (this.#tables === null) {
      throw new StoreError('unavailable', `${this.#connection.path}: call migrate() before anything else`);
    }
    return this.#tables;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('unavailable', `${this.#connection.path} is closed`);
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw troubleOf(error, this.#connection.path);
    }
  }

  async #guardAsync<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      // A reading that was under way while the store closed meets a closed driver, which is no trouble of its own.
      this.#assertOpen();
      throw troubleOf(error, this.#connection.path);
    }
  }
}
