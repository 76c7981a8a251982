/** A run that a schedule started, seen as the workflow a client knows. Its run id is the run's own id. */
import type { Instant } from 'carillon/internal/base';
import type { RunOptions } from 'carillon/internal/runs';
import { optionsOf } from 'carillon/internal/runs';
import type { RunRow } from 'carillon/internal/store';
import type { WorkflowStatus } from './status.ts';
import { statusOf } from './status.ts';

export interface Workflow {
  readonly run: RunRow;
  readonly options: RunOptions;
  readonly workflowId: string;
  readonly status: WorkflowStatus;
  readonly startedAt: Instant;
  readonly closedAt: Instant | null;
}

/** Undefined for work that was queued without a schedule: it has no workflow id. */
export function workflowOf(run: RunRow): Workflow | undefined {
  const options = optionsOf(run);
  const workflowId = run.alias ?? options.workflowId;
  if (workflowId === undefined) return undefined;
  return {
    run,
    options,
    workflowId,
    status: statusOf(run),
    startedAt: run.createdAt,
    closedAt: run.finishedAt,
  };
}

/** Events of its history: it began, and perhaps it ended. */
export function historyLength({ closedAt }: Workflow): number {
  return closedAt === null ? 1 : 2;
}
