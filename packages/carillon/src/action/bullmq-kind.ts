/** `bullmq`: the fields of a schedule that starts a job on a BullMQ queue. */
import { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { field, type InputOf, needed } from '../base/fields.ts';
import { given } from '../base/given.ts';
import type { Job } from './action-kind.ts';
import { workElsewhere } from './action-kind.ts';

/** Jobs are always kept for a while, because a repeated request is recognised by the existing job. */
const kept = z.strictObject({ age: z.int().min(1), count: z.int().min(1).optional() });
const keptFix = 'write e.g. { age: 86400 }: seconds for which finished jobs are kept';
const backoff = z.strictObject({ type: z.string().min(1), delay: z.int().min(0).optional() });

const deduplication = z.strictObject({
  id: z.string().min(1).max(1000),
  ttl: z.int().min(1).optional(),
  extend: z.boolean().optional(),
  replace: z.boolean().optional(),
});

/** The job options of BullMQ that apply to a job whose id and time come from the schedule. */
const options = {
  /**
   * BullMQ's priority, 1 is first. 0, which would go before all others, is refused. Default from the action's priority:
   * high 1, normal 5, low 10.
   */
  priority: field(z.int().min(1).max(2_097_152), 'write a whole number of at least 1'),
  /** The attempts that BullMQ makes. Default one. */
  attempts: field(z.int().min(1).max(1_000_000), 'write a whole number of at least 1'),
  backoff: field(z.union([z.int().min(0), backoff]), 'write milliseconds, or e.g. { type: "exponential" }'),
  /** Milliseconds that the job waits in the queue before a worker may take it. */
  delay: field(z.int().min(0), 'write milliseconds'),
  /** While a job with this id is in the queue (or for `ttl` milliseconds), no second one is added; the run follows the first. */
  deduplication: field(deduplication, "write e.g. { id: 'report', ttl: 60000 }"),
  lifo: field(z.boolean(), 'write true or false'),
  /**
   * How long (`age`, seconds) and how many (`count`) completed jobs BullMQ keeps. A repeated request is recognised by
   * the kept job. Default a day.
   */
  removeOnComplete: field(kept, keptFix),
  /** The same for failed jobs. Default seven days. */
  removeOnFail: field(kept, keptFix),
  sizeLimit: field(z.int().min(1), 'write a number of bytes'),
  stackTraceLimit: field(z.int().min(0), 'write a whole number'),
};

const fields = {
  queue: needed(z.string().min(1).max(255), 'write the name of a BullMQ queue'),
  /** The name of the job. Default the schedule's id. */
  name: field(z.string().min(1).max(255), 'write a name of 1 to 255 characters'),
  /** The data of the job, as JSON. The origin of the job is added under `_schedule`. */
  data: field(z.unknown(), 'write plain data'),
  opts: field(z.strictObject(options), 'write options of a BullMQ job'),
  /**
   * Whether the run lasts until the job has ended (default), so that overlap, result and failure are the job's. False: the run
   * is completed as soon as the job is in the queue.
   */
  follow: field(z.boolean(), 'write true or false'),
  /**
   * The name of a connection in the configuration of the process; a schedule must not hold addresses or passwords.
   * Default `default`.
   */
  connection: field(z.string().min(1).max(255), 'write the name of a connection'),
};

export interface BullmqJobOptions extends InputOf<typeof options> {}
export interface BullmqInput extends InputOf<typeof fields> {}

const redisUrl = z
  .string()
  .regex(/^rediss?:\/\//, { error: 'not the address of a Redis; write redis://host:6379' });

export const bullmqKind = {
  ...workElsewhere<'bullmq', BullmqInput>({
    kind: 'bullmq',
    schema: field(z.strictObject(fields), "write e.g. { queue: 'mail', name: 'digest' }"),
    problems: bullmqProblems,
    // The start of outside work is tried ten times before the slot fails.
    attempts: 10,
    summary: ({ queue, name }) =>
      `${name === undefined ? 'a job' : `job ${name}`} on the BullMQ queue ${queue}`,
    isTimed: () => false,
  }),
  ofJob: (target: Omit<BullmqInput, 'data'>, { name, payload: data }: Job): BullmqInput => ({
    name,
    ...target,
    ...given({ data }),
  }),
  settings: z
    .strictObject({
      /** The connection named `default`. */
      connection: redisUrl.optional(),
      /** Further connections, by the names that schedules use. */
      connections: z.record(z.string().min(1), redisUrl).optional(),
      /** The prefix of BullMQ's keys. */
      prefix: z.string().min(1).optional(),
      concurrency: z.int().min(1).max(100_000).optional(),
    })
    .optional(),
};

function bullmqProblems({ queue, name }: BullmqInput): readonly Problem[] {
  const problems: Problem[] = [];
  // Colons separate the parts of BullMQ's keys.
  if (queue.includes(':')) {
    const message = `'${queue}' is not a valid queue name: it contains a colon`;
    problems.push({
      path: 'bullmq.queue',
      reason: 'BAD_NAME',
      message,
      fix: `write ${queue.replaceAll(':', '-')}`,
    });
  }
  if (name?.trim() === '') {
    const fix = 'leave it out to use the id of the schedule';
    problems.push({ path: 'bullmq.name', reason: 'BAD_NAME', message: 'the name of the job is empty', fix });
  }
  return problems;
}
