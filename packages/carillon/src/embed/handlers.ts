/** The handlers that a program registers, by queue and by name. */
import type { Handler } from '../runs/context.ts';
import type { WorkerQueue } from '../runs/worker.ts';

export interface HandleOptions {
  /** The queue of the handler. Default `default`. */
  readonly queue?: string;
  /** The most concurrent runs of that queue. If several handlers of the queue give a value, the largest counts. */
  readonly concurrency?: number;
}

const defaultConcurrency = 100;

export class HandlerTable {
  readonly #handlers = new Map<string, Map<string, Handler<never>>>();
  readonly #concurrency = new Map<string, number>();
  readonly #defaultConcurrency: number;

  constructor(concurrency: number = defaultConcurrency) {
    this.#defaultConcurrency = concurrency;
  }

  add(queue: string, name: string, handler: Handler<never>, concurrency?: number): void {
    const handlers = this.#handlers.get(queue) ?? new Map<string, Handler<never>>();
    if (handlers.has(name))
      throw new Error(`the queue '${queue}' already has a handler '${name}'; choose another name or queue`);
    this.#handlers.set(queue, handlers.set(name, handler));
    if (concurrency !== undefined) {
      this.#concurrency.set(queue, Math.max(concurrency, this.#concurrency.get(queue) ?? 0));
    }
  }

  queues(): Readonly<Record<string, WorkerQueue>> {
    return Object.fromEntries(
      [...this.#handlers].map(([queue, handlers]) => {
        const concurrency = this.#concurrency.get(queue) ?? this.#defaultConcurrency;
        return [queue, { concurrency, handlers: (name: string) => handlers.get(name) }];
      }),
    );
  }
}
