/**
 * The pool of connections and the statements that run on them.
 *
 * Nothing is kept in a session: settings are made for one transaction only, so the store works through a
 * pooler that hands out a connection per transaction. Statements are pipelined: those of one call travel together and
 * cost one round trip.
 *
 * When the database goes away, calls wait for it for `patienceMs`, with growing pauses between attempts, and then
 * fail with `unavailable`; the next call tries again. Before the first success a call does not wait: the person who has
 * just started the program wants to know at once what is wrong.
 */
import type { ClientConfig } from 'pg';
import { Backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { addTime } from '../../base/time.ts';
import { Wakeup } from '../../base/wakeup.ts';
import { StoreError } from '../error.ts';
import type { Address } from './address.ts';
import {
  type Driver,
  loadDriver,
  type Pool,
  type PoolClient,
  type SqlRow,
  type Statement,
  typesOf,
} from './driver.ts';
import { type Notification, openListening } from './listening.ts';
import { SilenceWatch, socketOf } from './silence-watch.ts';
import { isConnectionAlive, isConsequence, isPassing, isUnanswered } from './trouble.ts';

export interface ConnectionOptions {
  readonly address: Address;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly applicationName: string;
  readonly prepare: boolean;
  /** False: a commit is acknowledged before it is on the disk. */
  readonly isDurable: boolean;
  /** Measures pauses and patience; whether a row is due is judged by another clock. */
  readonly timer: Clock;
  /** Called when a connection ended that the store did not end: the next connection may reach another server. */
  readonly broken: () => void;
}

/** How long a call waits for a database that has gone away. */
const patienceMs = 5000;
const firstPauseMs = 25;
const longestPauseMs = 1000;
/** Limits an attempt to connect, and the wait for a free connection of the pool. */
const connectTimeoutMs = 5000;
/** The longest silence of a server that owes the answer to a known statement; then the connection is given up. */
const longestSilenceMs = 10_000;
/** A statement built for one query may take as long as the server allows, and a little more for the network. */
const graceMs = 2000;
/** After this long the kernel probes an idle peer (TCP keep-alive). */
const keepAliveMs = 5000;
/** How long closing waits for connections to end in order. */
const endingMs = 1000;
/** While the server does not accept connections, a single caller tests at this interval whether it is back. */
const restMs = 500;
/** How long that caller waits for the answer; a later answer still shows that the server is back. */
const askMs = 1500;
/** All other callers fail after this long: soon, because shutdown must not wait for each of them, but not at once, so that no caller spins. */
const refusalMs = 50;
const idleTimeoutMs = 60_000;

export class Connections {
  readonly place: string;
  readonly #options: ConnectionOptions;
  readonly #settings: TransactionSettings;
  readonly #timer: Clock;
  #driver: Promise<Driver> | undefined;
  #pool: Pool | undefined;
  #hasConnected = false;
  #isClosed = false;
  readonly #sleepers = new Set<Wakeup>();
  readonly #silence: SilenceWatch;
  /** Set while the server does not accept connections: the reason, when to try again, and whether a caller is trying. */
  #away: { readonly error: unknown; readonly until: number; isAsked: boolean } | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.place = options.address.place;
    this.#timer = options.timer;
    this.#silence = new SilenceWatch(options.timer);
    this.#settings = transactionSettings(options);
  }

  /**
   * Runs statements in one transaction and one round trip; returns their rows. The plan of a named statement is made once;
   * a statement built for one query is planned each time.
   */
  async read(...statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]> {
    const isKnown = statements.every(({ name }) => name !== undefined);
    const longestMs = isKnown ? longestSilenceMs : this.#options.statementTimeoutMs + graceMs;
    return await this.withSession(async (session) => {
      const begun = session.begin(isKnown);
      const sent = statements.map((statement) => session.send(statement));
      const ended = session.end('commit');
      const [, , ...rows] = await settle([begun, ended, ...sent]);
      return rows as (readonly SqlRow[])[];
    }, longestMs);
  }

  /** Runs one statement that needs no transaction of its own. */
  async single(statement: Statement): Promise<readonly SqlRow[]> {
    return await this.withSession((session) => session.send(statement));
  }

  /**
   * Lends a connection. When the work fails in a way that leaves the connection in doubt, the connection is discarded; so is a
   * connection on which the server has sent nothing for `longestMs`.
   */
  async withSession<T>(
    work: (session: Session) => Promise<T>,
    longestMs: number = longestSilenceMs,
  ): Promise<T> {
    const client = await this.#acquire();
    const socket = socketOf(client);
    if (socket !== undefined) this.#silence.lend(socket, longestMs);
    const session = new Session(client, this.#settings, this.#options.prepare);
    try {
      const result = await work(session);
      client.release(session.isOpen);
      return result;
    } catch (error) {
      // When the connection ends, the server rolls back; otherwise we ask for a rollback and wait for it.
      const isUsable = await session.recover();
      if (!isUsable) this.#options.broken();
      client.release(!isUsable);
      throw error;
    } finally {
      if (socket !== undefined) this.#silence.giveBack(socket);
    }
  }

  /** Opens a connection outside the pool for LISTEN. Resolves once it listens. */
  async listen(
    channel: string,
    heard: (message: Notification) => void,
    lost: () => void,
  ): Promise<() => Promise<void>> {
    const { Client } = await this.#load();
    const end = await openListening({
      client: new Client(await this.#config()),
      channel,
      heard,
      lost: () => {
        this.#options.broken();
        lost();
      },
      silence: this.#silence,
      timer: this.#timer,
    });
    return async () => await this.#orLater(end());
  }

  /** Closes all connections; those that do not end in order are cut. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const sleeper of this.#sleepers) sleeper.wake();
    const ended = this.#pool?.end();
    if (ended === undefined) return;
    await this.#orLater(ended);
    this.#silence.endAll('the store was closed');
    await ended;
  }

  /** Ends every connection at once, so that calls that wait for an answer fail now. */
  cut(): void {
    this.#isClosed = true;
    for (const sleeper of this.#sleepers) sleeper.wake();
    this.#silence.endAll('the store was closed before the server answered');
  }

  /** Resolves when the work is done, or when its time is over. */
  async #orLater(work: Promise<unknown>): Promise<void> {
    const wakeup = new Wakeup(this.#timer);
    const done = () => wakeup.wake();
    work.then(done, done);
    await wakeup.sleep(endingMs);
  }

  async #acquire(): Promise<PoolClient> {
    const away = this.#away;
    if (away === null) return await this.#connect(patienceMs);
    if (away.isAsked || this.#timer.now() < away.until) {
      await this.#sleep(refusalMs);
      throw away.error;
    }
    away.isAsked = true;
    return await this.#ask(away.error);
  }

  /** Tests whether a server that did not answer is back. */
  async #ask(lastError: unknown): Promise<PoolClient> {
    let isLate = false;
    const answer = this.#connect(0).then((client) => {
      if (isLate) client.release();
      return client;
    });
    const cancelled = new Promise<never>((_, reject) => {
      const cancel = this.#timer.wakeAt(addTime(this.#timer.now(), askMs), () => {
        isLate = true;
        reject(lastError);
      });
      answer.then(cancel, cancel);
    });
    return await Promise.race([answer, cancelled]);
  }

  async #connect(patienceMs: number): Promise<PoolClient> {
    const giveUpAt = addTime(this.#timer.now(), patienceMs);
    const backoff = new Backoff({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    for (;;) {
      if (this.#isClosed) throw new StoreError('unavailable', `${this.place} is closed`);
      const pool = await this.#open();
      try {
        const client = await pool.connect();
        this.#hasConnected = true;
        this.#away = null;
        return client;
      } catch (error) {
        const pause = backoff.failed();
        const mayWait = this.#hasConnected && isPassing(error) && this.#timer.now() + pause < giveUpAt;
        if (!mayWait) {
          const until = this.#timer.now() + restMs;
          this.#away = this.#hasConnected && isUnanswered(error) ? { error, until, isAsked: false } : null;
          throw error;
        }
        await this.#sleep(pause);
      }
    }
  }

  async #open(): Promise<Pool> {
    const { Pool } = await this.#load();
    if (this.#pool !== undefined) return this.#pool;
    const pool = new Pool({
      ...(await this.#config()),
      max: this.#options.poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
    });
    // An idle connection that breaks is replaced at the next use; one in use fails the statement it was running.
    pool.on('error', () => this.#options.broken());
    pool.on('connect', (client) => {
      client.on('error', () => {});
      const socket = socketOf(client);
      if (socket !== undefined) this.#silence.add(socket);
    });
    this.#pool ??= pool;
    return this.#pool;
  }

  async #load(): Promise<Driver> {
    this.#driver ??= loadDriver();
    return await this.#driver;
  }

  async #config(): Promise<ClientConfig> {
    const { address, applicationName } = this.#options;
    return {
      application_name: applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
      ...address.config,
      types: typesOf(await this.#load()),
      pipeline: true,
    } as ClientConfig;
  }

  async #sleep(ms: number): Promise<void> {
    const sleeper = new Wakeup(this.#timer);
    this.#sleepers.add(sleeper);
    await sleeper.sleep(ms);
    this.#sleepers.delete(sleeper);
  }
}

/** One connection while it is lent. */
export class Session {
  readonly #client: PoolClient;
  readonly #settings: TransactionSettings;
  readonly #prepare: boolean;
  /** True while a transaction is open. */
  isOpen = false;
  #isBroken = false;
  #isGathering = false;

  constructor(client: PoolClient, settings: TransactionSettings, prepare: boolean) {
    this.#client = client;
    this.#settings = settings;
    this.#prepare = prepare;
  }

  /** `isKnown` says whether all statements are known ones, each with a plan that is known to be good. */
  begin(isKnown = true): Promise<unknown> {
    this.isOpen = true;
    const { known, free } = this.#settings;
    return settle([
      this.#query({ text: 'begin isolation level read committed' }),
      this.#query(isKnown ? known : free),
    ]);
  }

  /** Sends without waiting for the answers to earlier statements. */
  async send(statement: Statement): Promise<readonly SqlRow[]> {
    const { rows } = await this.#query(statement);
    return rows;
  }

  /** A commit of a transaction in which a statement failed is a rollback; the error of that statement is reported. */
  async end(how: 'commit' | 'rollback'): Promise<unknown> {
    const ended = this.#query({ text: how });
    this.isOpen = false;
    return await ended;
  }

  /** After a failure: rolls back an open transaction; false when the connection can no longer be used. */
  async recover(): Promise<boolean> {
    if (this.isOpen && !this.#isBroken) await this.end('rollback').catch(() => {});
    return !this.#isBroken && !this.isOpen;
  }

  /** Statements sent together leave in one packet, so that the server is woken once. */
  #gather(): void {
    if (this.#isGathering) return;
    const socket = socketOf(this.#client);
    if (socket === undefined) return;
    this.#isGathering = true;
    socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      socket.uncork();
    });
  }

  async #query({ name, text, values }: Statement): Promise<{ readonly rows: readonly SqlRow[] }> {
    this.#gather();
    try {
      return (await this.#client.query({
        text,
        rowMode: 'array',
        ...(values === undefined ? {} : { values: [...values] }),
        ...(name === undefined || !this.#prepare ? {} : { name }),
      })) as { rows: SqlRow[] };
    } catch (error) {
      if (!isConnectionAlive(error)) this.#isBroken = true;
      throw error;
    }
  }
}

/** Waits for all; throws the error that caused the others, if any failed. */
export async function settle(sent: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(sent);
  const failures = settled.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) throw failures.find((error) => !isConsequence(error)) ?? failures[0];
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value);
}

