/**
 * The tasks in force, by id, as this process knows them: declared in code, overridden, or added by any process at run time. Events name a
 * schedule only; this table says which task it is, and reads an unknown one once.
 */
import type { Carillon } from '../embed/carillon.ts';
import { effectiveTask, memoOf } from './ownership.ts';
import type { UnreadableTask } from './stored-task.ts';
import { storedTask, storedTasks } from './stored-task.ts';
import type { RegisteredTask } from './task.ts';

/** The most schedules of others that are remembered; beyond, they are read again. */
const mostOtherSchedules = 10_000;

export class LiveTasks {
  readonly #carillon: Carillon;
  readonly #owner: string;
  readonly #tasks = new Map<string, RegisteredTask>();
  /** Schedules that are not tasks of this owner. */
  readonly #others = new Set<string>();

  constructor(carillon: Carillon, owner: string) {
    this.#carillon = carillon;
    this.#owner = owner;
  }

  get ids(): Iterable<string> {
    return this.#tasks.keys();
  }

  get(id: string): RegisteredTask | undefined {
    return this.#tasks.get(id);
  }

  set(task: RegisteredTask): void {
    this.#tasks.set(task.id, task);
    this.#others.delete(task.id);
  }

  delete(id: string): void {
    this.#tasks.delete(id);
  }

  /** Whether the schedule is known not to be a task of this owner. */
  isOther(id: string): boolean {
    return this.#others.has(id);
  }

  /** Reads all tasks anew. Returns those that cannot be read. */
  async load(): Promise<readonly UnreadableTask[]> {
    this.#tasks.clear();
    this.#others.clear();
    const { tasks, unreadable } = await storedTasks(this.#carillon, this.#owner);
    for (const { id, definition } of tasks) {
      const memo = memoOf(definition);
      if (memo !== undefined) this.#tasks.set(id, effectiveTask(memo.declared, memo.overrides));
    }
    return unreadable;
  }

  /** Reads a task that is not known: another process may have added it at run time. Undefined for a schedule of others. */
  async find(id: string): Promise<RegisteredTask | undefined> {
    const stored = await storedTask(this.#carillon, id);
    const memo = stored === undefined ? undefined : memoOf(stored.definition);
    if (memo === undefined || stored?.definition.owner !== this.#owner) {
      if (this.#others.size >= mostOtherSchedules) this.#others.clear();
      this.#others.add(id);
      return undefined;
    }
    const task = effectiveTask(memo.declared, memo.overrides);
    this.#tasks.set(id, task);
    return task;
  }
}
