/** What a workflow can be found by. */
import type { Attributes } from 'carillon/internal/store';
import type { WorkflowStart } from '../protocol.ts';
import type { AttributeTypes } from '../search-attributes/attribute-type.ts';
import { comparableAttributes } from '../search-attributes/payload.ts';
import type { Workflow } from './workflow.ts';
import { historyLength } from './workflow.ts';

const nanosPerMs = 1_000_000;

/** `start`: how it was asked for, where custom attributes matter. */
export function searchable(
  workflow: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): Attributes {
  const { run, options, workflowId, status, startedAt, closedAt } = workflow;
  const { schedule, nominal } = options;
  return {
    ...comparableAttributes(start?.searchAttributes, types),
    WorkflowId: workflowId,
    RunId: run.id,
    RootWorkflowId: workflowId,
    RootRunId: run.id,
    WorkflowType: run.name,
    TaskQueue: run.queue,
    ExecutionStatus: status,
    StartTime: startedAt,
    ExecutionTime: startedAt,
    HistoryLength: historyLength(workflow),
    ...(closedAt === null
      ? {}
      : { CloseTime: closedAt, ExecutionDuration: (closedAt - startedAt) * nanosPerMs }),
    ...(schedule === undefined ? {} : { TemporalScheduledById: schedule }),
    ...(nominal === undefined ? {} : { TemporalScheduledStartTime: nominal }),
  };
}
