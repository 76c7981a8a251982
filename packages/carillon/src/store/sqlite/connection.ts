/**
 * One open database file and its prepared statements.
 *
 * The file is in normal locking mode, with a log whose index the connections share in memory. Without it two connections would not
 * see each other's commits, on which the owner's fence relies (`ownership.ts`), and `sqlite3 .backup`,
 * Litestream and readers would not work beside a running store. Where shared memory cannot be made (some network mounts) the file
 * is opened in exclusive mode instead, with a warning that says what is lost.
 */
import { stopwatch } from '../../base/clock.ts';
import { StoreError } from '../error.ts';
import type { Database, SqlRow, SqlValue, Statement } from './driver.ts';
import { openDatabase } from './driver.ts';
import { makePrivate } from './file-identity.ts';
import type { Ownership } from './ownership.ts';
import { isBusy, isWithoutSharedMemory, troubleOf } from './trouble.ts';

/**
 * - `full`: a commit is acknowledged once it is on the disk; it survives a crash of the process and of power.
 * - `fast`: survives a crash of the process; power loss may lose the last commits, but never half of one.
 * - `atClose`: everything since the opening is one commit, when the store is closed. A file that is filled in this way is filled
 *   wholly or not at all, and no other connection sees anything of it before.
 */
export type Durability = 'full' | 'fast' | 'atClose';

/**
 * Pages in the write-ahead log (4 MB) after which a commit moves them into the file and the log begins anew. A larger number makes
 * commits faster on average and the commit that moves them slower, and leaves the main file behind for longer.
 */
const checkpointPages = 1000;

/** A log that grew by one huge commit, or by a reader that delayed checkpoints, is cut back to this size. */
const keptLogBytes = 16 * 1024 * 1024;

const cacheKibibytes = 64 * 1024;

/** Another program may hold the file for a moment while it is opened. */
const openingPatienceMs = 1000;

export interface ConnectionOptions {
  readonly path: string;
  readonly durability: Durability;
  /** Absent for `:memory:`, which no other process can reach. */
  readonly ownership?: Ownership;
  readonly warn: (message: string) => void;
}

/**
 * A limit that is bound. SQLite looks at the value of a bare `limit ?`, and of a state that is compared with a parameter where a
 * partial index names states, while it plans, and so plans anew for each call: that takes longer than the statement itself.
 */
export const boundLimit = 'limit ? + 0';

export class Connection {
  readonly path: string;
  /** Other connections may open the file; false where shared memory cannot be made, and in memory. */
  readonly isShareable: boolean;
  /** The stopwatch time of the last commit; null when all commits are in the main file. */
  committedAt: number | null = null;
  readonly #database: Database;
  readonly #ownership: Ownership | undefined;
  readonly #commitsAtClose: boolean;
  /** The one transaction of a file that is committed when it is closed. */
  #whole: 'none' | 'open' | 'lost' = 'none';
  readonly #statements = new Map<string, Statement>();

  constructor({ path, durability, ownership, warn }: ConnectionOptions) {
    this.path = path;
    this.#ownership = ownership;
    this.#commitsAtClose = durability === 'atClose';
    const { database, isShareable } = openFile(path, durability, warn);
    this.#database = database;
    this.isShareable = isShareable && path !== ':memory:';
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** A prepared statement, kept until closing: texts come from a small set, values are always bound. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  all(sql: string, ...values: SqlValue[]): readonly SqlRow[] {
    return this.statement(sql).all(...values);
  }

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.statement(sql).get(...values);
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.statement(sql).run(...values);
  }

  /** Begins a transaction that writes; throws when this process no longer owns the file, before anything is written. */
  begin(): void {
    if (this.#whole === 'lost') {
      throw new StoreError('unavailable', `${this.path}: what was written since the opening is lost`);
    }
    // The open transaction keeps other writers out, so one look at the fence is enough for all of it.
    if (this.#whole === 'none') this.#beginFenced();
    if (!this.#commitsAtClose) return;
    this.#whole = 'open';
    this.run('savepoint step');
  }

  #beginFenced(): void {
    this.run('begin immediate');
    try {
      this.#ownership?.checkFence(this.get("select value from meta where name = 'owner'")?.[0]);
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  commit(): void {
    if (this.#whole === 'open') {
      this.run('release step');
    } else {
      this.run('commit');
      this.committedAt = stopwatch();
    }
  }

  /** Rolls back if a transaction is open; SQLite may have done so itself after a disk error. */
  rollback(): void {
    try {
      this.#database.exec(this.#whole === 'open' ? 'rollback to step; release step' : 'rollback');
    } catch {
      // No transaction was open, which is the wanted state, unless everything since the opening was in it.
      if (this.#whole === 'open') this.#whole = 'lost';
    }
  }

  /** Moves pages that no connection reads from the log into the file. */
  checkpoint(): void {
    this.committedAt = null;
    this.#database.exec('pragma wal_checkpoint(passive)');
  }

  /** The driver's own object, for the copy of the whole file. */
  get driver(): Database {
    return this.#database;
  }

  /**
   * Moves the log into the file and closes it. Leaving WAL mode is what removes the log for certain: with
   * `@photostructure/sqlite` a closed connection lives on until the garbage collector has found every statement.
   * A program that reads the file at this moment keeps it in WAL mode; SQLite moves the log when that program ends.
   */
  close(): void {
    try {
      if (this.#whole === 'open') this.run('commit');
      this.#statements.clear();
      this.#database.exec('pragma journal_mode = delete; pragma locking_mode = normal');
    } catch (error) {
      if (!isBusy(error)) throw error;
    } finally {
      this.#database.close();
    }
  }

  /** Closes a file that is lost: nothing is written, not even pages of the log. */
  abandon(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/** Opens the file in normal mode where possible, otherwise in exclusive mode. */
function openFile(path: string, durability: Durability, warn: (message: string) => void) {
  try {
    return { database: openAs('normal', path, durability), isShareable: true };
  } catch (error) {
    if (path === ':memory:' || !isWithoutSharedMemory(error)) throw troubleOf(error, path);
    let database: Database;
    try {
      database = openAs('exclusive', path, durability);
    } catch {
      // The file itself is at fault, so the first error has the reason.
      throw troubleOf(error, path);
    }
    warn(
      `${path}: this file system has no shared memory (${(error as Error).message}), so the file is opened for this process alone: backup tools and readers of other processes are refused, and a process that takes the file over cannot be told from this one. Put the file on a local disk.`,
    );
    return { database, isShareable: false };
  }
}

function openAs(mode: 'normal' | 'exclusive', path: string, durability: Durability): Database {
  if (path !== ':memory:') makePrivate(path);
  const database = openDatabase(path);
  try {
    // The order matters: the locking mode must be set before the first access to the file.
    database.exec(`
      pragma busy_timeout = ${openingPatienceMs};
      pragma locking_mode = ${mode};
      pragma page_size = 4096;
      pragma journal_mode = wal;
      pragma synchronous = ${durability === 'full' ? 'full' : 'normal'};
      pragma cache_size = -${cacheKibibytes};
      pragma temp_store = memory;
      pragma wal_autocheckpoint = ${checkpointPages};
      pragma journal_size_limit = ${keptLogBytes};
      begin exclusive;
      commit;
      pragma busy_timeout = 0;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
