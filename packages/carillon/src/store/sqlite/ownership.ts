/**
 * The owner of a SQLite file, checked as long as it is open.
 *
 * | State | Entered by | Duty | Left by |
 * |---|---|---|---|
 * | closed | – | – | `take` |
 * | looking | lock taken | judge the note of the previous owner, perhaps watch its heartbeat for 2.5 s | owning, or refused (closed) |
 * | owning | the note is written; the first transaction writes the token into the database | fence and identity of the file in each batch, the lock again each second | lost, or closed |
 * | lost | fence, identity, or three busy answers | refuse every call, report it once | closed |
 *
 * Three mechanisms keep two processes from writing one file. The lock (`owner-lock.ts`) keeps other processes out. The note in it
 * keeps an opener out that found the lock free although its holder is alive. The fence, a token in the database that every
 * batch reads after `begin immediate`, stops an owner that was replaced all the same (it was suspended for minutes, or its
 * machine was disconnected) before it writes. A store that lost its file never writes again and repairs nothing.
 */
import { statSync } from 'node:fs';
import { stopwatch } from '../../base/clock.ts';
import { StoreError } from '../error.ts';
import type { StoreEvent } from '../store.ts';
import { type FileIdentity, identityOf, isSameFile } from './file-identity.ts';
import { enter, leave, realPath } from './open-files.ts';
import { OwnerLock, readNote } from './owner-lock.ts';
import { checkNote, type OwnerNote, ownNote, startOf, wordsFor } from './owner-note.ts';
import { every, pause } from './timing.ts';

/** How long an opener on another machine or container watches the heartbeat: two and a half intervals. */
const watchMs = 2500;
const lookMs = 50;
const heartbeatMs = 1000;
/** An opener that takes the lock only to read the note releases it within two intervals; an owner keeps it. */
const busyPauseMs = 100;
const mostBusy = 3;

type State =
  | { readonly kind: 'looking'; readonly left: OwnerNote }
  | { readonly kind: 'owning' }
  | { readonly kind: 'lost'; readonly error: StoreError }
  | { readonly kind: 'closed' };

export interface OwnershipOptions {
  readonly path: string;
  /** The machine's name in the note; default the system's. */
  readonly host?: string;
  readonly tell: (event: StoreEvent) => void;
}

export class Ownership {
  readonly path: string;
  readonly #note: OwnerNote;
  readonly #lock: OwnerLock;
  readonly #tell: (event: StoreEvent) => void;
  #state: State;
  #identity: FileIdentity | null = null;
  #stopBeat: (() => void) | undefined;
  #isRenewing = false;

