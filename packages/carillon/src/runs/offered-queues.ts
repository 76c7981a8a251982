/** The queues that a worker works on, and which runs of them it has a handler for. Queues may be offered while it works. */
import type { RunRow } from '../store/records.ts';
import type { KnownRuns } from '../store/store.ts';
import type { Handler, Handlers } from './context.ts';
import { findHandler } from './context.ts';
import type { BackoffFunction } from './custom-backoff.ts';

export interface WorkerQueue {
  /** Handlers of this queue that may run at once. */
  readonly concurrency: number;
  readonly handlers: Handlers;
  /** The names that `handlers` knows, for other processes. Default: the keys of the record; a function may know every name, and so does null. */
  readonly names?: () => readonly string[] | null;
  /** The rules of handlers for pauses after failures. Default: the retry policy of the run decides. */
  readonly backoffs?: (name: string) => BackoffFunction | undefined;
  /**
   * True when handlers of this queue only wait for work elsewhere, and find it again when they are called anew. A worker that
   * stops gives their runs back at once: waiting longer would have no effect.
   */
  readonly waitsElsewhere?: boolean;
}

/** The number of unknown names that are remembered, so that random names cannot fill the memory. */
const mostUnknownNames = 1000;

export class OfferedQueues {
  readonly #queues: Map<string, WorkerQueue>;
  readonly #unknown = new Set<string>();

  constructor(queues: Readonly<Record<string, WorkerQueue>>) {
    this.#queues = new Map(Object.entries(queues));
  }

  /** Adds a queue, or replaces its handlers. Names that were unknown are reported again if they are still unknown. */
  offer(name: string, queue: WorkerQueue): void {
    this.#queues.set(name, queue);
    this.#unknown.clear();
  }

  names(): Iterable<string> {
    return this.#queues.keys();
  }

  has(name: string): boolean {
    return this.#queues.has(name);
  }

  get(name: string): WorkerQueue | undefined {
    return this.#queues.get(name);
  }

  handlerOf(run: RunRow): Handler | undefined {
    const queue = this.#queues.get(run.queue);
    return queue === undefined ? undefined : findHandler(queue.handlers, run.name);
  }

  /** The names by queue that this worker has handlers for; undefined when it cannot say. */
  knownRuns(queues: Iterable<string>): KnownRuns | undefined {
    const names: Record<string, readonly string[]> = {};
    for (const name of queues) {
      const queue = this.#queues.get(name);
      const listed = queue === undefined ? [] : namesOf(queue);
      if (listed !== null) names[name] = listed;
    }
    return Object.keys(names).length === 0 ? undefined : { names };
  }

  /** Whether no handler has the name of the run; true only once for each name. */
  isNewUnknown(run: RunRow): boolean {
    const key = `${run.queue}\0${run.name}`;
    if (this.handlerOf(run) !== undefined || this.#unknown.has(key)) return false;
    if (this.#unknown.size >= mostUnknownNames) return false;
    this.#unknown.add(key);
    return true;
  }
}

/** The names that a queue has handlers for; null: it may know every name. */
export function namesOf({ handlers, names }: WorkerQueue): readonly string[] | null {
  if (names !== undefined) return names();
  return typeof handlers === 'function' ? null : Object.keys(handlers);
}
