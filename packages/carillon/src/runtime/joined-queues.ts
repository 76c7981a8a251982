/** The queues of one node: those of the program and of its archetypes, joined. */
import { findHandler } from '../runs/context.ts';
import type { WorkerQueue } from '../runs/offered-queues.ts';
import { namesOf } from '../runs/offered-queues.ts';
import { traced } from '../tracing/run-span.ts';
import type { Runtime, RuntimeParts } from './runtime.ts';

/** The most concurrent runs of a queue for which the program has no handlers. */
const defaultConcurrency = 100;

/** The names of one queue in the record of a node; a node with more of them counts as knowing those only. */
const mostNamesPerQueue = 1000;

/** A queue belongs to the program or to one archetype; an archetype may also answer for handlers of the program's queues. */
export function joinedQueues(
  runtime: Runtime,
  { archetypes, queues }: Pick<RuntimeParts, 'archetypes' | 'queues'>,
): Readonly<Record<string, WorkerQueue>> {
  const found = new Map(Object.entries(queues?.() ?? {}));
  for (const archetype of archetypes) {
    for (const [name, queue] of Object.entries(archetype.queues?.(runtime) ?? {})) {
      if (found.has(name)) {
        throw new Error(
          `the queue '${name}' of the archetype '${archetype.name}' is already taken; choose another queue`,
        );
      }
      found.set(name, queue);
    }
    for (const [name, standIn] of Object.entries(archetype.before?.(runtime) ?? {})) {
      const own = found.get(name) ?? { concurrency: defaultConcurrency, handlers: {} };
      found.set(name, {
        ...own,
        handlers: (handler) => standIn.find(handler, findHandler(own.handlers, handler)),
        names: () => {
          const [first, second] = [namesOf(own), standIn.names()];
          return first === null || second === null ? null : [...new Set([...first, ...second])];
        },
      });
    }
  }
  return Object.fromEntries(found);
}

/** By queue: the names that this node has handlers for; null: it takes every run. */
export function handlerNames(
  queues: Readonly<Record<string, WorkerQueue>>,
): Readonly<Record<string, readonly string[] | null>> {
  const entries = Object.entries(queues).map(([queue, given]) => {
    const known = namesOf(given);
    return [queue, known === null ? null : known.slice(0, mostNamesPerQueue)];
  });
  return Object.fromEntries(entries);
}

/** Wraps the handlers of a queue in spans when the process has a tracer. */
export function tracedQueue(queue: WorkerQueue): WorkerQueue {
  return {
    ...queue,
    handlers: (name) => {
      const handler = findHandler(queue.handlers, name);
      return handler === undefined ? undefined : traced(handler);
    },
  };
}
