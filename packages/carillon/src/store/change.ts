/** What a commit tells its listeners. */
import { throwLater } from '../base/listeners.ts';
import type { Instant } from '../base/time.ts';
import type { ExecutionKey, ExecutionRow, RunRow } from './records.ts';
import type { CommittedChange, Interest, Writes } from './store.ts';

/** The time a row will be due, or null: closed and quarantined executions are never due, even if their row has a time. */
export function dueTime(row: ExecutionRow): Instant | null {
  return row.status === 'open' && row.incident === null ? row.wakeAt : null;
}

const none: readonly never[] = [];

/** The change a commit makes, or null when it concerns no listener. */
export function changeOf(writes: Writes, removed: readonly ExecutionKey[]): CommittedChange | null {
  const keys: ExecutionKey[] = removed.length === 0 ? [] : [...removed];
  let wakeAt: Instant | null = null;
  if (writes.executions?.length) {
    for (const row of writes.executions) {
      keys.push(row.key);
      const due = dueTime(row);
      if (due !== null && (wakeAt === null || due < wakeAt)) wakeAt = due;
    }
  }
  const runs = new RunChanges();
  if (writes.newRuns?.length) for (const run of writes.newRuns) runs.note(run);
  if (writes.runs?.length) for (const run of writes.runs) runs.note(run);
  const { queues, cancelled, ended } = runs;
  if (!ended && keys.length + queues.length + cancelled.length === 0) return null;
  return { keys, wakeAt, queues, cancelledRuns: cancelled };
}

/** What a commit changed about runs that listeners wait for; most commits change nothing of it. */
class RunChanges {
  queues: readonly string[] = none;
  readonly cancelled: string[] = [];
  /** A run without an owner has no execution to name, but callers that wait for the run have to look again. */
  ended = false;

  note({ id, state, queue, owner, cancel }: RunRow): void {
    if (state === 'waiting' && !this.queues.includes(queue)) this.queues = [...this.queues, queue];
    if (state === 'done' && owner === null) this.ended = true;
    // A terminated run is over for the store, but its handler may still be running and has to be told.
    const isWished = cancel === 'terminate' || (cancel === 'cancel' && state !== 'done');
    if (isWished) this.cancelled.push(id);
  }
}

const now = Promise.resolve();

/**
 * The listeners of one store. They are called in a microtask: a listener that throws surfaces as an uncaught
 * exception and can neither fail the commit nor silence the others. A promise schedules the microtask, because test
 * frameworks replace `queueMicrotask`, and then no listener would be called.
 */
export class ChangeListeners {
  /** Replaced, never changed: a notification that is under way goes to the listeners that were there when the commit happened. */
  #listeners: readonly Listener[] = [];

  add(tell: (change: CommittedChange) => void, of: Interest = 'all'): () => void {
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

  tell(change: CommittedChange): void {
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
  readonly tell: (change: CommittedChange) => void;
  readonly of: Interest;
  isGone: boolean;
}

function tellOne({ tell }: Listener, change: CommittedChange): void {
  try {
    tell(change);
  } catch (error) {
    throwLater(error);
  }
}
