/** What a commit tells those who listen. */
import type { Instant } from '../base/time.ts';
import type { ExecutionKey, ExecutionRow } from './records.ts';
import type { Change, Writes } from './store.ts';

/** The time a row will be due, or null: closed and quarantined executions never are, whatever their row says. */
export function dueTime(row: ExecutionRow): Instant | null {
  return row.status === 'open' && row.incident === null ? row.wakeAt : null;
}

/** The change a commit makes, or null when nobody could care. */
export function changeOf(writes: Writes, removed: readonly ExecutionKey[]): Change | null {
  const keys: ExecutionKey[] = [...removed];
  let wakeAt: Instant | null = null;
  for (const row of writes.executions ?? []) {
    keys.push(row.key);
    const due = dueTime(row);
    if (due !== null && (wakeAt === null || due < wakeAt)) wakeAt = due;
  }
  const queues = new Set<string>();
  const cancelledRuns: string[] = [];
  // Nobody is told by name that a run without an owner has ended, but whoever waits for it should look.
  let ended = false;
  for (const list of [writes.newRuns, writes.runs]) {
    for (const run of list ?? []) {
      if (run.state === 'waiting') queues.add(run.queue);
      if (run.state === 'done' && run.owner === null) ended = true;
      // A terminated run is over for us, but its handler may still be going and should hear of it.
      if (run.cancel === 'terminate' || (run.cancel === 'cancel' && run.state !== 'done'))
        cancelledRuns.push(run.id);
    }
  }
  const topics = new Set<string>();
  for (const event of writes.events ?? []) topics.add(event.topic);
  if (!ended && keys.length + queues.size + topics.size + cancelledRuns.length === 0) return null;
  return { keys, wakeAt, queues: [...queues], topics: [...topics], cancelledRuns };
}

const now = Promise.resolve();

/**
 * Those who listen to one store. They are called in a microtask: a listener that throws surfaces as an uncaught
 * exception and can neither fail the commit nor silence the others. Promises make it, because test frameworks replace
 * `queueMicrotask` and then nobody would hear of anything.
 */
export class Listeners {
  readonly #listeners = new Map<symbol, (change: Change) => void>();

  add(listener: (change: Change) => void): () => void {
    const id = Symbol();
    this.#listeners.set(id, listener);
    return () => {
      this.#listeners.delete(id);
    };
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  tell(change: Change): void {
    const ids = [...this.#listeners.keys()];
    void now.then(() => {
      for (const id of ids) this.#tellOne(id, change);
    });
  }

  #tellOne(id: symbol, change: Change): void {
    try {
      this.#listeners.get(id)?.(change);
    } catch (error) {
      void now.then(() => {
        throw error;
      });
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
