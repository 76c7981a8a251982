/** What a commit tells those who listen. */
import type { Instant } from '../base/time.ts';
import type { ExecutionKey, ExecutionRow, RunRow } from './records.ts';
import type { Change, Interest, Writes } from './store.ts';

/** The time a row will be due, or null: closed and quarantined executions never are, whatever their row says. */
export function dueTime(row: ExecutionRow): Instant | null {
  return row.status === 'open' && row.incident === null ? row.wakeAt : null;
}

const none: readonly never[] = [];

/** The change a commit makes, or null when nobody could care. */
export function changeOf(writes: Writes, removed: readonly ExecutionKey[]): Change | null {
  const keys: ExecutionKey[] = removed.length === 0 ? [] : [...removed];
  let wakeAt: Instant | null = null;
  if (writes.executions?.length) {
    for (const row of writes.executions) {
      keys.push(row.key);
      const due = dueTime(row);
      if (due !== null && (wakeAt === null || due < wakeAt)) wakeAt = due;
    }
  }
  const runs = new RunNews();
  if (writes.newRuns?.length) for (const run of writes.newRuns) runs.note(run);
  if (writes.runs?.length) for (const run of writes.runs) runs.note(run);
  const topics = writes.events?.length ? [...new Set(writes.events.map(({ topic }) => topic))] : none;
  const { queues, cancelled, ended } = runs;
  if (!ended && keys.length + queues.length + topics.length + cancelled.length === 0) return null;
  return { keys, wakeAt, queues, topics, cancelledRuns: cancelled };
}

/** What is told of runs; mostly nothing. */
class RunNews {
  queues: readonly string[] = none;
  readonly cancelled: string[] = [];
  /** Nobody is told by name that a run without an owner has ended, but whoever waits for it should look. */
  ended = false;

  note({ id, state, queue, owner, cancel }: RunRow): void {
    if (state === 'waiting' && !this.queues.includes(queue)) this.queues = [...this.queues, queue];
    if (state === 'done' && owner === null) this.ended = true;
    // A terminated run is over for us, but its handler may still be going and should hear of it.
    const isWished = cancel === 'terminate' || (cancel === 'cancel' && state !== 'done');
    if (isWished) this.cancelled.push(id);
  }
}

const now = Promise.resolve();

/**
 * Those who listen to one store. They are called in a microtask: a listener that throws surfaces as an uncaught
 * exception and can neither fail the commit nor silence the others. Promises make it, because test frameworks replace
 * `queueMicrotask` and then nobody would hear of anything.
 */
export class Listeners {
  /** Replaced, never changed: whoever is being told keeps what was there when the commit happened. */
  #listeners: readonly Listener[] = [];

  add(tell: (change: Change) => void, of: Interest = 'all'): () => void {
    const listener: Listener = { tell, of, isGone: false };
    this.#listeners = [...this.#listeners, listener];
    return () => {
      listener.isGone = true;
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  tell(change: Change): void {
    const listeners = this.#listeners;
    void now.then(() => {
      const hasRuns = change.queues.length + change.cancelledRuns.length > 0;
      for (const listener of listeners) {
        if (!listener.isGone && (hasRuns || listener.of === 'all')) tellOne(listener, change);
      }
    });
  }

  clear(): void {
    for (const listener of this.#listeners) listener.isGone = true;
    this.#listeners = [];
  }
}

interface Listener {
  readonly tell: (change: Change) => void;
  readonly of: Interest;
  isGone: boolean;
}

function tellOne({ tell }: Listener, change: Change): void {
  try {
    tell(change);
  } catch (error) {
    void now.then(() => {
      throw error;
    });
  }
}
