/** The information about a workflow in listings and descriptions. */
import type { AttributeTypes } from 'carillon/internal/service';
import { toDuration, toTimestamp } from '../proto-time.ts';
import type { WorkflowStart } from '../protocol.ts';
import { withTypes, writeSearchAttributes } from '../search-attributes/payload.ts';
import { predefinedAttributes } from '../search-attributes/system-attributes.ts';
import { runUuid } from './run-uuid.ts';
import { statusNumber } from './status.ts';
import type { Workflow } from './workflow.ts';
import { historyLength, stateTransitions } from './workflow.ts';

/** `temporal.api.workflow.v1.WorkflowExecutionInfo`. `start` is the client's request, if it is still stored. */
export function workflowInfo(
  workflow: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): object {
  const { run, workflowId, status, startedAt, closedAt } = workflow;
  const runId = runUuid(run.id);
  const execution = { workflowId, runId };
  return {
    execution,
    rootExecution: execution,
    firstRunId: runId,
    type: { name: run.name },
    // A workflow on a cluster has a queue of this server, and another one on the cluster.
    taskQueue: start?.taskQueue?.name ?? run.queue,
    status: statusNumber(status),
    startTime: toTimestamp(startedAt),
    executionTime: toTimestamp(startedAt),
    historyLength: historyLength(workflow),
    stateTransitionCount: stateTransitions(workflow),
    memo: start?.memo ?? {},
    searchAttributes: workflowAttributes(workflow, start, types),
    ...(start?.priority ? { priority: start.priority } : {}),
    ...(closedAt === null
      ? {}
      : { closeTime: toTimestamp(closedAt), executionDuration: toDuration(closedAt - startedAt) }),
  };
}

/** The action's search attributes, and those that name the schedule. */
export function workflowAttributes(
  { options: { schedule, nominal } }: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): object {
  const all = new Map([...predefinedAttributes, ...types]);
  const { indexedFields } = writeSearchAttributes(
    {
      ...(schedule === undefined ? {} : { TemporalScheduledById: schedule }),
      ...(nominal === undefined ? {} : { TemporalScheduledStartTime: Math.floor(nominal / 1000) * 1000 }),
    },
    types,
  );
  return {
    indexedFields: { ...withTypes(start?.searchAttributes ?? {}, all).indexedFields, ...indexedFields },
  };
}
