/**
 * The registry of periodic tasks: the tasks that this process declares, checked and frozen. They are in memory only
 * and have no effect until the registry is attached to a Carillon. Messages are those of the original registry.
 */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { day } from '../base/time.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant, readScheduleInput } from '../service/schedule-input.ts';
import type { CompiledSpec } from '../spec/index.ts';
import { budgetOf, compileSpec, unitsPerTurn } from '../spec/index.ts';
import { checkTask, invalidTask } from './check-task.ts';
import type { PeriodicTask, RegisteredTask, TypedTask } from './task.ts';
import { scheduleOf } from './translate.ts';

/** A daily task still runs after a day without any process; `once` limits how many missed occurrences run. */
export const defaultMisfireWindow = day;

export class PeriodicRegistry {
  readonly #tasks = new Map<string, RegisteredTask>();
  readonly #compiled = new WeakMap<RegisteredTask, CompiledSpec>();
  readonly #listeners = new Set<(task: RegisteredTask) => void>();

  /**
   * Registers a frozen copy of the task. Throws an error that names every problem when the task is invalid or its id
   * is taken; then nothing has changed.
   */
  register(task: PeriodicTask): RegisteredTask {
    const registered = completeTask(task);
    const problems = checkTask(registered);
    if (problems.length > 0) throw invalidTask(problems);
    const { id } = registered;
    if (this.#tasks.has(id)) {
      throw new ServiceError({
        code: 'alreadyExists',
        reason: 'ALREADY_EXISTS',
        message: `schedule with ID ${id} already exists`,
        problems: [
          { path: 'id', reason: 'ALREADY_EXISTS', message: `schedule with ID ${id} already exists` },
        ],
      });
    }
    const frozen = freeze(registered);
    // A listener may refuse as well: handlers cannot be added to a started Carillon.
    for (const listener of this.#listeners) listener(frozen);
    this.#tasks.set(id, frozen);
    return frozen;
  }

  /** Like `register`, for the top level of a module, where an invalid task should end the program. */
  mustRegister(task: PeriodicTask): RegisteredTask {
    try {
      return this.register(task);
    } catch (error) {
      const { code, reason, message, problems } = ServiceError.from(error);
      throw new ServiceError({
        code,
        reason,
        message: `failed to register schedule: ${message}`,
        problems,
        cause: error,
      });
    }
  }

  /** A task with its code: the payload's type is the handler's. */
  task<const Payload = undefined>(task: TypedTask<Payload>): RegisteredTask {
    return this.register(task as PeriodicTask);
  }

  get(id: string): RegisteredTask | undefined {
    return this.#tasks.get(id);
  }

  /** Lists the tasks in the order of their ids, so that every process has the same order. */
  list(): readonly RegisteredTask[] {
    return [...this.#tasks.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get count(): number {
    return this.#tasks.size;
  }

  /**
   * The next occurrence strictly after `after`, without jitter; null when there is none. Throws `SPEC_BUDGET_EXCEEDED` instead of
   * searching for longer than a process with other work can afford.
   */
  nextRun(task: string | PeriodicTask, after: InstantInput): Instant | null {
    const registered = this.#find(task);
    const compiled = this.#compiled.get(registered) ?? compileTask(registered);
    this.#compiled.set(registered, compiled);
    const budget = budgetOf(unitsPerTurn);
    return compiled.next(readInstant(after, 'after'), { budget })?.nominal ?? null;
  }

  /** Calls the listener for each later task, before the task is registered. Returns an unsubscribe function. */
  onRegister(listener: (task: RegisteredTask) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #find(task: string | PeriodicTask): RegisteredTask {
    if (typeof task === 'string') {
      const found = this.#tasks.get(task);
      if (found !== undefined) return found;
      throw new ServiceError({
        code: 'notFound',
        reason: 'NOT_FOUND',
        message: `no schedule with ID ${task}`,
      });
    }
    if (this.#tasks.get(task.id) === task) return task as RegisteredTask;
    const completed = completeTask(task);
    const problems = checkTask(completed);
    if (problems.length > 0) throw invalidTask(problems);
    return completed;
  }
}

/** Fills in the defaults and keeps all given values. */
export function completeTask(task: PeriodicTask): RegisteredTask {
  const { missed = 'once', overlap = missed === 'once' || missed === 'skip' ? 'skip' : 'queueAll' } = task;
  return {
    ...task,
    job: task.job ?? (task.run === undefined ? '' : task.id),
    priority: orDefault(task.priority, 'normal'),
    timezone: orDefault(task.timezone, 'UTC'),
    enabled: task.enabled ?? true,
    description: task.description ?? '',
    missed,
    overlap,
    misfireWindow: task.misfireWindow ?? defaultMisfireWindow,
  };
}

export function compileTask(task: RegisteredTask): CompiledSpec {
  return compileSpec(readScheduleInput(scheduleOf(task)).spec);
}

/** An empty text counts as absent, as in the original registry. */
function orDefault<T extends string>(value: T | undefined, otherwise: T): T {
  return value === undefined || (value as string) === '' ? otherwise : value;
}

/** A copy that shares nothing with the caller's object. */
function freeze(task: RegisteredTask): RegisteredTask {
  const { run, ...data } = task;
  const copy = deepFreeze(structuredClone(data));
  return Object.freeze(run === undefined ? copy : { ...copy, run });
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
