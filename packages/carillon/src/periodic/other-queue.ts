/**
 * The port to any other queue: tasks without code here are handed to it, with the same job id for every attempt of an occurrence, the
 * same data and the same rules for errors as jobs on BullMQ. The run ends when the port has taken the job.
 */

import { enqueueFailed } from '../action/enqueue-failure.ts';
import { jobKinds } from '../action/kind.ts';
import type { JobOrigin } from '../action/slot-job.ts';
import { jobData, slotJobId } from '../action/slot-job.ts';
import type { Instant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { RegisteredTask, TaskPriority } from './task.ts';

/** A job for another queue. */
export interface OutgoingJob {
  /** The same for every attempt of an occurrence: let the queue refuse or ignore an id that it has. */
  readonly id: string;
  /** The `job` of the task. */
  readonly name: string;
  /** The `queue` of the task, or `default`. */
  readonly queue: string;
  /** The payload of the task, with its origin under `_schedule`; a payload that is not an object is under `value`. */
  readonly data: { readonly _schedule: JobOrigin };
  readonly priority: TaskPriority;
  /** When the occurrence was due. */
  readonly scheduledAt: Instant;
  /** Aborts when the job must not be handed over any more. */
  readonly signal: AbortSignal;
}

/**
 * Hands a job to another queue; what it returns is the result of the run. When it throws, the job is handed over again under the
 * same id (ten attempts unless the task has `retry`). An error with `isUnsent: true` says that nothing can have arrived: after the last
 * attempt the occurrence then counts as not started.
 */
export type EnqueueJob = (job: OutgoingJob) => unknown | Promise<unknown>;

const attempts = 10;

/** Whether a task is handed to the port: no code runs it here, and it names no other target. */
export function isOutgoing(task: RegisteredTask): boolean {
  return task.run === undefined && jobKinds.every((kind) => task[kind] === undefined);
}

/** The declaration of such a task with the attempts that work elsewhere has by default. */
export function outgoingTask(task: RegisteredTask): RegisteredTask {
  return isOutgoing(task) ? { ...task, retry: { attempts, ...task.retry } } : task;
}

export async function hand(enqueue: EnqueueJob, context: RunContext, now: Instant): Promise<unknown> {
  const { name, queue, input, priority, scheduledAt, signal } = context;
  const job: OutgoingJob = {
    id: slotJobId(context),
    name,
    queue,
    data: jobData(context, input ?? {}, now),
    priority: priority > 0 ? 'high' : priority < 0 ? 'low' : 'normal',
    scheduledAt,
    signal,
  };
  try {
    return (await enqueue(job)) ?? { jobId: job.id };
  } catch (error) {
    if (signal.aborted) throw error;
    const isUnsent = (error as { readonly isUnsent?: unknown } | null)?.isUnsent === true;
    throw enqueueFailed(context, { where: `job '${job.id}' of the queue '${queue}'`, error, isUnsent });
  }
}
