/**
 * One open database file, owned by this store alone.
 *
 * Ownership is SQLite's exclusive locking mode: a lock of the operating system on the file itself, held from the
 * first access until close, which vanishes with the process however it ends. A note beside the file tells a
 * second opener whom to ask; it is only ever read after the lock was refused, so a stale one does no harm.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { StoreError } from '../error.ts';
import type { Database, SqlRow, SqlValue, Statement } from './driver.ts';
import { openDatabase } from './driver.ts';
import { isBusy, troubleOf } from './trouble.ts';

/**
 * - `full`: a commit is acknowledged once it is on the disk; it survives a crash of the process and of power.
 * - `fast`: survives a crash of the process; power loss may take the last commits, never tear one.
 */
export type Durability = 'full' | 'fast';

/**
 * Pages in the write-ahead log (16 MB) after which a commit moves them into the file and the log begins anew.
 * We are the only reader, so a checkpoint always completes and the log cannot outgrow this by more than one
 * commit. Larger makes commits faster on average and the one that pays for it slower.
 */
const checkpointPages = 4000;

/** A log that one huge commit blew up is cut back to this size. */
const keptLogBytes = 64 * 1024 * 1024;

const cacheKibibytes = 64 * 1024;

export class Connection {
  readonly path: string;
  readonly #database: Database;
  readonly #note: string | null;
  readonly #statements = new Map<string, Statement>();

  constructor(path: string, durability: Durability) {
    this.path = path === ':memory:' ? path : resolve(path);
    this.#note = path === ':memory:' ? null : `${this.path}-owner`;
    this.#database = this.#open(durability);
    if (this.#note !== null) writeFileSync(this.#note, `${JSON.stringify(ownNote())}\n`);
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

  /** Rolls back if a transaction is open; SQLite may have done so itself after a disk error. */
  rollback(): void {
    try {
      this.#database.exec('rollback');
    } catch {
      // There was none, which is what we wanted.
    }
  }

  /**
   * Moves the log into the file and lets go of it. Leaving WAL mode is what releases the lock for certain: with
   * `@photostructure/sqlite` a closed connection lives on, lock and all, until the garbage collector has found
   * every statement.
   */
  close(): void {
    this.#statements.clear();
    try {
      this.#database.exec(
        'pragma journal_mode = delete; pragma locking_mode = normal; select count(*) from sqlite_master;',
      );
    } finally {
      if (this.#note !== null) rmSync(this.#note, { force: true });
      this.#database.close();
    }
  }

  #open(durability: Durability): Database {
    let database: Database | undefined;
    try {
      database = openDatabase(this.path);
      // The order matters: the locking mode must be set before the first access to the file.
      database.exec(`
        pragma busy_timeout = 0;
        pragma locking_mode = exclusive;
        pragma page_size = 4096;
        pragma journal_mode = wal;
        pragma synchronous = ${durability === 'full' ? 'full' : 'normal'};
        pragma cache_size = -${cacheKibibytes};
        pragma temp_store = memory;
        pragma wal_autocheckpoint = ${checkpointPages};
        pragma journal_size_limit = ${keptLogBytes};
        begin exclusive;
        commit;
      `);
      return database;
    } catch (error) {
      database?.close();
      throw isBusy(error) ? this.#heldByAnother(error) : troubleOf(error, this.path);
    }
  }

  #heldByAnother(cause: unknown): StoreError {
    return new StoreError(
      'unavailable',
      `${this.path} is in use by ${this.#readNote()}. One process owns a SQLite store: stop that one, ` +
        'choose another file, or use PostgreSQL to share a store between processes.',
      cause,
    );
  }

  #readNote(): string {
    try {
      const { pid, host } = JSON.parse(readFileSync(this.#note ?? '', 'utf8')) as ReturnType<typeof ownNote>;
      if (pid === process.pid && host === hostname()) return `another store in this process (pid ${pid})`;
      return `the process with pid ${pid} on host ${host}`;
    } catch {
      return 'another process';
    }
  }
}

function ownNote() {
  return { pid: process.pid, host: hostname() };
}
