/**
 * The configuration of a server: a JSON file, the environment, and flags. Later sources override earlier ones. All problems
 * are reported at once, each by the name of the setting in its source.
 */

import { actionSettings } from 'carillon/internal/action';
import type { Problem } from 'carillon/internal/base';
import { parseDuration, reporting, ServiceError, shapeProblem } from 'carillon/internal/base';
import { defaultOperatorSettings } from 'carillon/internal/embed';
import { z } from 'zod';
import { roles } from '../door/access.ts';
import { schedulerSettings, settingVariables } from '../door/conductor/settings.ts';
import { hashPattern } from './keys.ts';
import { logLevels } from './log.ts';

const length = z.string().transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds as number;
  context.addIssue({ code: 'custom', message: "not a duration; write '10s', '5m' or '30d'" });
  return z.NEVER;
});

const portError = 'not a port; write a whole number from 0 to 65535';
const port = z.int({ error: portError }).min(0, { error: portError }).max(65_535, { error: portError });
const storeUrl = z.string().regex(/^(sqlite|memory|postgres|postgresql|redis|rediss):/, {
  error: 'not a store; write sqlite:<file>, postgres://user@host/database, redis://host or memory:',
});

const partialOperatorSchema = z.strictObject({
  MaxBufferSize: z.int().min(0).max(100_000).optional(),
  BackfillsPerIteration: z.int().min(1).max(100).optional(),
  MinInterval: length.optional(),
  SchedulerNamespaceStartWorkflowRPS: z.number().min(0).max(100_000).optional(),
});

/** The operator's settings of schedules, with their defaults. */
const operatorSchema = z.strictObject({
  MaxBufferSize: partialOperatorSchema.shape.MaxBufferSize.unwrap().default(
    defaultOperatorSettings.MaxBufferSize,
  ),
  BackfillsPerIteration: partialOperatorSchema.shape.BackfillsPerIteration.unwrap().default(
    defaultOperatorSettings.BackfillsPerIteration,
  ),
  MinInterval: length.prefault(`${defaultOperatorSettings.MinInterval}s`),
  SchedulerNamespaceStartWorkflowRPS:
    partialOperatorSchema.shape.SchedulerNamespaceStartWorkflowRPS.unwrap().default(
      defaultOperatorSettings.SchedulerNamespaceStartWorkflowRPS,
    ),
});

