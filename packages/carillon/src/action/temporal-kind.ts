/** `temporal`: the fields of a schedule that starts a workflow on a Temporal cluster. */
import { z } from 'zod';
import { durationFix, field, type InputOf, needed, timeoutShape } from '../base/fields.ts';
import { workElsewhere } from './action-kind.ts';

const name = z.string().min(1).max(1000);
const record = z.record(z.string().min(1).max(1000), z.unknown());
const retry = z.strictObject({
  maximumAttempts: z.int().min(0).optional(),
  initialInterval: timeoutShape.optional(),
  maximumInterval: timeoutShape.optional(),
  backoffCoefficient: z.number().min(1).optional(),
  nonRetryableErrorTypes: z.array(z.string()).optional(),
});

const fields = {
  workflowType: needed(name, 'write the name of a workflow type'),
  taskQueue: needed(name, 'write the name of a task queue'),
  /** The arguments of the workflow. Default the schedule's input as its only argument. */
  args: field(z.array(z.unknown()).max(100), 'write a list of arguments'),
  memo: field(record, 'write names with plain data'),
  /** Custom search attributes, which must be registered on the cluster. */
  searchAttributes: field(record, 'write names with values'),
  headers: field(record, 'write names with plain data'),
  executionTimeout: field(timeoutShape, durationFix),
  runTimeout: field(timeoutShape, durationFix),
  taskTimeout: field(timeoutShape, durationFix),
  /** The retries that the cluster makes. */
  retryPolicy: field(retry, 'write e.g. { maximumAttempts: 3 }'),
  /** 1 is the most urgent, 5 the least. */
  priorityKey: field(z.int().min(1).max(5), 'write a number from 1 to 5'),
  summary: field(z.string().max(400), 'write at most 400 characters'),
  /**
   * The name of a cluster in the configuration of the process; a schedule must not hold addresses or keys. Default `default`.
   */
  cluster: field(z.string().min(1).max(255), 'write the name of a cluster'),
  /** The namespace on the cluster. Default that of the configuration, otherwise `default`. */
  namespace: field(name, 'write the name of a namespace'),
  /**
   * Whether the run lasts until the workflow has ended (default), so that overlap, result and failure are the workflow's. False:
   * the run is completed as soon as the workflow has started.
   */
  follow: field(z.boolean(), 'write true or false'),
};

export interface TemporalInput extends InputOf<typeof fields> {}

const cluster = z.strictObject({
  address: z.string().min(1),
  namespace: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  tls: z.boolean().optional(),
});

export const temporalKind = {
  ...workElsewhere<'temporal', TemporalInput>({
    kind: 'temporal',
    schema: field(z.strictObject(fields), "write e.g. { workflowType: 'report', taskQueue: 'reports' }"),
    problems: () => [],
    // About five minutes of retries before the slot fails, as in Temporal's own scheduler.
    attempts: 10,
    summary: ({ workflowType, taskQueue }) =>
      `workflow ${workflowType} on the task queue ${taskQueue} of a Temporal cluster`,
    isTimed: ({ executionTimeout }) => executionTimeout !== undefined,
  }),
  settings: z
    .strictObject({
      /** The cluster named `default`. */
      address: z.string().min(1).optional(),
      namespace: z.string().min(1).optional(),
      apiKey: z.string().min(1).optional(),
      tls: z.boolean().optional(),
      /** Further clusters, by the names that schedules use. */
      clusters: z.record(z.string().min(1), cluster).optional(),
      concurrency: z.int().min(1).max(100_000).optional(),
      waiters: z.int().min(1).max(100_000).optional(),
    })
    .optional(),
};
