/**
 * Connects a registry to a Carillon: its tasks become schedules of one owner. So the transaction that writes an
 * occurrence also claims it, on any store and with any number of processes; and a task has everything that a schedule
 * has (ledger, explain, pause, backfill, audit), under the same id.
 */
import { ServiceError } from '../base/error.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import { uniqueIds } from '../base/unique-id.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { ScheduleEvent } from '../service/event.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { Documents } from '../store/documents.ts';
import { checkTask, invalidTask } from './check-task.ts';
import { LiveTasks } from './live-tasks.ts';
import type { PeriodicLogger } from './log-lines.ts';
import { silentLogger, TaskLogLines } from './log-lines.ts';
import type { EnqueueJob } from './other-queue.ts';
import { outgoingTask } from './other-queue.ts';
import { memoFor, overrideTask } from './override-task.ts';
import { memoOf } from './ownership.ts';
import { completeTask, PeriodicRegistry } from './registry.ts';
import type { StateMirrorOptions } from './state-mirror.ts';
import { StateMirror } from './state-mirror.ts';
import { storedTask, storedTasks } from './stored-task.ts';
import type { PrunePolicy, RegistryRecord, SyncReport } from './sync.ts';
import { applyTask, otherOwner, syncTasks } from './sync.ts';
import type { PeriodicTask, RegisteredTask, TaskOverrides, TypedTask } from './task.ts';
import { TaskEvents } from './task-events.ts';
import { TaskHandlers } from './task-handlers.ts';
import type { Occurred } from './task-history.ts';
import { readTaskHistory } from './task-history.ts';
import type { TaskBrief, TaskState } from './task-state.ts';
import { readTaskBrief, readTaskState } from './task-state.ts';

/** The options of `createPeriodic`. */
export interface PeriodicOptions {
  /** The Carillon on whose store the tasks are schedules. */
  readonly carillon: Carillon;
  /** The registry of the tasks. Default: a new one. */
  readonly registry?: PeriodicRegistry;
  /** The owner of these tasks: the name of the service. Only tasks of this owner are pruned. Default `periodic`. */
  readonly owner?: string;
  /**
   * The version of the declarations. When two processes disagree, the higher version wins. Default 0: the last
   * process to start wins.
   */
  readonly version?: number;
  /** What happens to tasks that are no longer declared. Default `disable`. */
  readonly prune?: PrunePolicy;
  /** Receives a line for each start, end and change. Default: nothing is logged. */
  readonly logger?: PeriodicLogger;
  /** Takes the jobs of tasks that have neither `run` nor another target. Default: a worker of Carillon's queue does them. */
  readonly enqueue?: EnqueueJob;
  /** The name of this process in logs. Default the Carillon's name. */
  readonly instance?: string;
  /** Keeps the original registry's documented keys in a Redis. */
  readonly stateMirror?: StateMirrorOptions;
}

/** Who makes a change at run time, and why. */
export interface ActorOptions {
  readonly actor?: string;
  readonly note?: string;
}

/** The tasks that a program declares, brought in line with the store. */
export class Periodic implements Service, AsyncDisposable {
  /** The Carillon on whose store the tasks are schedules. */
  readonly carillon: Carillon;
  /** What the code has declared so far. */
  readonly registry: PeriodicRegistry;
  /** The owner of the declared tasks. */
  readonly owner: string;
  /** The version of the declaration. */
  readonly version: number;
  readonly #prune: PrunePolicy;
  readonly #enqueue: EnqueueJob | undefined;
  readonly #registries: Documents<RegistryRecord>;
  readonly #instance: string;
  readonly #lines: TaskLogLines;
  readonly #mirror: StateMirror | undefined;
  readonly #live: LiveTasks;
  readonly #events: TaskEvents;
  readonly #inOrder = new InOrder();
  readonly #stopListening: () => void;
  #running = false;