export const configSchema = z.strictObject({
  /** The URL of the store. */
  store: storeUrl.default('sqlite:./carillon.db'),
  durability: z.enum(['full', 'fast']).default('full'),
  /** The server's name, shown with the nodes and their runs. */
  name: z.string().min(1).max(255).default('carillon'),
  /** The namespace of requests that name none. */
  namespace: z.string().min(1).max(255).default('default'),
  http: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: port.default(8080),
      tls: z.strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) }).optional(),
    })
    .prefault({}),
  /** The web interface under `/ui/`; false leaves it out. */
  page: z
    .union([
      z.literal(false),
      z.strictObject({
        /** The path before `/ui/` by which browsers reach the server through a proxy, such as `/tools/carillon`. */
        basePath: z
          .string()
          .regex(/^(\/[\w.~-]+)*$/, "not a path; write '/tools/carillon', without a slash at its end")
          .default(''),
      }),
    ])
    .prefault({}),
  /** The Temporal door. Absent or false: closed. */
  grpc: z
    .union([
      z.literal(false),
      z.strictObject({
        host: z.string().min(1).default('127.0.0.1'),
        port: port.default(7233),
        /** The port of Temporal's HTTP API. Absent: closed. */
        httpPort: port.optional(),
        tls: z
          .strictObject({
            certFile: z.string().min(1),
            keyFile: z.string().min(1),
            /** Only clients with a certificate this one signed may connect. */
            clientCaFile: z.string().min(1).optional(),
          })
          .optional(),
        /** The role of clients with a certificate when there are no keys. Default `admin`. */
        clientCertRole: z.enum(roles).optional(),
        /** Namespaces whose workflows are started on a cluster of `temporal`. */
        namespaces: z
          .record(
            z.string().min(1).max(255),
            z.strictObject({
              cluster: z.string().min(1).max(100).optional(),
              namespace: z.string().min(1).max(1000).optional(),
            }),
          )
          .optional(),
      }),
    ])
    .default(false),
  /** The Conductor door, under the names of the original's properties. */
  conductor: z
    .strictObject({
      scheduler: schedulerSettings.prefault({}),
      /** Clusters that schedules may name as their target. */
      targets: z
        .record(
          z.string().regex(/^[\w.-]{1,100}$/),
          z.strictObject({
            url: z.url({ protocol: /^https?$/ }),
            token: z.string().min(1).optional(),
            keyId: z.string().min(1).optional(),
            keySecret: z.string().min(1).optional(),
          }),
        )
        .optional(),
    })
    .prefault({}),
  /** The URL under which other hosts reach this server; HTTP actions send it as the callback address. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  keys: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'write 1 to 255 printable characters without spaces'),
        hash: z.string().regex(hashPattern, "not a hash; 'carillon key create' prints one"),
        role: z.enum(roles),
        namespaces: z.array(z.string().min(1)).min(1).optional(),
        /** Queues from which the key may claim runs. Default: all. */
        queues: z.array(z.string().min(1)).min(1).optional(),
      }),
    )
    .default([]),
  rateLimit: z.strictObject({ perSecond: z.number().positive(), burst: z.int().min(1) }).optional(),
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
  metrics: z
    .strictObject({
      perSchedule: z.boolean().default(false),
      /** Schedules with their own metrics; all others are counted together. */
      mostSchedules: z.int().min(1).max(100_000).default(1000),
    })
    .prefault({}),
  /** OpenTelemetry spans, sent over OTLP/HTTP. Without an endpoint no spans are sent. */
  tracing: z
    .strictObject({
      endpoint: z
        .url({ protocol: /^https?$/, error: 'not an http(s) address of an OTLP receiver' })
        .optional(),
      serviceName: z.string().min(1).max(255).default('carillon'),
      /** Fraction, 0 to 1, of the sampled traces that begin at this server. */
      sampleRatio: z.number().min(0).max(1).default(1),
    })
    .prefault({}),
  /** Longest wait for running handlers when the server stops. */
  drain: length.prefault('10s'),
  /** Runs of one queue at the same time. */
  concurrency: z.int().min(1).max(10_000).default(100),
  /** Whether schedules may start programs on this machine. */
  allowCommands: z.boolean().default(false),
  secrets: z
    .strictObject({ envPrefix: z.string().min(1).optional(), file: z.string().optional() })
    .default({}),
  /** Whether HTTP actions may reach loopback and private addresses. */
  allowPrivateTargets: z.boolean().default(false),
  /** Settings of action kinds, for example the Redis of BullMQ actions. */
  ...actionSettings,
  /** A module whose `register(carillon)` adds handlers. */
  handlers: z.string().min(1).optional(),
  /** The operator's settings of schedules, under Temporal's names: for all namespaces, and overrides for some of them. */
  scheduler: operatorSchema
    .extend({ namespaces: z.record(z.string().min(1).max(255), partialOperatorSchema).prefault({}) })
    .prefault({}),
  retention: z
    .strictObject({
      closedSchedules: length.optional(),
      ledger: length.optional(),
      finishedRuns: length.optional(),
      events: length.optional(),
      audit: length.optional(),
      ledgerRows: z.int().min(1).optional(),
      runsPerSchedule: z.int().min(1).optional(),
      definitionVersions: z.int().min(1).optional(),
    })
    .prefault({}),
});

export type Config = z.output<typeof configSchema>;

