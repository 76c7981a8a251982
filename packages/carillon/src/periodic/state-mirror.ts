/**
 * The state of tasks in Redis, under the keys and fields that the original documents, for dashboards and scripts that
 * read them. It is a *view*: Carillon writes it after the fact, from the ledger, and never reads it. Losing or
 * editing it does not change what runs.
 *
 *   <prefix>:schedules:<id>      hash: last_run, next_run, last_success (RFC 3339), run_count, last_error
 *   <prefix>:schedule_lock:<id>  the id of the job that was made last, for 60 s or until it ends
 */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { RedisConnection } from '../lock/redis-connection.ts';
import type { TaskBrief } from './task-state.ts';

export interface StateMirrorOptions {
  readonly redis: RedisConnection;
  /** The prefix of the keys. Default `bananas`. */
  readonly prefix?: string;
}

type MirroredState = TaskBrief & { readonly runs: number };

export interface StateMirrorParts extends StateMirrorOptions {
  readonly read: (id: string) => Promise<MirroredState>;
  readonly trouble: (error: unknown) => void;
}

const lockSeconds = 60;

/** One script per write, so that a reader never sees a partial state. */
const writeScript = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1`;

const unlockScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`;

export class StateMirror {
  readonly #parts: StateMirrorParts;
  readonly #prefix: string;
  readonly #stale = new Set<string>();
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(parts: StateMirrorParts) {
    this.#parts = parts;
    this.#prefix = parts.prefix ?? 'bananas';
  }

  /** Marks tasks as changed. Their hashes are written soon, and once, however often they are marked meanwhile. */
  touch(ids: Iterable<string>): void {
    if (this.#closed) return;
    for (const id of ids) this.#stale.add(id);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  started(id: string, jobId: string): void {
    this.#send('SET', this.#lockKey(id), jobId, 'EX', lockSeconds);
    this.touch([id]);
  }

  finished(id: string, jobId: string): void {
    this.#send('EVAL', unlockScript, 1, this.#lockKey(id), jobId);
    this.touch([id]);
  }

  removed(ids: readonly string[]): void {
    for (const id of ids) this.#send('DEL', this.#stateKey(id), this.#lockKey(id));
  }

  /**
   * Writes the marked tasks and then stops reading, because the store is about to close. The next process writes
   * later changes.
   */
  async close(): Promise<void> {
    await this.settle();
    this.#closed = true;
  }

  /** Resolves when every marked task has been written. */
  async settle(): Promise<void> {
    while (this.#writing !== undefined || this.#sending.size > 0) {
      await this.#writing;
      await Promise.all(this.#sending);
    }
  }

  readonly #sending = new Set<Promise<unknown>>();

  async #write(): Promise<void> {
    for (let [id] = this.#stale; id !== undefined; [id] = this.#stale) {
      this.#stale.delete(id);
      try {
        const state = await this.#parts.read(id);
        await this.#parts.redis.call('EVAL', writeScript, 1, this.#stateKey(id), ...fieldsOf(state));
      } catch (error) {
        this.#parts.trouble(error);
      }
    }
  }

  #send(command: string, ...words: (string | number)[]): void {
    const sent = this.#parts.redis
      .call(command, ...words)
      .catch((error: unknown) => this.#parts.trouble(error))
      .finally(() => this.#sending.delete(sent));
    this.#sending.add(sent);
  }

  #stateKey(id: string): string {
    return `${this.#prefix}:schedules:${id}`;
  }

  #lockKey(id: string): string {
    return `${this.#prefix}:schedule_lock:${id}`;
  }
}

/** Fields without a value are absent, as in the original registry. */
function fieldsOf(state: MirroredState): readonly string[] {
  const time = (name: string, at: Instant | null) => (at === null ? [] : [name, formatInstant(at)]);
  return [
    'run_count',
    String(state.runs),
    ...time('last_run', state.lastRun),
    ...time('next_run', state.nextRun),
    ...time('last_success', state.lastSuccess),
    ...(state.lastError === null ? [] : ['last_error', state.lastError]),
  ];
}
