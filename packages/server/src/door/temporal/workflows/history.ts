/**
 * The history of a workflow: its start, a request to cancel it and, when it has ended, its end. Attempts and leases between
 * them have no counterpart in Temporal's events.
 */

import type { Instant } from 'carillon/internal/base';
import { unreachable } from 'carillon/internal/base';
import type { AttributeTypes } from 'carillon/internal/service';
import { failureTypes, isFinal, redactRunInput } from 'carillon/internal/service';
import { payloadOf } from '../payload.ts';
import { toDuration, toTimestamp } from '../proto-time.ts';
import type { WorkflowStart } from '../protocol.ts';
import { encode, typeNamed } from '../protocol.ts';
import { failureMessage, storedFailure } from './failure-message.ts';
import { workflowAttributes } from './info.ts';
import { runUuid } from './run-uuid.ts';
import { expiration, timeoutsOf } from './timeouts.ts';
import type { Workflow } from './workflow.ts';
import { historyLength, isCancelRequested } from './workflow.ts';

const eventTypes = {
  started: 1,
  completed: 2,
  failed: 3,
  timedOut: 4,
  cancelRequested: 20,
  cancelled: 21,
  terminated: 27,
} as const;

const retryStates = { nonRetryable: 2, timeout: 3, attemptsUsedUp: 4, noPolicy: 5 } as const;

/** The identity that starts the workflows of schedules, as in Temporal. */
function starter({ run, options }: Workflow): string {
  if (options.schedule === undefined) return '';
  return `temporal-scheduler-${run.namespace}-${options.schedule ?? ''}`;
}

/** All events, oldest first. */
export function historyOf(
  workflow: Workflow,
  start: WorkflowStart | undefined,
  types: AttributeTypes,
): readonly object[] {
  const events = [startedEvent(workflow, start, types), cancelEvent(workflow), closeEvent(workflow)];
  return events.filter((each) => each !== undefined);
}

/** The stored failure says who asked and when. A handler that completed all the same has overwritten it. */
function cancelEvent(workflow: Workflow): object | undefined {
  if (!isCancelRequested(workflow)) return undefined;
  const { run, startedAt, closedAt } = workflow;
  const { message, askedBy, askedAt } =
    run.outcome === 'completed' ? { message: '' } : storedFailure(run.result);
  return event(2, askedAt ?? closedAt ?? startedAt, eventTypes.cancelRequested, {
    workflowExecutionCancelRequestedEventAttributes: {
      cause: message,
      identity: askedBy ?? starter(workflow),
    },
  });
}

function startedEvent(workflow: Workflow, start: WorkflowStart | undefined, types: AttributeTypes): object {
  const { run, options, workflowId, startedAt } = workflow;
  const { lastResult, lastFailure } = options;
  const runId = runUuid(run.id);
  const { executionMs, runMs, taskMs } = timeoutsOf(start);
  const expires = expiration(startedAt, executionMs);
  const input = redactRunInput(run, JSON.parse(run.input) as unknown);
  return event(1, startedAt, eventTypes.started, {
    workflowExecutionStartedEventAttributes: {
      workflowId,
      workflowType: { name: run.name },
      taskQueue: { name: start?.taskQueue?.name ?? run.queue, kind: 1 },
      input: start?.input ?? { payloads: input === null ? [] : [payloadOf(input)] },
      originalExecutionRunId: runId,
      firstExecutionRunId: runId,
      rootWorkflowExecution: { workflowId, runId },
      identity: starter(workflow),
      attempt: 1,
      memo: start?.memo ?? {},
      header: start?.header ?? {},
      searchAttributes: workflowAttributes(workflow, start, types),
      ...(start?.retryPolicy ? { retryPolicy: start.retryPolicy } : {}),
      ...(start?.priority ? { priority: start.priority } : {}),
      workflowExecutionTimeout: toDuration(executionMs),
      workflowRunTimeout: toDuration(runMs),
      workflowTaskTimeout: toDuration(taskMs),
      ...(expires === undefined ? {} : { workflowExecutionExpirationTime: expires }),
      ...(lastResult === undefined ? {} : { lastCompletionResult: { payloads: [payloadOf(lastResult)] } }),
      ...(lastFailure === undefined ? {} : { continuedFailure: failureMessage(lastFailure) }),
    },
    ...(start?.userMetadata ? { userMetadata: start.userMetadata } : {}),
  });
}

/** Undefined while the workflow runs. */
export function closeEvent(workflow: Workflow): object | undefined {
  const { run, options, closedAt } = workflow;
  if (closedAt === null || run.outcome === null) return undefined;
  const id = historyLength(workflow);
  switch (run.outcome) {
    case 'completed': {
      const result = run.result === null ? null : (JSON.parse(run.result) as unknown);
      return event(id, closedAt, eventTypes.completed, {
        workflowExecutionCompletedEventAttributes: { result: { payloads: [payloadOf(result)] } },
      });
    }
    case 'failed': {
      const failure = storedFailure(run.result);
      const retryState = isFinal(options.retry ?? {}, failure)
        ? retryStates.nonRetryable
        : options.retry === undefined
          ? retryStates.noPolicy
          : retryStates.attemptsUsedUp;
      return event(id, closedAt, eventTypes.failed, {
        workflowExecutionFailedEventAttributes: { failure: failureMessage(failure), retryState },
      });
    }
    case 'cancelled': {
      const { message } = storedFailure(run.result);
      return event(id, closedAt, eventTypes.cancelled, {
        workflowExecutionCanceledEventAttributes:
          message === '' ? {} : { details: { payloads: [payloadOf(message)] } },
      });
    }
    case 'terminated': {
      const { message, details, askedBy } = storedFailure(run.result);
      return event(id, closedAt, eventTypes.terminated, {
        workflowExecutionTerminatedEventAttributes: {
          reason: message,
          identity: askedBy ?? starter(workflow),
          ...(details === undefined ? {} : { details: { payloads: (details as unknown[]).map(payloadOf) } }),
        },
      });
    }
    case 'timedOut': {
      const { type } = storedFailure(run.result);
      const retryState =
        type === failureTypes.executionTimedOut ? retryStates.timeout : retryStates.attemptsUsedUp;
      return event(id, closedAt, eventTypes.timedOut, {
        workflowExecutionTimedOutEventAttributes: { retryState },
      });
    }
    default:
      return unreachable(run.outcome);
  }
}

function event(eventId: number, at: Instant, eventType: number, attributes: object): object {
  return { eventId, eventTime: toTimestamp(at), eventType, taskId: eventId, ...attributes };
}

const historyType = typeNamed('temporal.api.history.v1.History');

/** The encoded size of a history, in bytes. */
export function historySize(events: readonly object[]): number {
  return encode(historyType, { events }).length;
}
