/** All use cases of runs, for any namespace. A run of another namespace is never found. */

import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { againOf } from '../runs/again.ts';
import type { RunOptions } from '../runs/run.ts';
import type { DoneBy } from '../runs/run-audit.ts';
import type { Stopped } from '../runs/run-queue.ts';
import { RunQueue } from '../runs/run-queue.ts';
import type { RunSettings } from '../scheduler/definition.ts';
import type { RunRow } from '../store/records.ts';
import type { Page } from '../store/store.ts';
import type { ActionInput } from './action-input.ts';
import { readAction } from './action-input.ts';
import { longestNamespace } from './limits.ts';
import { payloadProblems } from './payload-bounds.ts';
import { rehearse } from './rehearse.ts';
import type { AttemptView } from './run-attempts.ts';
import { readAttempts } from './run-attempts.ts';
import { runByBeginning } from './run-by-beginning.ts';
import type { RunListQuery } from './run-list.ts';
import { listRuns } from './run-list.ts';
import type { LogPage, LogPageQuery } from './run-log.ts';
import { RunLog } from './run-log.ts';
import type { RunName } from './run-not-found.ts';
import { runNotFound } from './run-not-found.ts';
import type { Patience } from './run-watch.ts';
import { demandQueue } from './schedule-checks.ts';
import type { Caller } from './schedule-service.ts';
import type { WorkEffects } from './work-effects.ts';
import { workEffectsOf } from './work-effects.ts';

export interface QueuedWork {
  readonly action: ActionInput;
  /** The earliest time at which the run may start. */
  readonly at?: Instant;
  /** A repeated call with the same id within a day returns the same run. */
  readonly requestId?: string;
}

/** Work that a person or another system starts under its own id. */
export interface NamedWork extends Pick<RunOptions, 'lastResult' | 'lastFailure' | 'origin'> {
  readonly id: string;
  readonly requestId: string;
  readonly queue: string;
  readonly name: string;
  readonly input: unknown;
  readonly priority: number;
  readonly settings: RunSettings;
  readonly at?: Instant;
}

export interface RunServiceOptions {
  readonly engine: Engine;
  readonly newId: () => string;
}

export class RunService {
  readonly #engine: Engine;
  readonly #queue: RunQueue;
  readonly #log: RunLog;

  constructor({ engine, newId }: RunServiceOptions) {
    this.#engine = engine;
    // The queue has no state outside the store, so any number of instances may exist.
    this.#queue = new RunQueue({ engine, newId });
    this.#log = new RunLog({ store: engine.store, clock: engine.clock });
  }

  async get(name: RunName): Promise<RunRow> {
    const { items } = await this.#engine.store.runs({ ids: [name.id], limit: 1 });
    const [run] = items;
    if (run === undefined || run.namespace !== name.namespace) throw runNotFound(name);
    return run;
  }

