/** A job on a BullMQ queue as a schedule asks for it. */
import type { Problem } from '../base/error.ts';

export interface BullmqInput {
  readonly queue: string;
  /** Name of the job. Default the schedule's id. */
  readonly name?: string;
  /** JSON; why the job exists is added under `_schedule`. */
  readonly data?: unknown;
  readonly opts?: BullmqJobOptions;
  /** Name of a connection that the process is configured with; addresses and passwords have no place in a schedule. Default `default`. */
  readonly connection?: string;
}

/** What of BullMQ's job options makes sense for a job whose id and time are the schedule's. */
export interface BullmqJobOptions {
  /** BullMQ's own, 1 is first. Default from the action's priority: high 1, normal 5, low 10. */
  readonly priority?: number;
  /** Attempts that BullMQ makes. Default one. */
  readonly attempts?: number;
  readonly backoff?: number | { readonly type: string; readonly delay?: number };
  readonly lifo?: boolean;
  /** Seconds and jobs for which BullMQ keeps the job: it is how a repeated request is recognised. Default a day. */
  readonly removeOnComplete?: { readonly age: number; readonly count?: number };
  /** Default seven days. */
  readonly removeOnFail?: { readonly age: number; readonly count?: number };
  readonly sizeLimit?: number;
  readonly stackTraceLimit?: number;
}

export function bullmqProblems({ queue, name }: BullmqInput): readonly Problem[] {
  const problems: Problem[] = [];
  // Colons separate the parts of BullMQ's keys.
  if (queue.includes(':')) {
    const message = `'${queue}' cannot name a queue: it has a colon`;
    problems.push({
      path: 'bullmq.queue',
      reason: 'BAD_NAME',
      message,
      fix: `write ${queue.replaceAll(':', '-')}`,
    });
  }
  if (name?.trim() === '') {
    const fix = 'leave it out to use the id of the schedule';
    problems.push({ path: 'bullmq.name', reason: 'BAD_NAME', message: 'names no job', fix });
  }
  return problems;
}
