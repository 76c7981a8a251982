/** What a listing and a description say about a workflow. */
import type { AttributeTypes } from 'carillon/internal/service';
import { toDuration, toTimestamp } from '../proto-time.ts';
import type { WorkflowStart } from '../protocol.ts';
import { withTypes, writeSearchAttributes } from '../search-attributes/payload.ts';
import { predefinedAttributes } from '../search-attributes/system-attributes.ts';
import { statusNumber } from './status.ts';
import type { Workflow } from './workflow.ts';
import { historyLength } from './workflow.ts';

/** `temporal.api.workflow.v1.WorkflowExecutionInfo`. `start`: how it was asked for, if that is still known. */
export function workflowInfo(
  workflow: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): object {
  const { run, workflowId, status, startedAt, closedAt } = workflow;
  const execution = { workflowId, runId: run.id };
  return {
    execution,
    rootExecution: execution,
    firstRunId: run.id,
    type: { name: run.name },
    taskQueue: run.queue,
    status: statusNumber(status),
    startTime: toTimestamp(startedAt),
    executionTime: toTimestamp(startedAt),
    historyLength: historyLength(workflow),
    memo: start?.memo ?? {},
    searchAttributes: workflowAttributes(workflow, start, types),
    ...(start?.priority ? { priority: start.priority } : {}),
    ...(closedAt === null
      ? {}
      : { closeTime: toTimestamp(closedAt), executionDuration: toDuration(closedAt - startedAt) }),
  };
}

/** The action's own, and what says where it came from. */
export function workflowAttributes(
  { options: { schedule, nominal } }: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): object {
  const all = new Map([...predefinedAttributes, ...types]);
  const { indexedFields } = writeSearchAttributes(
    {
      ...(schedule === undefined ? {} : { TemporalScheduledById: schedule }),
      ...(nominal === undefined ? {} : { TemporalScheduledStartTime: nominal }),
    },
    types,
  );
  return {
    indexedFields: { ...withTypes(start?.searchAttributes ?? {}, all).indexedFields, ...indexedFields },
  };
}