  /** The run with this id, or the only one whose id begins so. */
  async find(name: RunName): Promise<RunRow> {
    const { items } = await this.#engine.store.runs({ ids: [name.id], limit: 1 });
    const [run] = items;
    return run?.namespace === name.namespace ? run : await runByBeginning(this.#engine.store, name);
  }

  /** The attempts of a run, oldest first. */
  async attempts(name: RunName): Promise<readonly AttemptView[]> {
    return await readAttempts(this.#engine.store, await this.get(name));
  }

  /** The lines that the attempts of a run wrote, oldest first. With `waiting`, waits for lines while there are none. */
  async log(name: RunName, query: LogPageQuery, waiting?: Patience): Promise<LogPage> {
    await this.get(name);
    return waiting === undefined
      ? await this.#log.page(name.id, query)
      : await this.#log.next(name.id, query, waiting);
  }

  /** The runs of a namespace, newest first. */
  async list({ namespace, ...query }: RunListQuery & { readonly namespace: string }): Promise<Page<RunRow>> {
    return await listRuns(this.#engine.store, { namespace }, query);
  }

  /** Enqueues work. It is audited only when `by` is given; a program that enqueues its own work need not be audited. */
  async enqueue(namespace: string, { action, at, requestId }: QueuedWork, by?: DoneBy): Promise<RunRow> {
    const problems: Problem[] = [...payloadProblems(action)];
    if (problems.length > 0) throw ServiceError.invalid(problems);
    if (namespace === '' || namespace.length > longestNamespace) problems.push(badNamespace);
    const read = readAction(action, problems);
    if (read === undefined || problems.length > 0) throw ServiceError.invalid(problems);
    const { queue, name, input, priority, settings } = read;
    const work = {
      namespace,
      queue,
      name,
      input,
      priority,
      options: { ...settings, ...(requestId === undefined ? {} : { requestId }) },
      ...(at === undefined ? {} : { availableAt: at }),
    };
    return await this.#queue.enqueue(work, by);
  }

  /**
   * Starts the work of a finished run again, with the same input, as a new run that names the first one in `againOf`. The schedule
   * of the first run is not told of it.
   */
  async again(name: RunName, by: Caller): Promise<RunRow> {
    const run = await this.get(name);
    demandQueue(run.queue, by);
    demandFinished(run);
    const { requestId } = by;
    const work = againOf(run);
    const options = { ...work.options, ...given({ requestId }) };
    return await this.#queue.enqueue({ ...work, options }, by, 'again');
  }

  /** Starts work under an id of the caller's, which no other unfinished run of the namespace may have. */
  async startAs(namespace: string, work: NamedWork, by: DoneBy): Promise<RunRow> {
    const { id, requestId, queue, name, input, priority, settings, at, ...kept } = work;
    return await this.#queue.enqueue(
      {
        namespace,
        alias: id,
        exclusive: true,
        queue,
        name,
        input,
        priority,
        options: { ...settings, ...kept, workflowId: id, requestId },
        ...given({ availableAt: at }),
      },
      by,
    );
  }

  /** Asks the run's handler to stop. A waiting run ends at once. */
  async cancel(name: RunName, reason: string, by: DoneBy): Promise<Stopped> {
    await this.get(name);
    const [stopped] = await this.#queue.cancel([name.id], reason, { note: reason, ...by });
    return stopped as Stopped;
  }

  /** Ends the run at once and ignores what its handler still does. */
  async terminate(
    name: RunName,
    reason: string,
    by: DoneBy & { readonly details?: unknown },
  ): Promise<Stopped> {
    await this.get(name);
    const { details, ...who } = by;
    const why = { reason, ...given({ details }) };
    const [stopped] = await this.#queue.terminate([name.id], why, { note: reason, ...who });
    return stopped as Stopped;
  }

  /** What a change would do: `change` is called with a caller under whose name nothing is written. */
  async effects(by: Caller, change: (by: Caller) => Promise<unknown>): Promise<WorkEffects> {
    return workEffectsOf(await rehearse(by, change));
  }

  /** Removes a finished run with its lines before retention does; refused for a run that has not ended. */
  async remove(name: RunName, by: DoneBy): Promise<void> {
    demandFinished(await this.get(name));
    await this.#queue.remove([name.id], by);
  }

  /** Removes any run; a run that has not ended is terminated first. */
  async delete(name: RunName, reason: string, by: DoneBy): Promise<void> {
    const who = { note: reason, ...by };
    // The end of a run is reported to its schedule in a separate commit, because a commit writes a row once.
    await this.terminate(name, reason, who);
    await this.#queue.remove([name.id], who);
  }
}

function demandFinished({ id, state }: RunRow): void {
  if (state === 'done') return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'RUN_NOT_FINISHED',
    message: `the run '${id}' has not ended; wait for its end, or cancel it`,
  });
}

const badNamespace: Problem = {
  path: 'namespace',
  reason: 'BAD_NAMESPACE',
  message: `a namespace must have 1 to ${longestNamespace} characters`,
  fix: 'write a short name such as default',
};
