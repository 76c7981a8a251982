/**
 * Keeps the write-ahead log small and the main file up to date. A commit checkpoints the log when it is full; after
 * five seconds without a commit the remaining pages are moved too, so that the main file is never minutes behind. A program that
 * reads the file for long prevents that, and the log grows meanwhile: the operator gets a warning.
 */
import { statSync } from 'node:fs';
import { stopwatch } from '../../base/clock.ts';
import type { Connection } from './connection.ts';

const idleMs = 5000;
const largeLogBytes = 256 * 1024 * 1024;

export class LogKeeper {
  readonly #connection: Connection;
  readonly #warn: (message: string) => void;
  #hasWarned = false;

  constructor(connection: Connection, warn: (message: string) => void) {
    this.#connection = connection;
    this.#warn = warn;
  }

  /** Called about once a second. */
  check(): void {
    const { committedAt } = this.#connection;
    if (committedAt !== null && stopwatch() - committedAt >= idleMs) this.#checkpoint();
    const size = statSync(`${this.#connection.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < largeLogBytes) this.#hasWarned = false;
    else if (!this.#hasWarned) this.#warnOf(size);
  }

  #checkpoint(): void {
    try {
      this.#connection.checkpoint();
    } catch {
      // Another program checkpoints the log, or the disk is full: the next commit reports it.
    }
  }

  #warnOf(size: number): void {
    this.#hasWarned = true;
    this.#warn(
      `${this.#connection.path}-wal has ${Math.round(size / 1024 / 1024)} MB: another program has been reading the database for a long time, and the log cannot be moved into the file before it ends. Look for it with: fuser ${this.#connection.path}`,
    );
  }
}
