/**
 * The store on Redis, for several nodes at once. All keys begin with one hash tag, `{prefix}:`, so that they share a
 * slot of a cluster and every transaction is one script over them.
 *
 * How durable an acknowledged commit is depends on Redis's settings: with `appendonly yes` and `appendfsync always` it
 * survives power loss, with `everysec` about a second of decisions may be lost or repeated then. `docs/redis.md` says
 * more.
 */

import type { Clock } from '../../base/clock.ts';
import { SystemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/error.ts';
import { Listeners as ListenerSet } from '../../base/listeners.ts';
import { SeededRandom } from '../../base/random.ts';
import type { Instant } from '../../base/time.ts';
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
import type { Address, DriverConfig } from './address.ts';
import { parseAddress } from './address.ts';
import { decodeChange, decodeText, encodeText } from './change-codec.ts';
import { Connection, type ConnectionTarget } from './connection.ts';
import { pageOfEvents } from './event-rows.ts';
import { listedOf } from './execution-codec.ts';
import { JournalRows } from './journal-rows.ts';
import { KeyQueue } from './key-queue.ts';
import { Listing } from './listing.ts';
import { lastLines, pageOfLogs } from './log-rows.ts';
import { partField, partOf, stampOf } from './part-codec.ts';
import { checkPersistence } from './persistence.ts';
import { RunRows } from './run-rows.ts';
import { namesOf, queueArguments } from './selection.ts';
import { SlotRows } from './slot-rows.ts';
import { Sweeper } from './sweeper.ts';
import { escapeText, keyText, numberOrNull } from './text.ts';
import type { Surroundings } from './transaction.ts';
import { transact } from './transaction.ts';

export interface RedisStoreOptions {
  /** `redis://[user:password@]host[:port][/db][?prefix=…][&cluster=true]`, `rediss:` for TLS; or options of ioredis. */
  readonly url: string | DriverConfig;
  /** Stores with different prefixes on one Redis are separate. Default: the prefix in the URL, or `carillon`. */
  readonly prefix?: string;
  /** The host is a node of a Redis Cluster. Default: what the URL says. */
  readonly cluster?: boolean;
  /** Opens the store although this Redis evicts keys when its memory is full. */
  readonly allowEviction?: boolean;
  /** Called by `migrate` with what is doubtful about the settings of this Redis. */
  readonly warn?: (message: string) => void;
  /** For tests: replaces the clock of the server for judging what is due. */
  readonly clock?: Clock;
  /** Measures pauses, backoff and patience of the store itself. Default: the system's clock. */
  readonly timer?: Clock;
  /** Uniform in [0, 1): spreads the pauses of transactions that lost against another one. */
  readonly random?: () => number;
}

/** The version of the layout under the prefix. A store that finds a later version is too old for it. */
const layout = 1;

export class RedisStore implements Store {
  readonly name = 'redis';
  readonly capabilities: Capabilities = {
    shared: true,
    filters: 'all',
    backupTool: 'redis-cli --rdb, or a copy of the files that BGSAVE and the append-only log write',
  };
  readonly #options: RedisStoreOptions;
  readonly #connection: Connection;
  readonly #listeners = new ChangeListeners();
  readonly #messages = new ListenerSet<(text: string | null) => void>(() => {});
  readonly #watchers = new Watchers();
  readonly #keyQueue = new KeyQueue();
  readonly #around: Surroundings;
  readonly #underWay = new Set<Promise<unknown>>();
  #isMigrated = false;
  #isClosed = false;
  #closing: Promise<void> | null = null;

  /** Does not connect yet; `migrate` does. */
  constructor(options: RedisStoreOptions) {
    this.#options = options;
    const { clock, timer = new SystemClock() } = options;
    // After a failover that lost commits, their versions are assigned again to other commits.
    this.#connection = new Connection(targetOf(options), timer, () =>
      this.#watchers.tell({ kind: 'rewound' }),
    );
    const [seed = 1] = globalThis.crypto.getRandomValues(new Uint32Array(1));
    const random = new SeededRandom(seed);
    this.#around = {
      connection: this.#connection,
      now: () => (clock === undefined ? '' : String(clock.now())),
      timer,
      random: options.random ?? (() => random.next()),
      origin: `${seed.toString(36)}${Math.floor(random.next() * 2 ** 40).toString(36)}`,
      tell: (change) => this.#listeners.tell(change),
    };
  }

  async migrate(): Promise<void> {
    this.#assertOpen();
    await this.#connection.open();
    try {
      this.#assertOpen();
      await this.#checkServer();
    } catch (error) {
      if (!this.#isMigrated) this.#connection.close();
      throw error;
    }
    this.#isMigrated = true;
    if (!this.#listeners.isEmpty) this.#listen();
  }

  async transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    this.#assertReady();
    const names = namesOf(selection);
    return await this.#track(this.#keyQueue.take(names, () => transact(this.#around, selection, decider)));
  }

  async read(
    which: { keys: readonly ExecutionKey[] } | { incarnations: readonly string[] },
  ): Promise<readonly ListedExecution[]> {
    const args =
      'keys' in which
        ? ['keys', which.keys.length, ...which.keys.map(keyText)]
        : ['incarnations', which.incarnations.length, ...which.incarnations];
    return await this.#reading(async () => {
      const values = await this.#connection.run<readonly string[]>('read', args);
      return listedOf(values).map(({ row }) => row);
    });
  }

  async parts(
    which: { refs: readonly PartRef[] } | { incarnation: string; name: string },
  ): Promise<readonly PartRow[]> {
    return await this.#reading(async () => {
      const refs = 'refs' in which ? which.refs : await this.#history(which.incarnation, which.name);
      const values = await Promise.all(
        refs.map((ref) =>
          this.#connection.call((client, key) =>
            client.hget(key(`parts:${ref.incarnation}`), partField(ref)),
          ),
        ),
      );
      return refs.flatMap((ref, i) => {
        const value = values[i];
        return value == null ? [] : [partOf(ref, value)];
      });
    });
  }

  async list(query: ListQuery): Promise<Page<ListedExecution>> {
    return await this.#reading(() => new Listing(this.#connection).page(query));
  }

  async count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number> {
    return await this.#reading(() => new Listing(this.#connection).count(query));
  }

  async slots(query: SlotQuery): Promise<Page<SlotRow>> {
    return await this.#reading(() => new SlotRows(this.#connection).page(query));
  }

  async runs(query: RunQuery): Promise<Page<RunRow>> {
    return await this.#reading(() => new RunRows(this.#connection).page(query));
  }

  async events(query: EventQuery): Promise<Page<EventRow>> {
    return await this.#reading(() => pageOfEvents(this.#connection, query));
  }

  async logs(query: LogQuery): Promise<Page<LogRow>> {
    return await this.#reading(() => pageOfLogs(this.#connection, query));
  }

  async lastLines(of: readonly AttemptRef[]): Promise<readonly LogRow[]> {
    return await this.#reading(() => lastLines(this.#connection, of));
  }

  async audit(query: AuditQuery): Promise<Page<AuditRow>> {
    return await this.#reading(() => new JournalRows(this.#connection).audit(query));
  }

  async wakeTimes({ archetypes, queues = [], ...known }: WakeQuery): Promise<WakeTimes> {
    const kinds = archetypes === undefined ? [-1] : [archetypes.length, ...archetypes.map(escapeText)];
    return await this.#reading(async () => {
      const args = [this.#around.now(), ...kinds, ...queueArguments({ queues, ...known })];
      const answer = await this.#connection.run<[string, string, string, string]>('wake-times', args);
      const [now, due, lapsed, claimable] = answer.map((time) => numberOrNull<Instant>(time));
      return { now: now as Instant, due: due ?? null, lapsed: lapsed ?? null, claimable: claimable ?? null };
    });
  }

  /** Listeners learn of this node's commits at once, and of other nodes' commits when the second connection receives them. */
  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void {
    const leave = this.#listeners.add(listener, of);
    if (this.#isMigrated && !this.#isClosed) this.#listen();
    return leave;
  }

  async publish(text: string): Promise<void> {
    const message = encodeText(text, this.#around.origin);
    await this.#reading(() =>
      this.#connection.call((client, key) => client.publish(key('changes'), message)),
    );
  }

  messages(listener: (text: string | null) => void): () => void {
    const leave = this.#messages.add(listener);
    if (this.#isMigrated && !this.#isClosed) this.#listen();
    return leave;
  }

  watch(watcher: (event: StoreEvent) => void): () => void {
    return this.#watchers.add(watcher);
  }

  async sweep(retention: Retention): Promise<Swept> {
    return await this.#reading(() => new Sweeper(this.#connection).sweep(retention));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    this.#listeners.clear();
    this.#connection.close();
  }

  async #checkServer(): Promise<void> {
    const { allowEviction = false, warn = () => {} } = this.#options;
    await checkPersistence(this.#connection, { allowEviction, warn });
    // The layout is written first: scripts run only where it exists.
    const [, found] = await this.#connection.call(async (client, key) => [
      await client.setnx(key('layout'), layout),
      await client.get(key('layout')),
    ]);
    if ((await this.#connection.run<number>('probe', [])) === 0) {
      warn(
        `${this.#connection.name}: this user may not publish to the channels of our prefix, so nodes hear of each other only by looking; allow &{prefix}:*`,
      );
    }
    if (Number(found) > layout) {
      throw new ServiceError({
        code: 'failedPrecondition',
        reason: 'STORE_TOO_NEW',
        message: `${this.#connection.name}: a newer version of Carillon has been here (layout ${found}, this one knows ${layout}): update this node`,
      });
    }
  }

  async #history(incarnation: string, name: string): Promise<readonly PartRef[]> {
    const fields = await this.#connection.call((client, key) => client.hkeys(key(`parts:${incarnation}`)));
    return fields
      .flatMap((field) => {
        const stamp = stampOf(field, name);
        return stamp === undefined ? [] : [{ incarnation, name, stamp }];
      })
      .sort((a, b) => a.stamp - b.stamp);
  }

  #listen(): void {
    const say = (text: string | null) => this.#messages.each((listener) => listener(text));
    const heard = (message: string) => {
      const text = decodeText(message, this.#around.origin);
      if (text !== null) say(text);
      if (text !== null || this.#listeners.isEmpty) return;
      const change = decodeChange(message, this.#around.origin);
      if (change !== null) this.#listeners.tell(change);
    };
    this.#connection.listen('changes', heard, () => say(null));
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    this.#assertReady();
    return await this.#track(work());
  }

  /** Counts an operation as under way, so that closing waits for it. */
  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  #assertReady(): void {
    this.#assertOpen();
    if (this.#isMigrated) return;
    throw new StoreError('unavailable', `${this.#connection.name}: call migrate() before anything else`);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('unavailable', `${this.#connection.name}: this store is closed`);
  }
}

function targetOf({ url, prefix, cluster }: RedisStoreOptions): ConnectionTarget {
  const address: Address | null = typeof url === 'string' ? parseAddress(url) : null;
  const options = typeof url === 'string' ? optionsOf(address as Address) : url;
  return {
    options,
    cluster: cluster ?? address?.cluster ?? false,
    name: nameOf(options),
    tag: `{${checkedPrefix(prefix ?? address?.prefix ?? 'carillon')}}`,
  };
}

function nameOf({ host = '127.0.0.1', port = 6379, path, sentinels, name }: DriverConfig): string {
  if (sentinels) return `Redis ${name ?? 'behind Sentinel'}`;
  return path ? `Redis at ${path}` : `Redis at ${host}:${port}`;
}

function optionsOf({ host, port, db, username, password, tls }: Address): DriverConfig {
  return {
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
}

/** A brace would end the hash tag early, and the keys would no longer share a slot. */
function checkedPrefix(prefix: string): string {
  if (/^[^{}\s]+$/.test(prefix)) return prefix;
  throw ServiceError.invalid([
    {
      path: 'prefix',
      reason: 'BAD_PREFIX',
      message: `'${prefix}' cannot be the beginning of keys`,
      fix: 'write a word without braces and spaces',
    },
  ]);
}