/** The settings of a transaction, sent after `begin`. One statement sets all of them. */
interface TransactionSettings {
  readonly known: Statement;
  readonly free: Statement;
}

/** Between two statements of a transaction only pure code runs: a node that takes longer than this is frozen and blocks others. */
const longestIdleMs = 5000;

/**
 * The settings of every transaction. Our statements find their rows by index and join them in loops; a planner that has no
 * statistics yet, or a generic plan that cannot know the limit, would now and then read whole tables, or whole
 * indexes instead of a hundred index lookups. So an index lookup is made cheap: then only the number of rows counts. A node that
 * freezes in the middle of a transaction loses the transaction and its locks.
 */
function transactionSettings({ statementTimeoutMs, isDurable }: ConnectionOptions): TransactionSettings {
  const always = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: Math.min(statementTimeoutMs, longestIdleMs),
    jit: 'off',
    enable_seqscan: 'off',
    ...(isDurable ? {} : { synchronous_commit: 'off' }),
  };
  const planning = {
    enable_bitmapscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_sort: 'off',
    max_parallel_workers_per_gather: 0,
    random_page_cost: 0.1,
    seq_page_cost: 0.1,
    plan_cache_mode: 'force_generic_plan',
  };
  const settings = (name: string, values: Readonly<Record<string, string | number>>): Statement => {
    const calls = Object.entries(values).map(([key, value]) => `set_config('${key}', '${value}', true)`);
    return { name, text: `select ${calls.join(', ')}` };
  };
  return { known: settings('begin-known', { ...always, ...planning }), free: settings('begin', always) };
}