  /** Takes the lock. Throws `unavailable` with an explanation when another process owns the file. */
  constructor({ path, host, tell }: OwnershipOptions) {
    this.path = realPath(path);
    this.#tell = tell;
    this.#note = ownNote(host);
    if (!enter(this.path)) {
      throw refusal(this.path, `another store in this process (pid ${process.pid})`);
    }
    try {
      this.#lock = this.#take();
      const left = this.#lock.note();
      const finding = checkNote(left, this.#note, startOf);
      if (finding === 'refuse') this.#refuse(left);
      this.#state = left !== null && finding === 'watch' ? { kind: 'looking', left } : this.#own();
    } catch (error) {
      leave(this.path);
      // The folder is missing or not writable.
      if (error instanceof Error && 'syscall' in error) {
        throw new StoreError('unavailable', `${this.path} cannot be opened: ${error.message}`, error);
      }
      throw error;
    }
  }

  get token(): string {
    return this.#note.token;
  }

  get isOwning(): boolean {
    return this.#state.kind === 'owning';
  }

  get isLost(): boolean {
    return this.#state.kind === 'lost';
  }

  /** Watches the heartbeat of an owner whose process cannot be seen from here; returns at once when there is none. */
  async settle(): Promise<void> {
    if (this.#state.kind !== 'looking') return;
    const { left } = this.#state;
    const lock = `${this.path}-owner`;
    const seen = statSync(lock).mtimeMs;
    const end = stopwatch() + watchMs;
    while (stopwatch() < end) {
      await pause(lookMs);
      if (this.#state.kind !== 'looking') return;
      if (statSync(lock, { throwIfNoEntry: false })?.mtimeMs !== seen) {
        this.#state = { kind: 'closed' };
        leave(this.path);
        this.#refuse(left);
      }
    }
    this.#state = this.#own();
  }

  /** Remembers which file was opened, and begins the heartbeat. `everySecond` is called with each heartbeat. */
  begin(everySecond: () => void): void {
    this.#identity = identityOf(this.path);
    this.#stopBeat = every(heartbeatMs, () => {
      if (this.#state.kind !== 'owning') return;
      this.checkFile();
      if (this.#state.kind !== 'owning') return;
      void this.#renew();
      everySecond();
    });
  }

  /** Throws the reason when the file was lost. */
  assertHeld(): void {
    if (this.#state.kind === 'lost') throw this.#state.error;
  }

  /** Checks in a transaction, before anything is written, whether this process still owns the file. */
  checkFence(token: unknown): void {
    this.assertHeld();
    this.checkFile();
    this.assertHeld();
    if (token === this.#note.token) return;
    this.#lose(
      'OWNER_LOST',
      `${this.path} was taken over by ${wordsFor(this.#noteOfOther())} while this process did not answer`,
    );
    this.assertHeld();
  }

  /** Checks whether the path still leads to the open file. */
  checkFile(): void {
    const now = identityOf(this.path);
    if (isSameFile(now, this.#identity)) return;
    if (now === null) this.#lose('FILE_UNLINKED', `${this.path} was removed while the store was open`);
    else this.#lose('FILE_REPLACED', `${this.path} was replaced by another file while the store was open`);
  }

  /** Releases the file. */
  close(): void {
    const { kind } = this.#state;
    if (kind === 'closed') return;
    this.#stopBeat?.();
    this.#state = { kind: 'closed' };
    leave(this.path);
    // The note is ours as long as the file is; otherwise it may belong to the process that took over.
    if (kind === 'owning') this.#lock.release();
    else this.#lock.leave();
  }

  #take(): OwnerLock {
    const path = `${this.path}-owner`;
    const lock = OwnerLock.take(path);
    if (lock === null) throw refusal(this.path, wordsFor(readNote(path)));
    return lock;
  }

  #own(): State {
    this.#lock.claim(this.#note);
    return { kind: 'owning' };
  }

  #refuse(left: OwnerNote | null): never {
    this.#lock.leave();
    throw refusal(this.path, wordsFor(left));
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      for (let busy = 0; this.#state.kind === 'owning'; busy++) {
        if (this.#lock.renew(this.#note) === 'held') return;
        if (busy === mostBusy) break;
        await pause(busyPauseMs);
      }
      if (this.#state.kind !== 'owning') return;
      this.#lose('OWNER_LOST', `the lock of ${this.path} was taken by ${wordsFor(this.#noteOfOther())}`);
    } catch {
      // The folder is not writable at this moment. The fence still protects the file; the next heartbeat tries again.
    } finally {
      this.#isRenewing = false;
    }
  }

  /** The note of the process that has the lock now. Only when this process does not hold the lock: reading drops locks. */
  #noteOfOther(): OwnerNote | null {
    const note = readNote(`${this.path}-owner`);
    return note?.token === this.#note.token ? null : note;
  }

  #lose(reason: 'OWNER_LOST' | 'FILE_REPLACED' | 'FILE_UNLINKED', what: string): void {
    if (this.#state.kind !== 'owning') return;
    const message = `${what}. Nothing is written any more: stop this process, look at the file, and start again.`;
    const error = new StoreError('unavailable', message, undefined, reason);
    this.#state = { kind: 'lost', error };
    this.#stopBeat?.();
    this.#tell({ kind: 'lost', error });
  }
}

function refusal(path: string, owner: string): StoreError {
  return new StoreError(
    'unavailable',
    `${path} is in use by ${owner}. One process owns a SQLite store: stop that one, choose another file, or use PostgreSQL to share a store between processes.`,
    undefined,
    'IN_USE',
  );
}
