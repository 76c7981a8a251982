/** A run of a schedule, seen as a workflow. The workflow's run id is the run's id. */
import type { SearchedRun } from 'carillon/internal/service';

export type Workflow = SearchedRun;

/** Number of events in the history: the start, and the end if there is one. */
export function historyLength({ closedAt }: Workflow): number {
  return closedAt === null ? 1 : 2;
}
