/** A run that a schedule started, seen as the workflow a client knows. Its run id is the run's own id. */
import type { SearchedRun } from 'carillon/internal/service';

export type Workflow = SearchedRun;

/** Events of its history: it began, and perhaps it ended. */
export function historyLength({ closedAt }: Workflow): number {
  return closedAt === null ? 1 : 2;
}
