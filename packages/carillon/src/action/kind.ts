/**
 * The table of all kinds of work that a schedule can start. A new kind needs a file in this folder, a row here, and
 * its registration in the composition root (`main.ts`). The service, manifests, doors, the command line and the
 * periodic registry read this table.
 */
import { actionQueue } from './action.ts';
import type { ActionKind, CommandLine, Job, StoredWork } from './action-kind.ts';
import { bullmqKind } from './bullmq-kind.ts';
import { commandKind } from './command-kind.ts';
import { conductorKind } from './conductor-kind.ts';
import { httpKind } from './http-kind.ts';
import { runKind } from './run-kind.ts';
import { temporalKind } from './temporal-kind.ts';

export const actionKinds = {
  /** The name of a handler. */
  run: runKind,
  /** An HTTP request. */
  http: httpKind,
  /** A program on the server's machine. */
  command: commandKind,
  /** A job on a BullMQ queue. */
  bullmq: bullmqKind,
  /** A workflow on a Conductor cluster. */
  conductor: conductorKind,
  /** A workflow on a Temporal cluster. */
  temporal: temporalKind,
} as const satisfies Readonly<Record<string, ActionKind<string, never>>>;

/** The targets of a schedule, by kind; a schedule gives exactly one. */
export type Targets = {
  readonly [Name in keyof typeof actionKinds]?: TargetOf<(typeof actionKinds)[Name]>;
};
type TargetOf<Row> = Row extends { problems(target: infer Target): unknown } ? Target : never;
export type KindName = keyof typeof actionKinds;

/** The targets of a periodic task, by the kinds that accept jobs. */
export type JobTargets = {
  readonly [Name in KindName as (typeof actionKinds)[Name] extends JobKind ? Name : never]?: JobTargetOf<
    (typeof actionKinds)[Name]
  >;
};
interface JobKind {
  readonly ofJob: (target: never, job: Job) => unknown;
}
type JobTargetOf<Row> = Row extends { readonly ofJob: (target: infer Target, job: Job) => unknown }
  ? Target
  : never;

/** All rows as one type. The cast is safe because each row only receives targets that its own schema accepted. */
const rows = Object.values(actionKinds) as unknown as readonly ActionKind<KindName>[];

export const kindNames: readonly KindName[] = rows.map(({ kind }) => kind);

/** A kind of work that runs outside the program's handlers, on its own queue. */
export type OutsideKind = Exclude<KindName, (typeof runKind)['kind']>;
export const outsideKinds = kindNames.filter((kind): kind is OutsideKind => kind !== runKind.kind);

/** The shapes of the targets, by kind. */
export const targetShapes = Object.fromEntries(rows.map(({ kind, schema }) => [kind, schema])) as {
  readonly [Name in KindName]: ActionKind['schema'];
};

/** Returns undefined for a kind of another door, which has no field of a schedule. */
export function findKind(kind: string): ActionKind<KindName> | undefined {
  return rows.find((row) => row.kind === kind);
}

/** A one-line summary of what a schedule starts. */
export function actionSummary({ kind, ...work }: StoredWork & { readonly kind: string }): string {
  return findKind(kind)?.summary(work) ?? `${work.name} on the queue ${work.queue}`;
}

/** Whether an attempt of this work has its own timeout. */
export function isTimedAction({ kind, ...work }: StoredWork & { readonly kind: string }): boolean {
  return findKind(kind)?.isTimed(work) ?? false;
}

/** The queues of kinds that run programs of this machine. */
export const programQueues: readonly string[] = rows
  .filter(({ runsPrograms }) => runsPrograms === true)
  .map(({ kind }) => actionQueue(kind));

/** The command-line options of the kinds that have some. */
export const commandLines: readonly (CommandLine & { readonly kind: KindName })[] = rows.flatMap(
  ({ kind, commandLine }) => (commandLine === undefined ? [] : [{ ...commandLine, kind }]),
);

/** The kinds that accept jobs of periodic tasks. */
export const jobKinds = rows.flatMap(({ kind, ofJob }) =>
  ofJob === undefined ? [] : [kind],
) as readonly (keyof JobTargets)[];

/** The schedule fields of a task's job; undefined when the task names no kind. */
export function jobFields(task: JobTargets, job: Job): Targets | undefined {
  for (const { kind, ofJob } of rows) {
    const target = (task as Readonly<Record<string, unknown>>)[kind];
    // The kind's own schema checks the result.
    if (target !== undefined && ofJob !== undefined) return { [kind]: ofJob(target as never, job) };
  }
  return undefined;
}

/** The schemas of the server's configuration, by kind. */
export const actionSettings = Object.fromEntries(
  rows.flatMap(({ kind, settings }) => (settings === undefined ? [] : [[kind, settings]])),
) as {
  readonly [Name in KindName as (typeof actionKinds)[Name] extends { readonly settings: unknown }
    ? Name
    : never]: (typeof actionKinds)[Name] extends { readonly settings: infer Settings } ? Settings : never;
};
