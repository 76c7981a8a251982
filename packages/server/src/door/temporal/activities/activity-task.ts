/**
 * A leased run as an activity task. SDK workers read times and timeouts in different ways: a missing one fails the attempt
 * (TypeScript) or drops its result (Go), so all of them are set. Go measures the schedule-to-close timeout with its own clock,
 * so it is zero here, and the start-to-close timeout is the rest of the execution timeout.
 */
import type { Instant } from 'carillon/internal/base';
import { day } from 'carillon/internal/base';
import type { RunRow } from 'carillon/internal/service';
import { claimedAt, optionsOf } from 'carillon/internal/service';
import { payloadOf } from '../payload.ts';
import { toDuration, toTimestamp } from '../proto-time.ts';
import type { WorkflowStart } from '../protocol.ts';
import { runUuid } from '../workflows/run-uuid.ts';
import { writeTaskToken } from './task-token.ts';

/** The id of the only activity of a workflow; the same for all its attempts. */
export const activityId = '1';

/** Every SDK treats ten years as no limit. */
const noLimitMs = 3650 * day;

/** `temporal.api.workflowservice.v1.PollActivityTaskQueueResponse` */
export function activityTask(run: RunRow, start: WorkflowStart | undefined): object {
  const { id, namespace, name, attempt, leaseToken: token } = run;
  const options = optionsOf(run);
  const { leaseMs, workflowId = id } = options;
  const startedAt = claimedAt(run);
  const value = JSON.parse(run.input) as unknown;
  return {
    taskToken: writeTaskToken({ namespace, runId: id, token }),
    workflowNamespace: namespace,
    workflowType: { name },
    workflowExecution: { workflowId: run.alias ?? workflowId, runId: runUuid(id) },
    activityType: { name },
    activityId,
    // Byte for byte what the client sent; it may be encrypted.
    ...(start === undefined
      ? value === null
        ? {}
        : { input: { payloads: [payloadOf(value)] } }
      : {
          ...(start.input ? { input: start.input } : {}),
          ...(start.header ? { header: start.header } : {}),
        }),
    ...(run.progress === null ? {} : { heartbeatDetails: { payloads: progressPayloads(run.progress) } }),
    scheduledTime: toTimestamp(run.createdAt),
    currentAttemptScheduledTime: toTimestamp(run.availableAt),
    startedTime: toTimestamp(startedAt),
    attempt,
    scheduleToCloseTimeout: toDuration(0),
    startToCloseTimeout: toDuration(attemptLimit(options, startedAt)),
    ...(leaseMs === undefined ? {} : { heartbeatTimeout: toDuration(leaseMs) }),
    ...(start?.retryPolicy ? { retryPolicy: start.retryPolicy } : {}),
    ...(start?.priority ? { priority: start.priority } : {}),
  };
}

function attemptLimit(
  { attemptTimeoutMs = noLimitMs, deadline }: ReturnType<typeof optionsOf>,
  startedAt: Instant,
): number {
  const left = deadline === undefined ? noLimitMs : Math.max(1, deadline - startedAt);
  return Math.min(attemptTimeoutMs, left);
}

/** The progress of a run as payloads. It is the list of a heartbeat's details, but other workers may have stored any JSON. */
function progressPayloads(progress: string) {
  const stored = JSON.parse(progress) as unknown;
  return (Array.isArray(stored) ? stored : [stored]).map(payloadOf);
}
