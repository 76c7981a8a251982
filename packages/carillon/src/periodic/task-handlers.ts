/** Registers the code of tasks as handlers of a Carillon: the task's own, or one that hands the job to another queue. */
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { RunContext } from '../runs/context.ts';
import type { EnqueueJob } from './other-queue.ts';
import { hand, isOutgoing } from './other-queue.ts';
import type { RegisteredTask, TaskContext } from './task.ts';
import { triggerOf } from './task.ts';

export class TaskHandlers {
  readonly #carillon: Carillon;
  readonly #enqueue: EnqueueJob | undefined;
  /** Queues and names whose jobs are handed to the other queue. */
  readonly #outgoing = new Set<string>();

  constructor(carillon: Carillon, enqueue: EnqueueJob | undefined) {
    this.#carillon = carillon;
    this.#enqueue = enqueue;
  }

  add(task: RegisteredTask): void {
    const { run, job, queue } = task;
    const { clock } = internalsOf(this.#carillon).runtime;
    const enqueue = this.#enqueue;
    const key = `${queue ?? ''}\0${job}`;
    const options = queue === undefined ? {} : { queue };
    if (enqueue !== undefined && isOutgoing(task) && !this.#outgoing.has(key)) {
      this.#outgoing.add(key);
      this.#carillon.handle(job, (context: RunContext) => hand(enqueue, context, clock.now()), options);
    }
    if (run === undefined) return;
    this.#carillon.handle(
      job,
      (context: RunContext) => run(taskContext(context, clock.now()) as TaskContext<never>),
      options,
    );
  }
}

function taskContext(context: RunContext, now: TaskContext['actualAt']): TaskContext {
  const { input, ...rest } = context;
  return {
    ...rest,
    payload: input,
    trigger: triggerOf(context.cause),
    actualAt: now,
    get signal() {
      return context.signal;
    },
  };
}