  constructor(options: PeriodicOptions) {
    const { carillon, registry = new PeriodicRegistry(), owner = 'periodic', version = 0 } = options;
    checkOptions(owner, version);
    const { clock, store } = internalsOf(carillon).runtime;
    this.carillon = carillon;
    this.registry = registry;
    this.owner = owner;
    this.version = version;
    this.#live = new LiveTasks(carillon, owner);
    this.#prune = options.prune ?? 'disable';
    this.#enqueue = options.enqueue;
    this.#instance = options.instance ?? carillon.name;
    this.#registries = new Documents({
      store,
      kind: 'periodicRegistry',
      newId: uniqueIds(clock),
    });
    this.#lines = new TaskLogLines({
      logger: options.logger ?? silentLogger,
      instance: this.#instance,
      nextRun: (task, after) => this.registry.nextRun(task, after),
    });
    const { stateMirror } = options;
    if (stateMirror !== undefined) {
      this.#mirror = new StateMirror({
        ...stateMirror,
        read: (id) => readTaskBrief(carillon, id),
        trouble: (error) => this.#lines.trouble(error),
      });
    }
    this.#events = new TaskEvents({ carillon, live: this.#live, lines: this.#lines, mirror: this.#mirror });
    const handlers = new TaskHandlers(carillon, this.#enqueue);
    for (const task of registry.list()) handlers.add(task);
    this.#stopListening = registry.onRegister((task) => handlers.add(task));
  }

  /** Declares a task; throws `ServiceError` with every problem of it. */
  register(task: PeriodicTask): RegisteredTask {
    return this.registry.register(task);
  }

  /** The same as `register`, under the name that Go programs know. */
  mustRegister(task: PeriodicTask): RegisteredTask {
    return this.registry.mustRegister(task);
  }

  /** A task with its code: the payload's type is the handler's. */
  task<const Payload = undefined>(task: TypedTask<Payload>): RegisteredTask {
    return this.registry.task(task);
  }

  /**
   * Syncs the schedules with the code, then starts the Carillon. Refused, before anything runs, when a schedule of
   * another owner has the id of a task.
   */
  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#running) return;
      this.#running = true;
      this.#events.start();
      const { failed } = await this.#sync();
      // A mistake in the code should fail the deploy; a schedule that is damaged in the store must not stop the
      // others.
      const mistakes = failed.filter(({ reason }) => reason === otherOwner);
      if (mistakes.length > 0) throw syncFailed(mistakes);
      await this.carillon.start();
      this.#lines.started({ count: this.registry.count, owner: this.owner });
    });
  }

  /** Stops the Carillon, which lets running jobs finish, up to `drainMs`, and releases the rest. */
  stop(options: { readonly drainMs?: number } = {}): Promise<void> {
    return this.#inOrder.run(async () => {
      this.#stopListening();
      if (this.#running) this.#lines.stopping({ count: this.registry.count });
      // The mirror finishes its reads while the store is still open.
      await internalsOf(this.carillon).runtime.engine.stop();
      await this.#mirror?.close();
      await this.carillon.stop(options);
      this.#events.stop();
      this.#running = false;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /**
   * Upserts the registered tasks and prunes the others. `start` calls it; call it again after registering more tasks
   * at run time. When a task cannot be synced, it finishes the others and then throws.
   */
  sync(): Promise<SyncReport> {
    return this.#inOrder.run(async () => {
      const report = await this.#sync();
      if (report.failed.length > 0) throw syncFailed(report.failed);
      return report;
    });
  }

  /** One task with its next and last times. */
  async state(id: string): Promise<TaskState> {
    return await readTaskState(this.carillon, id);
  }

  /**
   * The state of every task of this owner, by id, including tasks made at run time and tasks that are no longer
   * declared.
   */
  async states(): Promise<readonly TaskState[]> {
    const { tasks } = await storedTasks(this.carillon, this.owner);
    const states: TaskState[] = [];
    for (const { id } of tasks) states.push(await this.state(id));
    return states;
  }

  /** Like `states`, without the fields that need many rows, for callers that ask often. */
  async briefs(): Promise<readonly TaskBrief[]> {
    const { tasks } = await storedTasks(this.carillon, this.owner);
    const briefs: TaskBrief[] = [];
    for (const { id } of tasks) briefs.push(await readTaskBrief(this.carillon, id));
    return briefs;
  }

  /** The verdicts of the task's last occurrences, newest first. */
  async history(id: string, limit = 100): Promise<readonly Occurred[]> {
    return await readTaskHistory(this.carillon, id, limit);
  }

  /** Starts one job now, marked `manual`, without any effect on the schedule. */
  async trigger(id: string, options: ActorOptions = {}): Promise<void> {
    await this.carillon.schedules.trigger(id, options);
  }

  /** Pauses a task until a person resumes it; a deploy does not. */
  async pause(
    id: string,
    note = '',
    options: ActorOptions & { readonly until?: InstantInput } = {},
  ): Promise<void> {
    await this.carillon.schedules.pause(id, { note, ...options });
  }

  /**
   * Resumes a task, also one that the code disabled; it stays resumed until the declared `enabled` changes. Missed
   * occurrences do not run.
   */
  async resume(id: string, note = '', options: ActorOptions = {}): Promise<void> {
    await this.carillon.schedules.resume(id, { note, ...options });
  }

  /** Changes fields of a task until `clearOverrides`, also across deploys. New overrides replace the earlier ones. */
  async override(id: string, overrides: TaskOverrides, options: ActorOptions = {}): Promise<void> {
    await overrideTask(this.carillon, id, overrides, options);
    await this.#loadTasks();
    this.#mirror?.touch([id]);
  }

  /** Removes all overrides: the declaration is in force again. */
  async clearOverrides(id: string, options: ActorOptions = {}): Promise<void> {
    await this.override(id, {}, options);
  }

  /** The overrides of a task. */
  async overrides(id: string): Promise<TaskOverrides> {
    return memoFor(await this.carillon.schedules.describe(id), id).overrides;
  }

  /** Adds a task that no code declares. It is stored and never pruned; adding it again replaces it. */
  async add(task: Omit<PeriodicTask, 'run'>): Promise<void> {
    const completed = completeTask(task);
    const problems = checkTask(completed);
    if (problems.length > 0) throw invalidTask(problems);
    const present = await storedTask(this.carillon, task.id);
    if (present !== undefined && memoOf(present.definition)?.source === 'code') {
      throw new ServiceError({
        code: 'alreadyExists',
        reason: 'OWNED_BY_CODE',
        message: `schedule with ID ${task.id} already exists: code declares it; use override`,
      });
    }
    // Tasks made at run time belong to no deploy, so they have no version.
    await applyTask(completed, this, { owner: this.owner, version: 0, source: 'runtime' });
    this.#live.set(completed);
    this.#mirror?.touch([task.id]);
  }

  /** Removes a task that was added at run time. */
  async remove(id: string, options: ActorOptions = {}): Promise<void> {
    const { source } = memoFor(await this.carillon.schedules.describe(id), id);
    if (source === 'code') {
      throw new ServiceError({
        code: 'failedPrecondition',
        reason: 'OWNED_BY_CODE',
        message: `schedule '${id}' is declared in code and would come back; pause it, or remove it there`,
      });
    }
    await this.carillon.schedules.delete(id, options);
    this.#live.delete(id);
    this.#mirror?.removed([id]);
  }

  /**
   * Calls the listener after each durable event of these tasks that this process decided. Returns an unsubscribe
   * function.
   */
  subscribe(listener: (event: ScheduleEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  /** Resolves when the mirror in Redis shows everything that this process knows. */
  async settled(): Promise<void> {
    await this.#mirror?.settle();
  }

  async #sync(): Promise<SyncReport> {
    const declared = this.registry.list();
    const tasks = this.#enqueue === undefined ? declared : declared.map(outgoingTask);
    const report = await syncTasks(tasks, {
      carillon: this.carillon,
      owner: this.owner,
      version: this.version,
      prune: this.#prune,
      registries: this.#registries,
      instance: this.#instance,
    });
    await this.#loadTasks();
    const { created, updated, unchanged, pruned, failed, supersededBy } = report;
    this.#lines.synced({
      created: created.length,
      updated: updated.length,
      unchanged: unchanged.length,
      pruned: pruned.length,
      superseded_by: supersededBy,
    });
    if (this.#prune === 'delete') this.#mirror?.removed(pruned);
    this.#mirror?.touch(this.#live.ids);
    for (const { path, message } of failed) this.#lines.syncFailed(path, message);
    return report;
  }

  /** Loads the tasks in force, including those that other processes added. */
  async #loadTasks(): Promise<void> {
    for (const { id, error } of await this.#live.load()) this.#lines.trouble(error, id);
  }
}

/** Creates a registry on a Carillon, ready to take tasks. */
export function createPeriodic(options: PeriodicOptions): Periodic {
  return new Periodic(options);
}

function syncFailed(failed: SyncReport['failed']): ServiceError {
  const told = failed.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'SYNC_FAILED',
    message: `${failed.length} of the schedules could not be synced: ${told}`,
    problems: failed,
  });
}

function checkOptions(owner: string, version: number): void {
  if (owner === '' || owner.length > 255) {
    throw ServiceError.invalid([
      {
        path: 'owner',
        reason: 'BAD_OWNER',
        message: 'the owner must have 1 to 255 characters',
        fix: 'write the name of the service',
      },
    ]);
  }
  if (Number.isSafeInteger(version) && version >= 0) return;
  throw ServiceError.invalid([
    {
      path: 'version',
      reason: 'BAD_VERSION',
      message: `${version} is not a valid version`,
      fix: 'give a whole number that grows with every deploy, such as a build number',
    },
  ]);
}
