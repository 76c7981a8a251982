/** The runs of one namespace: look at them, stop them, or queue work without a schedule. */
import { ServiceError } from '../base/error.ts';
import type { Priority, RunOptions } from '../runs/run.ts';
import type { RunQueue, Stopped } from '../runs/run-queue.ts';
import { defaultQueue } from '../service/action-input.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant } from '../service/schedule-input.ts';
import type { RunRow } from '../store/records.ts';
import type { Page, RunQuery, Store } from '../store/store.ts';

export interface WorkInput {
  /** Name of the handler, or what `handle` returned. */
  readonly run: string | { readonly name: string };
  readonly input?: unknown;
  readonly queue?: string;
  readonly priority?: Priority;
  /** Not before. */
  readonly at?: InstantInput;
  readonly options?: RunOptions;
}

export class Runs {
  readonly #queue: RunQueue;
  readonly #store: Store;
  readonly #namespace: string;

  constructor(queue: RunQueue, store: Store, namespace: string) {
    this.#queue = queue;
    this.#store = store;
    this.#namespace = namespace;
  }

  async get(id: string): Promise<RunRow> {
    const { items } = await this.#store.runs({ ids: [id], limit: 1 });
    const [run] = items;
    if (run === undefined || run.namespace !== this.#namespace) {
      throw new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message: `there is no run '${id}'` });
    }
    return run;
  }

  async list(
    query: Omit<RunQuery, 'limit' | 'namespace'> & { readonly limit?: number } = {},
  ): Promise<Page<RunRow>> {
    return await this.#store.runs({ limit: 100, ...query, namespace: this.#namespace });
  }

  /** Queues work now. With `options.requestId`, asking again within a day gives the same run. */
  async enqueue({ run, input, queue, priority, at, options }: WorkInput): Promise<RunRow> {
    return await this.#queue.enqueue({
      namespace: this.#namespace,
      queue: queue ?? defaultQueue,
      name: typeof run === 'string' ? run : run.name,
      input: input ?? null,
      ...(priority === undefined ? {} : { priority }),
      ...(at === undefined ? {} : { availableAt: readInstant(at) }),
      ...(options === undefined ? {} : { options }),
    });
  }

  /** Asks its handler to stop by aborting its signal; a waiting run ends at once. */
  async cancel(id: string, reason = 'cancelled'): Promise<Stopped> {
    const [stopped] = await this.#queue.cancel([id], reason);
    return stopped as Stopped;
  }

  /** Ends it at once; what its handler still does counts for nothing. */
  async terminate(id: string, reason = 'terminated'): Promise<Stopped> {
    const [stopped] = await this.#queue.terminate([id], reason);
    return stopped as Stopped;
  }
}
