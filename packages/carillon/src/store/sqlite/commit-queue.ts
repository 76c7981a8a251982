/**
 * Group commit: transactions that are requested at the same time share one commit to the disk.
 *
 * Requests wait for the end of the current turn of the event loop. A caller that awaits each
 * commit pays a few microseconds for that; and since a commit blocks the loop, requests that arrived meanwhile are
 * delivered in one turn and form the next batch: batches grow with the load.
 *
 * Each request stays a transaction of its own. Deciding happens before writing, so a decider that throws has
 * written nothing and only its caller gets the error. A request refused while writing (a conflict) rolls back the
 * batch, which is then run again with a savepoint around each request: decisions are pure, so running them twice
 * is harmless, and the usual case pays for no savepoints.
 */
import { afterTurn } from '../../base/next-turn.ts';
import { isConflict, isStoreError, StoreError } from '../error.ts';
import type { Connection } from './connection.ts';
import { pause } from './timing.ts';
import { isBusy, isDatabaseTrouble, troubleOf } from './trouble.ts';

/** One request. `select` and `decide` first, then `write`; each is called again when the batch is rerun. */
export interface CommitJob {
  /** Selects and decides. Throws what the decider throws. */
  prepare(): void;
  /** Writes what was decided; returns the number of rows. */
  write(): number;
  committed(): void;
  failed(error: unknown): void;
}

/** Bounds how long one batch blocks the event loop: at 20 µs a row, about 40 ms. One request may exceed it. */
const rowsPerBatch = 2000;
const jobsPerBatch = 500;

/** How long the queue waits while another program writes the file: two seconds. */
const busyPauseMs = 10;
const mostBusy = 200;

export class CommitQueue {
  readonly #connection: Connection;
  readonly #waiting: CommitJob[] = [];
  #isScheduled = false;
  /** Consecutive tries that found another program writing. */
  #busy = 0;
  #whenIdle: (() => void)[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(request: CommitJob): void {
    this.#waiting.push(request);
    this.#schedule();
  }

  /** Resolves when all requests so far have been answered. */
  async idle(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    afterTurn(() => {
      this.#isScheduled = false;
      if (!this.#drain()) return this.#scheduleLater();
      if (this.#waiting.length > 0) this.#schedule();
      else for (const resolve of this.#whenIdle.splice(0)) resolve();
    });
  }

  /** Another program writes the file: an administrator, or a tool that checkpoints the log. */
  #scheduleLater(): void {
    this.#isScheduled = true;
    void pause(busyPauseMs).then(() => {
      this.#isScheduled = false;
      this.#schedule();
    });
  }

  /** Commits one batch; false when another program holds the file, and the batch waits. */
  #drain(): boolean {
    const failures = new Map<CommitJob, unknown>();
    let batch = this.#waiting.slice(0, jobsPerBatch);
    try {
      this.#connection.begin();
      const done = this.#runAll(batch, failures);
      if (done === null) {
        this.#connection.rollback();
        failures.clear();
        this.#connection.begin();
        batch = batch.slice(0, this.#runIsolated(batch, failures));
      } else {
        batch = batch.slice(0, done);
      }
      this.#connection.commit();
      this.#busy = 0;
    } catch (error) {
      this.#connection.rollback();
      if (isBusy(error) && ++this.#busy < mostBusy) return false;
      this.#busy = 0;
      const trouble = batchTrouble(error, this.#connection.path);
      for (const request of batch) if (!failures.has(request)) failures.set(request, trouble);
    }
    this.#waiting.splice(0, batch.length);
    for (const request of batch) {
      if (failures.has(request)) request.failed(troubleOf(failures.get(request), this.#connection.path));
      else request.committed();
    }
    return true;
  }

  /** Runs requests without savepoints; null when one was refused while writing and all must be rolled back. */
  #runAll(batch: readonly CommitJob[], failures: Map<CommitJob, unknown>): number | null {
    let rows = 0;
    let done = 0;
    for (const request of batch) {
      if (rows >= rowsPerBatch) break;
      done++;
      if (!this.#prepare(request, failures)) continue;
      try {
        rows += request.write();
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        return null;
      }
    }
    return done;
  }

  #runIsolated(batch: readonly CommitJob[], failures: Map<CommitJob, unknown>): number {
    let rows = 0;
    let done = 0;
    for (const request of batch) {
      if (rows >= rowsPerBatch) break;
      done++;
      if (!this.#prepare(request, failures)) continue;
      this.#connection.run('savepoint job');
      try {
        rows += request.write();
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        this.#connection.run('rollback to job');
        failures.set(request, error);
      }
      this.#connection.run('release job');
    }
    return done;
  }

  #prepare(request: CommitJob, failures: Map<CommitJob, unknown>): boolean {
    try {
      request.prepare();
      return true;
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      failures.set(request, error);
      return false;
    }
  }
}

/** Why a whole batch failed. No single request caused it, so no caller gets a conflict. */
function batchTrouble(error: unknown, path: string): StoreError {
  const trouble = troubleOf(error, path);
  if (isStoreError(trouble) && !isConflict(trouble)) return trouble;
  return new StoreError('unavailable', `${path}: the commit failed: ${String(error)}`, error);
}
