/**
 * A run with a workflow id, and the keys by which a search finds it. The keys begin with a dollar sign, like those of
 * schedules, so that no custom attribute can have the same name; `id` is the id of the run.
 */
import type { Instant } from '../../base/time.ts';
import type { RunOptions } from '../../runs/run.ts';
import { optionsOf } from '../../runs/run.ts';
import type { Attributes, RunOutcome, RunRow } from '../../store/records.ts';

/** The outcome of a run, or `running`. */
export type RunStatus = 'running' | RunOutcome;

export interface SearchedRun {
  readonly run: RunRow;
  readonly options: RunOptions;
  readonly workflowId: string;
  readonly status: RunStatus;
  readonly startedAt: Instant;
  readonly closedAt: Instant | null;
}

/** Returns undefined for work that was enqueued without a schedule, because it has no workflow id. */
export function searchedRun(run: RunRow): SearchedRun | undefined {
  const options = optionsOf(run);
  const workflowId = run.alias ?? options.workflowId;
  if (workflowId === undefined) return undefined;
  return {
    run,
    options,
    workflowId,
    status: run.outcome ?? 'running',
    startedAt: run.createdAt,
    closedAt: run.finishedAt,
  };
}

/** The keys that a filter over runs may use, besides custom attributes. */
export const runKeys = {
  id: 'id',
  workflow: '$workflow',
  name: '$name',
  queue: '$queue',
  status: '$status',
  started: '$started',
  closed: '$closed',
  /** Milliseconds from start to end. */
  duration: '$duration',
  schedule: '$schedule',
  nominal: '$nominal',
} as const;

export function searchKeysOf(found: SearchedRun): Attributes {
  const { run, options, workflowId, status, startedAt, closedAt } = found;
  const { schedule, nominal } = options;
  return {
    [runKeys.workflow]: workflowId,
    [runKeys.name]: run.name,
    [runKeys.queue]: run.queue,
    [runKeys.status]: status,
    [runKeys.started]: startedAt,
    ...(closedAt === null ? {} : { [runKeys.closed]: closedAt, [runKeys.duration]: closedAt - startedAt }),
    ...(schedule === undefined ? {} : { [runKeys.schedule]: schedule }),
    ...(nominal === undefined ? {} : { [runKeys.nominal]: nominal }),
  };
}
