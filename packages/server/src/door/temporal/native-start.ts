/**
 * Shows an action as a Temporal workflow. For an action that is not a handler, the workflow type is its kind and the task
 * queue its queue.
 */
import type { ScheduleDefinition } from 'carillon/internal/service';
import { redactAction } from 'carillon/internal/service';
import { payloadOf } from './payload.ts';
import { toDuration } from './proto-time.ts';
import type { WorkflowStart } from './protocol.ts';

export function nativeStart({ action }: ScheduleDefinition, scheduleId: string): WorkflowStart {
  const { name, queue, workflowId, input, settings } = redactAction(action);
  const { retry, attemptTimeoutMs, executionTimeoutMs } = settings;
  return {
    // Clients refuse or invent an absent id; ids of runs begin with the schedule's id.
    workflowId: workflowId === '' ? scheduleId : workflowId,
    workflowType: { name },
    taskQueue: { name: queue, kind: normalQueue },
    input: { payloads: input === null || input === undefined ? [] : [payloadOf(input)] },
    ...(executionTimeoutMs === undefined ? {} : { workflowExecutionTimeout: toDuration(executionTimeoutMs) }),
    ...(attemptTimeoutMs === undefined ? {} : { workflowRunTimeout: toDuration(attemptTimeoutMs) }),
    ...(retry === undefined
      ? {}
      : {
          retryPolicy: {
            maximumAttempts: retry.attempts ?? 1,
            backoffCoefficient: retry.coefficient ?? 2,
            initialInterval: toDuration(retry.initialMs ?? 1000),
            maximumInterval: toDuration(retry.maxMs ?? 60_000),
            nonRetryableErrorTypes: [...(retry.nonRetryableTypes ?? [])],
          },
        }),
  };
}

const normalQueue = 1;
