/** The handlers that a program registers, by queue and by name. */
import type { Handler } from '../runs/context.ts';
import type { BackoffFunction } from '../runs/custom-backoff.ts';
import type { WorkerQueue } from '../runs/offered-queues.ts';

/** Where and how often a handler runs. */
export interface HandleOptions extends HandlerSettings {
  /** The queue of the handler. Default `default`. */
  readonly queue?: string;
}

export interface HandlerSettings {
  /** The most concurrent runs of the handler's queue. If several handlers of the queue give a value, the largest counts. */
  readonly concurrency?: number;
  /** The pause after each failed attempt. Default: as the retry policy of the run says. */
  readonly backoff?: BackoffFunction;
}

const defaultConcurrency = 100;

/** What a reload of handlers changed, by the names of handlers and workflows. */
export interface Reloaded {
  readonly handlers: readonly string[];
  readonly removed: readonly string[];
}

interface Registration {
  readonly queue: string;
  readonly name: string;
}

export class HandlerTable {
  readonly #handlers = new Map<string, Map<string, Handler<never>>>();
  /** The custom backoffs of handlers, by queue and name. */
  readonly #backoffs = new Map<string, BackoffFunction>();
  readonly #concurrency = new Map<string, number>();
  readonly #defaultConcurrency: number;

  /** What the latest `reload` registered. */
  #loaded = new Map<string, Registration>();
  /** What the `reload` under way has registered so far. */
  #loading: Map<string, Registration> | undefined;

  constructor(concurrency: number = defaultConcurrency) {
    this.#defaultConcurrency = concurrency;
  }

  add(queue: string, name: string, handler: Handler<never>, settings: HandlerSettings = {}): void {
    const { concurrency, backoff } = settings;
    checkRegistration({ queue, name, handler, concurrency, backoff });
    const handlers = this.#handlers.get(queue) ?? new Map<string, Handler<never>>();
    const key = `${queue}\0${name}`;
    if (
      handlers.has(name) &&
      (this.#loading === undefined || !this.#loaded.has(key) || this.#loading.has(key))
    )
      throw new Error(`the queue '${queue}' already has a handler '${name}'; choose another name or queue`);
    this.#handlers.set(queue, handlers.set(name, handler));
    if (backoff === undefined) this.#backoffs.delete(key);
    else this.#backoffs.set(key, backoff);
    this.#loading?.set(key, { queue, name });
    if (concurrency !== undefined) {
      this.#concurrency.set(queue, Math.max(concurrency, this.#concurrency.get(queue) ?? 0));
    }
  }

  /**
   * Calls `register`, which may replace the handlers that the previous call registered; handlers that it does not
   * register again are removed. When it throws, everything is as it was.
   */
  async reload(register: () => unknown): Promise<Reloaded & { readonly queues: ReadonlySet<string> }> {
    const before = new Map([...this.#handlers].map(([queue, handlers]) => [queue, new Map(handlers)]));
    const loading = new Map<string, Registration>();
    this.#loading = loading;
    try {
      await register();
    } catch (error) {
      this.#handlers.clear();
      for (const [queue, handlers] of before) this.#handlers.set(queue, handlers);
      throw error;
    } finally {
      this.#loading = undefined;
    }
    const removed = [...this.#loaded].filter(([key]) => !loading.has(key)).map(([, each]) => each);
    for (const { queue, name } of removed) this.#handlers.get(queue)?.delete(name);
    const queues = new Set([...this.#loaded.values(), ...loading.values()].map(({ queue }) => queue));
    this.#loaded = loading;
    const names = (of: Iterable<Registration>) => [...of].map(({ name }) => name);
    return { handlers: names(loading.values()), removed: names(removed), queues };
  }

  names(queue: string): readonly string[] {
    return [...(this.#handlers.get(queue)?.keys() ?? [])];
  }

  queues(): Readonly<Record<string, WorkerQueue>> {
    return Object.fromEntries(
      [...this.#handlers.keys()].map((queue) => {
        const concurrency = this.#concurrency.get(queue) ?? this.#defaultConcurrency;
        const handlers = (name: string) => this.#handlers.get(queue)?.get(name);
        const backoffs = (name: string) => this.#backoffs.get(`${queue}\0${name}`);
        return [queue, { concurrency, handlers, backoffs, names: () => this.names(queue) }];
      }),
    );
  }
}

interface Registering
  extends Readonly<Record<'queue' | 'name' | 'handler' | 'concurrency' | 'backoff', unknown>> {}

/** Checks a registration, also for programs without types, where a mistake would otherwise go unnoticed. */
function checkRegistration({ queue, name, handler, concurrency, backoff }: Registering): void {
  const refuse = (what: string, wanted: string, given: unknown): never => {
    throw new TypeError(`handle(${JSON.stringify(name)}): ${what} must be ${wanted}, not ${String(given)}`);
  };
  if (typeof name !== 'string' || name === '') refuse('the name', 'a text', name);
  if (typeof queue !== 'string' || queue === '' || queue.startsWith('@'))
    refuse('queue', "a text that does not begin with '@'", queue);
  if (typeof handler !== 'function') refuse('the handler', 'a function', handler);
  if (concurrency !== undefined && !isConcurrency(concurrency))
    refuse('concurrency', 'a whole number of at least 1', concurrency);
  if (backoff !== undefined && typeof backoff !== 'function') refuse('backoff', 'a function', backoff);
}

export function isConcurrency(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
