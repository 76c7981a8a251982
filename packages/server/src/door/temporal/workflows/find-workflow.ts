/** Which run a client means: a run id says it exactly, a workflow id alone means the one started last. */
import { ServiceError } from 'carillon/internal/base';
import type { RunRow, Store } from 'carillon/internal/store';
import type { Workflow } from './workflow.ts';
import { workflowOf } from './workflow.ts';

/** `temporal.api.common.v1.WorkflowExecution` */
export interface Execution {
  readonly workflowId?: string | null;
  readonly runId?: string | null;
}

/** Runs that share a workflow id are looked at, newest slots first, for the one that was started last. */
const sharing = 100;

export async function findWorkflow(
  store: Store,
  namespace: string,
  execution: Execution | null | undefined,
): Promise<Workflow> {
  const workflowId = execution?.workflowId ?? '';
  const runId = execution?.runId ?? '';
  if (workflowId === '') {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'INVALID',
      message: 'WorkflowId is not set on request.',
    });
  }
  const { items } =
    runId === ''
      ? await store.runs({ namespace, alias: workflowId, limit: sharing })
      : await store.runs({ ids: [runId], limit: 1 });
  const run = items
    .filter((each) => each.namespace === namespace)
    .reduce<RunRow | undefined>(
      (last, each) => (last && last.createdAt >= each.createdAt ? last : each),
      undefined,
    );
  const workflow = run === undefined ? undefined : workflowOf(run);
  if (workflow === undefined || workflow.workflowId !== workflowId) throw workflowNotFound(workflowId, runId);
  return workflow;
}

export function workflowNotFound(workflowId: string, runId: string): ServiceError {
  const which = runId === '' ? '' : ` and run id '${runId}'`;
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `workflow not found for id '${workflowId}'${which}`,
  });
}

export function alreadyClosed(): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: 'workflow execution already completed',
  });
}
