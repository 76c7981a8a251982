/** The runs of one namespace: read them, wait for them, stop them, or enqueue work without a schedule. */

import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import { field, instantFix, instantShape, needed, reporting, shapeProblem } from '../base/fields.ts';
import { given } from '../base/given.ts';
import { eachItem } from '../base/paging.ts';
import type { ActionInput } from '../service/action-input.ts';
import { queuedWork } from '../service/action-input.ts';
import type {
  AgainOptions,
  LogOptions,
  Page,
  RunFilters,
  RunStopOptions,
  RunsApi,
  Stopped,
} from '../service/api.ts';
import { runListQuery } from '../service/run-list.ts';
import type { LogLineView } from '../service/run-log.ts';
import type { RunService } from '../service/run-service.ts';
import type { RunView } from '../service/run-view.ts';
import { runViewer, viewRun } from '../service/run-view.ts';
import { RunWatch } from '../service/run-watch.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant } from '../service/schedule-input.ts';
import type { Store } from '../store/store.ts';
import { demandInput } from './define-handler.ts';
import type { EmbedViews } from './schedules.ts';
import type { InputFor, ResultOf, Runnable } from './typed-run.ts';

/** Work to enqueue, with the fields of a schedule's action. */
export interface WorkInput extends Pick<ActionInput, Exclude<keyof typeof queuedWork, 'run'>> {
  /** The name of a handler, or what `handle` returned. */
  readonly run: NonNullable<ActionInput['run']>;
  /** The earliest time at which the run may start. */
  readonly at?: InstantInput;
  /** A repeated call with the same id within a day returns the same run. */
  readonly requestId?: string;
}

/** Work whose input has the type that its handler accepts; `Run` and `Data` are inferred from `run` and `input`. */
export type TypedWork<Run, Data> = Omit<WorkInput, 'run' | 'input'> & {
  readonly run: Run;
} & InputFor<Run, Data>;

/** A run whose handler types its result. */
export type RunOf<Result> = Omit<RunView, 'result'> & { readonly result?: Result | null };

export interface RunsOptions {
  readonly service: RunService;
  readonly store: Store;
  readonly clock: Clock;
  readonly namespace: string;
}

const workInput = needed(
  z.strictObject({
    ...queuedWork,
    at: field(instantShape, instantFix),
    requestId: field(z.string().min(1).max(1000), 'write a text of 1 to 1000 characters'),
  }),
  "give one object, e.g. { run: 'report', input: { team: 'sales' } }",
);

/** The lines of one read of a log. */
const linesPerPage = 500;

export interface EmbedStopOptions extends RunStopOptions {
  /** The actor in the audit log. Default `embedded`. */
  readonly actor?: string;
}

/** The runs of one namespace: queued, awaited, stopped, repeated. */
export class Runs implements RunsApi<EmbedViews, WorkInput> {
  readonly #service: RunService;
  readonly #watch: RunWatch;
  readonly #namespace: string;

  constructor(options: RunsOptions) {
    this.#service = options.service;
    this.#watch = new RunWatch({ store: options.store, clock: options.clock });
    this.#namespace = options.namespace;
  }

  /** One run with its payloads. */
  async get(id: string): Promise<RunView> {
    return viewRun(await this.#service.find({ namespace: this.#namespace, id }));
  }

  /** Lists runs, newest first. */
  async list(filters: RunFilters = {}): Promise<Page<RunView>> {
    const query = runListQuery(filters);
    const page = await this.#service.list({ namespace: this.#namespace, ...query });
    return { items: page.items.map(runViewer(query.include)), next: page.next };
  }

  /** Iterates over the runs of all pages. */
  each(filters: RunFilters = {}): AsyncGenerator<RunView, void, undefined> {
    return eachItem((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }

  /** Enqueues work. */
  async enqueue<Run extends Runnable = string, Data = unknown>(
    work: TypedWork<Run, Data>,
  ): Promise<RunOf<ResultOf<Run>>> {
    const parsed = workInput.safeParse(work, reporting);
    if (!parsed.success)
      throw ServiceError.invalid(parsed.error.issues.map((issue) => shapeProblem(issue, workInput)));
    const { at, requestId, ...action } = work as WorkInput;
    await demandInput(action.run, action.input);
    const run = await this.#service.enqueue(this.#namespace, {
      action,
      ...given({ at: at === undefined ? undefined : readInstant(at, 'at'), requestId }),
    });
    // The run has no result yet; the handler's type says what it will be.
    return viewRun(run) as RunOf<ResultOf<Run>>;
  }

  /** Resolves when the run has ended, however it ended. */
  wait<Result>(run: RunOf<Result>, options?: { readonly signal?: AbortSignal }): Promise<RunOf<Result>>;
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<RunView>;
  async wait(
    which: string | Pick<RunView, 'id'>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<RunView> {
    const id = typeof which === 'string' ? which : which.id;
    const { signal = new AbortController().signal } = options;
    signal.throwIfAborted();
    const run = await this.#service.get({ namespace: this.#namespace, id });
    try {
      return viewRun(await this.#watch.untilDone(run, { forMs: Number.POSITIVE_INFINITY, signal }));
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** The lines that the attempts of the run logged, oldest first; with `follow`, until the run has ended. */
  async *log(id: string, options: LogOptions = {}): AsyncGenerator<LogLineView, void, undefined> {
    const { attempt, follow = false, signal = new AbortController().signal } = options;
    const name = { namespace: this.#namespace, id };
    const waiting = follow ? { forMs: Number.POSITIVE_INFINITY, signal } : undefined;
    let after: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const query = { limit: linesPerPage, ...given({ attempt, after }) };
      const page = await this.#service.log(name, query, waiting);
      yield* page.items;
      if (page.isComplete || (!follow && page.items.length === 0)) return;
      after = page.cursor ?? undefined;
    }
  }

  /** Starts the work of a finished run again, with the same input, as a new run that names it in `againOf`. */
  async again(id: string, options: AgainOptions & { readonly actor?: string } = {}): Promise<RunView> {
    const { actor, note, requestId } = options;
    const caller = { ...by(actor), ...given({ note, requestId }) };
    return viewRun(await this.#service.again({ namespace: this.#namespace, id }, caller));
  }

  /**
   * Asks the run's handler to stop by aborting its signal. A waiting run ends at once. Runs of other namespaces are
   * not found.
   */
  async cancel(id: string, options: EmbedStopOptions = {}): Promise<Stopped> {
    const { reason = 'cancelled', actor } = options;
    return await this.#service.cancel({ namespace: this.#namespace, id }, reason, by(actor));
  }

  /** Ends the run at once and ignores what its handler still does. */
  async terminate(id: string, options: EmbedStopOptions = {}): Promise<Stopped> {
    const { reason = 'terminated', actor } = options;
    return await this.#service.terminate({ namespace: this.#namespace, id }, reason, by(actor));
  }

  /** Removes a finished run with its log before retention does; refused for a run that has not ended. */
  async delete(id: string, options: EmbedStopOptions = {}): Promise<void> {
    const { reason: note, actor } = options;
    await this.#service.remove({ namespace: this.#namespace, id }, { ...by(actor), ...given({ note }) });
  }
}

/** The audit log records who stops a run, as for every change of a schedule. */
function by(actor = 'embedded') {
  return { actor, door: 'embed' };
}