/** A value with its source, which error messages name. */
export interface Setting {
  /** `http.port` */
  readonly path: string;
  /** `--http-port`, `CARILLON_HTTP_PORT` */
  readonly source: string;
  readonly value: unknown;
}

/** Environment variables and the settings they set. */
export const variables: Readonly<
  Record<string, { readonly path: string; readonly kind: 'text' | 'number' }>
> = {
  CARILLON_STORE: { path: 'store', kind: 'text' },
  CARILLON_NAME: { path: 'name', kind: 'text' },
  CARILLON_HTTP_HOST: { path: 'http.host', kind: 'text' },
  CARILLON_HTTP_PORT: { path: 'http.port', kind: 'number' },
  CARILLON_GRPC_HOST: { path: 'grpc.host', kind: 'text' },
  CARILLON_GRPC_PORT: { path: 'grpc.port', kind: 'number' },
  CARILLON_TEMPORAL_HTTP_PORT: { path: 'grpc.httpPort', kind: 'number' },
  CARILLON_PAGE_BASE_PATH: { path: 'page.basePath', kind: 'text' },
  CARILLON_PUBLIC_URL: { path: 'publicUrl', kind: 'text' },
  CARILLON_LOG_LEVEL: { path: 'log.level', kind: 'text' },
  CARILLON_DRAIN: { path: 'drain', kind: 'text' },
  CARILLON_HANDLERS: { path: 'handlers', kind: 'text' },
  ...Object.fromEntries(
    settingVariables().map(({ variable, name }) => [
      variable,
      { path: `conductor.scheduler.${name}`, kind: 'text' as const },
    ]),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: { path: 'tracing.endpoint', kind: 'text' },
  OTEL_SERVICE_NAME: { path: 'tracing.serviceName', kind: 'text' },
};

export function settingsOf(env: Readonly<Record<string, string | undefined>>): readonly Setting[] {
  return Object.entries(variables).flatMap(([source, { path, kind }]) => {
    const text = env[source];
    if (text === undefined || text === '') return [];
    // A text that is not a number stays text, and validation then refuses it by the variable's name.
    const value = kind === 'number' && /^\d+$/.test(text) ? Number(text) : text;
    return [{ path, source, value }];
  });
}

/** Later settings override earlier ones and the file. Throws an `invalidArgument` with every problem. */
export function readConfig(file: unknown, settings: readonly Setting[] = []): Config {
  const merged = structuredClone(file ?? {}) as Record<string, unknown>;
  if (typeof merged !== 'object' || Array.isArray(merged)) {
    throw ServiceError.invalid([
      { path: '', reason: 'NOT_AN_OBJECT', message: 'the configuration must be one JSON object' },
    ]);
  }
  const sources = new Map<string, string>();
  for (const { path, source, value } of settings) {
    place(merged, path.split('.'), value);
    sources.set(path, source);
  }
  const parsed = configSchema.safeParse(merged, reporting);
  if (!parsed.success)
    throw ServiceError.invalid(parsed.error.issues.map((issue) => problemOf(issue, sources)));
  const twice = parsed.data.keys.find(
    ({ name }, index, all) => all.findIndex((key) => key.name === name) < index,
  );
  if (twice !== undefined) {
    const message = `two keys are called '${twice.name}'; the audit could not tell them apart`;
    throw ServiceError.invalid([{ path: 'keys', reason: 'DUPLICATE_NAME', message }]);
  }
  return parsed.data;
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[name] = next;
  place(next, rest, value);
}

function problemOf(issue: z.core.$ZodIssue, sources: ReadonlyMap<string, string>): Problem {
  const problem = shapeProblem(issue, configSchema);
  if (problem.reason === 'UNKNOWN_FIELD') {
    return { ...problem, reason: 'UNKNOWN_SETTING', message: `there is no setting '${problem.path}'` };
  }
  return { ...problem, path: sources.get(problem.path) ?? problem.path };
}
