/** The runs of one namespace: look at them, wait for them, stop them, or queue work without a schedule. */

import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import { field, instantFix, instantShape, shapeProblem } from '../base/fields.ts';
import { given } from '../base/given.ts';
import { second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { Stopped } from '../runs/run-queue.ts';
import type { ActionInput, HandlerRef } from '../service/action-input.ts';
import { queuedWork } from '../service/action-input.ts';
import type { RunService } from '../service/run-service.ts';
import type { Included, RunView } from '../service/run-view.ts';
import { runViewer, viewRun } from '../service/run-view.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant } from '../service/schedule-input.ts';
import type { Page, RunQuery, Store } from '../store/store.ts';
import type { TypedInput } from './schedules.ts';

/** Work to queue, in the words of a schedule's action. */
export interface WorkInput extends Pick<ActionInput, keyof typeof queuedWork> {
  /** Not before. */
  readonly at?: InstantInput;
  /** Asking again with the same id within a day gives the same run. */
  readonly requestId?: string;
}

export type TypedWork<Input> = Omit<WorkInput, 'run' | 'input'> & {
  readonly run: HandlerRef<Input>;
} & TypedInput<Input>;

export interface RunsOptions {
  readonly service: RunService;
  readonly store: Store;
  readonly clock: Clock;
  readonly namespace: string;
}

const workInput = z.strictObject({
  ...queuedWork,
  at: field(instantShape, instantFix),
  requestId: field(z.string().min(1).max(1000), 'write a text of 1 to 1000 characters'),
});

/** A waiter looks again this often, in case a notification got lost. */
const patience = 5 * second;

export class Runs {
  readonly #service: RunService;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #namespace: string;

  constructor(options: RunsOptions) {
    this.#service = options.service;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#namespace = options.namespace;
  }

  async get(id: string): Promise<RunView> {
    return viewRun(await this.#service.get({ namespace: this.#namespace, id }));
  }

  /** Newest first. */
  async list(
    query: Omit<RunQuery, 'limit' | 'namespace'> & {
      readonly limit?: number;
      readonly include?: Included;
    } = {},
  ): Promise<Page<RunView>> {
    const { include } = query;
    const page = await this.#service.list({ limit: 100, ...query, namespace: this.#namespace });
    return { items: page.items.map(runViewer(include)), next: page.next };
  }

  /** Queues work now. */
  enqueue<Input>(work: TypedWork<Input>): Promise<RunView>;
  enqueue(work: WorkInput): Promise<RunView>;
  async enqueue(work: object): Promise<RunView> {
    const parsed = workInput.safeParse(work);
    if (!parsed.success)
      throw ServiceError.invalid(parsed.error.issues.map((issue) => shapeProblem(issue, workInput)));
    const { at, requestId, ...action } = work as WorkInput;
    const run = await this.#service.enqueue(this.#namespace, {
      action,
      ...given({ at: at === undefined ? undefined : readInstant(at, 'at'), requestId }),
    });
    return viewRun(run);
  }

  /** Resolves when the run has ended, however it ended. */
  async wait(id: string, options: { readonly signal?: AbortSignal } = {}): Promise<RunView> {
    const { signal } = options;
    const wakeup = new Wakeup(this.#clock);
    // The end of a run is told with its owner, or not at all: any change is a reason to look.
    const unsubscribe = this.#store.subscribe(() => wakeup.wake());
    const unhook = wakeOnAbort(wakeup, signal);
    try {
      for (;;) {
        signal?.throwIfAborted();
        wakeup.forget();
        const run = await this.get(id);
        if (run.state === 'done') return run;
        signal?.throwIfAborted();
        await wakeup.sleep(patience);
      }
    } finally {
      unhook();
      unsubscribe();
    }
  }

  /** Only runs of this namespace can be stopped here; others are not found. Asks its handler to stop by aborting its signal; a waiting run ends at once. */
  async cancel(id: string, reason = 'cancelled', actor?: string): Promise<Stopped> {
    return await this.#service.cancel({ namespace: this.#namespace, id }, reason, by(actor));
  }

  /** Ends it at once; what its handler still does counts for nothing. */
  async terminate(id: string, reason = 'terminated', actor?: string): Promise<Stopped> {
    return await this.#service.terminate({ namespace: this.#namespace, id }, reason, by(actor));
  }
}

/** Who stops a run is written down, as for every change of a schedule. */
function by(actor = 'embedded') {
  return { actor, door: 'embed' };
}
