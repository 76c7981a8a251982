/**
 * The lock of an owner: an exclusive transaction, held open, on a small SQLite file beside the database.
 *
 * A lock on the database itself would be lost with the first `fs.copyFile` of it in the owning process, because POSIX
 * drops all locks of a process on a file when the process closes any descriptor of that file. Copies of the database
 * do not touch this file; a copy of the whole folder does, so the lock is taken again every second (`renew`).
 */
import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { stopwatch } from '../../base/clock.ts';
import type { Database } from './driver.ts';
import { openDatabase } from './driver.ts';
import { type FileIdentity, identityOf, isSameFile, makePrivate } from './file-identity.ts';
import { encodeNote, findNote, type OwnerNote } from './owner-note.ts';
import { isBusy, isDamaged } from './trouble.ts';

/** Consecutive openings that found the file replaced meanwhile: more of them mean an error that no retry can repair. */
const mostOpenings = 10;

export class OwnerLock {
  readonly path: string;
  #database: Database;
  #identity: FileIdentity;

  private constructor(path: string, database: Database, identity: FileIdentity) {
    this.path = path;
    this.#database = database;
    this.#identity = identity;
  }

  /** Takes the lock; null when another process holds it. */
  static take(path: string): OwnerLock | null {
    for (let opening = 0; opening < mostOpenings; opening++) {
      makePrivate(path);
      const before = identityOf(path);
      const database = openDatabase(path);
      try {
        // In exclusive mode the lock survives the commit that writes the note; `claim` ends that mode.
        database.exec(
          'pragma busy_timeout = 0; pragma locking_mode = exclusive; pragma journal_mode = memory; pragma secure_delete = on; begin exclusive',
        );
      } catch (error) {
        database.close();
        if (isBusy(error)) return null;
        // The file is not a database, so no process holds it: it is a torn write of a process that died.
        if (!isDamaged(error)) throw error;
        rmSync(path, { force: true });
        continue;
      }
      // The previous owner removed the file while we waited: no other process locks it, and our lock on it has no effect.
      if (before !== null && isSameFile(before, identityOf(path)))
        return new OwnerLock(path, database, before);
      database.close();
    }
    throw new Error(`${path} is replaced again and again: stop the program that removes it`);
  }

  /** The note of the previous owner; null after a clean close. */
  note(): OwnerNote | null {
    const table = this.#database.prepare("select 1 from sqlite_master where name = 'owner'").get();
    const row = table === undefined ? undefined : this.#database.prepare('select note from owner').get();
    return row === undefined ? null : findNote(String(row[0]));
  }

  /** Writes the note and keeps the lock from then on. */
  claim(note: OwnerNote): void {
    this.#database.exec(
      `create table if not exists owner (note text not null); delete from owner; insert into owner values (${quoted(encodeNote(note))}); commit; begin exclusive; pragma locking_mode = normal`,
    );
  }

  /**
   * Takes the lock anew, in case it was lost unnoticed; `busy` when another process has it now. Touches the file
   * first: an opener that took the lock meanwhile then sees that the owner is alive.
   */
  renew(note: OwnerNote): 'held' | 'busy' {
    if (!isSameFile(this.#identity, identityOf(this.path))) return this.#replace(note);
    this.#touch();
    try {
      this.#end();
      this.#database.exec('begin exclusive');
      return 'held';
    } catch (error) {
      if (isBusy(error)) return 'busy';
      throw error;
    }
  }

  /** Releases the lock and removes the note. */
  release(): void {
    // The file is removed while the lock is held: an opener that waits for the lock then sees that its file is not the one at this path.
    if (process.platform !== 'win32') rmSync(this.path, { force: true });
    this.leave();
    if (process.platform === 'win32') rmSync(this.path, { force: true });
  }

  /** Releases the lock and leaves the file as it is: the note belongs to another process. */
  leave(): void {
    this.#end();
    try {
      this.#database.close();
    } catch {
      // It was closed when its file had been replaced.
    }
  }

  /** Updates the time of the file: the owner's heartbeat for openers that cannot see its process. */
  #touch(): void {
    // By path: opening and closing the file would drop the lock.
    const now = (performance.timeOrigin + stopwatch()) / 1000;
    utimesSync(this.path, now, now);
  }

  /**
   * Ends the transaction, if one is open. Leaving the exclusive mode matters: with `@photostructure/sqlite` a closed
   * connection keeps its lock until the garbage collector has found every statement.
   */
  #end(): void {
    try {
      this.#database.exec('pragma locking_mode = normal; rollback');
    } catch {
      // No transaction was open: the previous renewal was answered busy.
    }
  }

  /** The file was removed by another program: make it again. */
  #replace(note: OwnerNote): 'held' | 'busy' {
    this.leave();
    const lock = OwnerLock.take(this.path);
    if (lock === null) return 'busy';
    this.#database = lock.#database;
    this.#identity = lock.#identity;
    this.claim(note);
    return 'held';
  }
}

/** Reads the note in a lock file that another process holds, as a plain file. Never call it in the process that holds the lock. */
export function readNote(path: string): OwnerNote | null {
  try {
    return findNote(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
