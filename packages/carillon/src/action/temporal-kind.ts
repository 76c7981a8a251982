/** `temporal`: the fields of a schedule that starts a workflow on a Temporal cluster. */
import { z } from 'zod';
import type { Problem } from '../base/error.ts';
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

const deploymentVersion = z.strictObject({ deploymentName: name, buildId: name });
/** The name of a cluster, which is also the end of the name of its queue. */
const clusterName = z.string().regex(/^[\w.-]{1,100}$/);

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
  /** Cluster and workers serve the keys of a task queue in turn, in proportion to their weights. */
  fairnessKey: field(z.string().min(1).max(64), 'write at most 64 characters'),
  fairnessWeight: field(z.number().min(0.001).max(1000), 'write a number from 0.001 to 1000'),
  /** One line, and a longer text, that the cluster's web pages show. */
  summary: field(z.string().max(400), 'write at most 400 characters'),
  details: field(z.string().max(20_000), 'write at most 20,000 characters'),
  /** The version of the workers that runs the workflow. It overrules what the workers say. */
  versioningOverride: field(
    z.union([z.literal('AUTO_UPGRADE'), z.strictObject({ pinnedTo: deploymentVersion })]),
    "write 'AUTO_UPGRADE' or { pinnedTo: { deploymentName: 'reports', buildId: '42' } }",
  ),
  /**
   * The name of a cluster in the configuration of the process; a schedule must not hold addresses or keys. Default `default`.
   */
  cluster: field(clusterName, 'write the name of a cluster: letters, digits, dots and dashes'),
  /** The namespace on the cluster. Default that of the configuration, otherwise `default`. */
  namespace: field(name, 'write the name of a namespace'),
  /**
   * Whether the run lasts until the workflow has ended (default), so that overlap, result and failure are the workflow's. False:
   * the run is completed as soon as the workflow has started.
   */
  follow: field(z.boolean(), 'write true or false'),
  /**
   * What a Temporal client sent with the start, encoded as it came: fields of the request, and its search attributes. It stands for
   * every field here from `args` to `versioningOverride`.
   */
  sent: field(
    z.strictObject({ fields: z.base64(), searchAttributes: z.base64() }),
    'write what was shown, or leave it out',
  ),
};

/** The fields that `sent` stands for. */
const sayable = [
  'args',
  'memo',
  'searchAttributes',
  'headers',
  'executionTimeout',
  'runTimeout',
  'taskTimeout',
  'retryPolicy',
  'priorityKey',
  'fairnessKey',
  'fairnessWeight',
  'summary',
  'details',
  'versioningOverride',
] as const satisfies readonly (keyof typeof fields)[];

export interface TemporalInput extends InputOf<typeof fields> {}

function saidTwice(target: TemporalInput): readonly Problem[] {
  const twice = target.sent === undefined ? [] : sayable.filter((name) => target[name] !== undefined);
  return twice.map((name) => ({
    path: `temporal.${name}`,
    reason: 'AMBIGUOUS',
    message: `${name} is part of what a Temporal client sent, which is in 'sent'`,
    fix: 'change it through the Temporal API, or leave sent out and write all fields',
  }));
}

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
    problems: saidTwice,
    // About five minutes of retries before the slot fails, as in Temporal's own scheduler.
    attempts: 10,
    outlasts: true,
    summary: ({ workflowType, taskQueue }) =>
      `workflow ${workflowType} on the task queue ${taskQueue} of a Temporal cluster`,
    isTimed: ({ executionTimeout }) => executionTimeout !== undefined,
    targetName: ({ cluster: asked }) => asked,
    runName: ({ workflowType }) => workflowType,
  }),
  settings: z
    .strictObject({
      /** The cluster named `default`. */
      address: z.string().min(1).optional(),
      namespace: z.string().min(1).optional(),
      apiKey: z.string().min(1).optional(),
      tls: z.boolean().optional(),
      /** Further clusters, by the names that schedules use. */
      clusters: z.record(clusterName, cluster).optional(),
      concurrency: z.int().min(1).max(100_000).optional(),
      starts: z.int().min(1).max(100_000).optional(),
      waiters: z.int().min(1).max(100_000).optional(),
    })
    .optional(),
};
