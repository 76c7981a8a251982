/** Finds the run that a client names: by its run id, or by the workflow id alone, which means the run that started last. */
import { ServiceError } from 'carillon/internal/base';
import type { RunSearch } from 'carillon/internal/service';
import { runIdOf, runUuid } from './run-uuid.ts';
import type { Workflow } from './workflow.ts';

/** `temporal.api.common.v1.WorkflowExecution` */
export interface Execution {
  readonly workflowId?: string | null;
  readonly runId?: string | null;
}

export async function findWorkflow(
  search: RunSearch,
  namespace: string,
  execution: Execution | null | undefined,
): Promise<Workflow> {
  const workflowId = execution?.workflowId ?? '';
  const runId = runIdOf(execution?.runId ?? '');
  if (workflowId === '') {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'INVALID',
      message: 'WorkflowId is not set on request.',
    });
  }
  const workflow = await search.get(namespace, { workflowId, ...(runId === '' ? {} : { runId }) });
  if (workflow === undefined) throw workflowNotFound(workflowId, runId);
  return workflow;
}

export function workflowNotFound(workflowId: string, runId: string): ServiceError {
  const which = runId === '' ? '' : `, RunID: ${runUuid(runId)}`;
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `workflow not found for ID: ${workflowId}${which}`,
  });
}

export function alreadyClosed(): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: 'workflow execution already completed',
  });
}
