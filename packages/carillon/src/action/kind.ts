/**
 * Every kind of work that a schedule can start. A new kind is a file beside these, a row here, and its registration in the
 * composition root (`main.ts`); the service, manifests, doors, the command line and the periodic registry read this table.
 */
import { actionQueue } from './action.ts';
import type { ActionKind, CommandLine, Job, StoredWork } from './action-kind.ts';
import { bullmqKind } from './bullmq-kind.ts';
import { commandKind } from './command-kind.ts';
import { httpKind } from './http-kind.ts';
import { runKind } from './run-kind.ts';

export const actionKinds = {
  /** Name of a handler. */
  run: runKind,
  /** An HTTP request. */
  http: httpKind,
  /** A program of the machine that the server runs on. */
  command: commandKind,
  /** A job on a BullMQ queue. */
  bullmq: bullmqKind,
} as const satisfies Readonly<Record<string, ActionKind<string, never>>>;

/** The targets of a schedule, by kind; exactly one is given. */
export type Targets = {
  readonly [Name in keyof typeof actionKinds]?: TargetOf<(typeof actionKinds)[Name]>;
};
type TargetOf<Row> = Row extends { problems(target: infer Target): unknown } ? Target : never;
export type KindName = keyof typeof actionKinds;

/** The targets of a periodic task, by the kinds that a job can be handed to. */
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

/** All rows as one type: each knows only its own targets, and is handed what its own schema accepted. */
const rows = Object.values(actionKinds) as unknown as readonly ActionKind<KindName>[];

export const kindNames: readonly KindName[] = rows.map(({ kind }) => kind);

/** The shapes of the targets, by kind. */
export const targetShapes = Object.fromEntries(rows.map(({ kind, schema }) => [kind, schema])) as {
  readonly [Name in KindName]: ActionKind['schema'];
};

/** Undefined: a kind that another door brought and that has no field of a schedule. */
export function findKind(kind: string): ActionKind<KindName> | undefined {
  return rows.find((row) => row.kind === kind);
}

/** One line for people about what a schedule starts. */
export function actionSummary({ kind, ...work }: StoredWork & { readonly kind: string }): string {
  return findKind(kind)?.summary(work) ?? `${work.name} on the queue ${work.queue}`;
}

/** Whether an attempt of this work ends by itself. */
export function isTimedAction({ kind, ...work }: StoredWork & { readonly kind: string }): boolean {
  return findKind(kind)?.isTimed(work) ?? false;
}

/** The queues of work that runs programs of this machine. */
export const programQueues: readonly string[] = rows
  .filter(({ runsPrograms }) => runsPrograms === true)
  .map(({ kind }) => actionQueue(kind));

/** How the command line asks for each kind that it can ask for. */
export const commandLines: readonly (CommandLine & { readonly kind: KindName })[] = rows.flatMap(
  ({ kind, commandLine }) => (commandLine === undefined ? [] : [{ ...commandLine, kind }]),
);

/** The kinds that a periodic task can hand its job to. */
export const jobKinds = rows.flatMap(({ kind, ofJob }) =>
  ofJob === undefined ? [] : [kind],
) as readonly (keyof JobTargets)[];

/** The fields of a schedule that asks the task's kind for the job; undefined: the task names none of them. */
export function jobFields(task: JobTargets, job: Job): Targets | undefined {
  for (const { kind, ofJob } of rows) {
    const target = (task as Readonly<Record<string, unknown>>)[kind];
    // The kind's own schema checks what it makes of the target.
    if (target !== undefined && ofJob !== undefined) return { [kind]: ofJob(target as never, job) };
  }
  return undefined;
}

/** What the configuration of a server may say about kinds, by kind. */
export const actionSettings = Object.fromEntries(
  rows.flatMap(({ kind, settings }) => (settings === undefined ? [] : [[kind, settings]])),
) as {
  readonly [Name in KindName as (typeof actionKinds)[Name] extends { readonly settings: unknown }
    ? Name
    : never]: (typeof actionKinds)[Name] extends { readonly settings: infer Settings } ? Settings : never;
};
