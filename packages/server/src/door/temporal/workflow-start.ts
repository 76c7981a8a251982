/** Turns the workflow that a client names into a schedule's action, with the checks of Temporal's frontend. */

import type { AttributeTypes, RunSettings, ScheduleAction } from 'carillon/internal/service';
import { largestPriority, runKind } from 'carillon/internal/service';
import { readArguments, readPayloads } from './payload.ts';
import { readDuration } from './proto-time.ts';
import type { Payload, WorkflowStart } from './protocol.ts';
import { readSearchAttributes } from './search-attributes/payload.ts';
import { badRequest } from './status.ts';

/** Longest name or id, in bytes. */
export const longestName = 1000;

/** Length of the suffix that a started workflow's id adds to the action's id. */
const timeSuffix = '-2009-11-10T23:00:00Z'.length;

const allowDuplicate = 1;

export function checkLength(name: string, text: string): void {
  if (Buffer.byteLength(text) > longestName) throw badRequest(`${name} length exceeds limit.`);
}

/** Task queues that Temporal keeps for itself. */
const reservedPrefix = '/_sys/';
const stickyKind = 2;
const internalQueue = 'temporal-sys-per-ns-tq';

/** Undefined when the request has no task queue at all. */
export function checkQueue(name: string | undefined): void {
  if (name === undefined) throw badRequest('taskQueue is not set');
  if (name === '') throw badRequest('missing task queue name');
  checkLength('taskQueue', name);
  if (name.startsWith(reservedPrefix)) {
    throw badRequest(`task queue name cannot start with reserved prefix ${reservedPrefix}`);
  }
  if (name === internalQueue)
    throw badRequest(`cannot use internal per-namespace task queue:${internalQueue}`);
}

/** Refuses a workflow that cannot be started. */
export function readWorkflowStart(start: WorkflowStart, types: AttributeTypes): ScheduleAction {
  const { workflowId, workflowType, taskQueue, workflowIdReusePolicy, cronSchedule } = start;
  const idLength = Buffer.byteLength(workflowId ?? '') + timeSuffix;
  if (idLength > longestName) {
    throw badRequest(`WorkflowId exceeds maximum allowed length (${idLength}/${longestName})`);
  }
  const name = workflowType?.name ?? '';
  if (name === '') throw badRequest('WorkflowType is not set on request.');
  checkLength('WorkflowType', name);
  const queue = taskQueue?.name ?? '';
  checkQueue(taskQueue === null || taskQueue === undefined ? undefined : queue);
  if (taskQueue?.kind === stickyKind) checkLength('taskQueue', taskQueue.normalName ?? '');
  if (queue.startsWith('@')) throw badRequest(`TaskQueue names beginning with '@' are the server's own.`);
  if ((cronSchedule ?? '') !== '') throw badRequest('Scheduled workflow must not contain CronSchedule');
  if ((workflowIdReusePolicy ?? 0) !== 0 && workflowIdReusePolicy !== allowDuplicate) {
    throw badRequest('Scheduled workflow must not contain WorkflowIDReusePolicy');
  }
  readSearchAttributes(start.searchAttributes, types);
  return {
    kind: runKind.kind,
    queue,
    name,
    input: readArguments(start.input?.payloads),
    priority: priorityOf(start),
    workflowId: workflowId ?? '',
    // Clients search for workflows by id.
    findable: true,
    settings: settingsOf(start),
  };
}

/** Temporal's priorities run from 1, the most urgent, to 5; 3 is the default. */
const middlePriority = 3;
const priorityStep = 50;

function priorityOf({ priority }: WorkflowStart): number {
  const key = priority?.priorityKey ?? 0;
  if (key < 0) throw badRequest('priority key can not be negative');
  if (key === 0) return 0;
  return Math.max((middlePriority - key) * priorityStep, -largestPriority);
}

function settingsOf(start: WorkflowStart): RunSettings {
  const execution = timeout('WorkflowExecutionTimeout', start.workflowExecutionTimeout);
  const run = timeout('WorkflowRunTimeout', start.workflowRunTimeout);
  timeout('WorkflowTaskTimeout', start.workflowTaskTimeout);
  const retry = retryOf(start);
  const sent = {
    ...said('memo', start.memo?.fields),
    ...said('headers', start.header?.fields),
    ...said('searchAttributes', start.searchAttributes?.indexedFields),
  };
  // The run timeout applies to each attempt, so it bounds the whole run only when there is no retry.
  const longest = retry === undefined ? smaller(execution, run) : execution;
  return {
    ...(retry === undefined ? {} : { retry }),
    ...(retry === undefined || run === undefined ? {} : { attemptTimeoutMs: run }),
    ...(longest === undefined ? {} : { executionTimeoutMs: longest }),
    ...(Object.keys(sent).length === 0 ? {} : { sent }),
  };
}

/** The fields beside the input as handlers receive them; payloads that cannot be read stay unchanged. */
function said(name: string, fields: Readonly<Record<string, Payload>> | null | undefined): object {
  return Object.keys(fields ?? {}).length === 0 ? {} : { [name]: readPayloads(fields) };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function timeout(name: string, given: WorkflowStart['workflowRunTimeout']): number | undefined {
  const milliseconds = readDuration(name, given);
  if (milliseconds !== undefined && milliseconds < 0) throw badRequest(`${name} cannot be negative.`);
  return milliseconds === undefined ? undefined : Math.max(1, Math.trunc(milliseconds));
}

/** Temporal's defaults for fields that a retry policy leaves out. */
const defaultInitial = 1000;
const defaultCoefficient = 2;
const maximumFactor = 100;

function retryOf({ retryPolicy }: WorkflowStart): RunSettings['retry'] | undefined {
  if (retryPolicy === null || retryPolicy === undefined) return undefined;
  const { backoffCoefficient, maximumAttempts } = retryPolicy;
  const initial = readDuration('RetryPolicy.InitialInterval', retryPolicy.initialInterval);
  const longest = readDuration('RetryPolicy.MaximumInterval', retryPolicy.maximumInterval);
  if (initial !== undefined && initial < 0)
    throw badRequest('InitialInterval cannot be negative on retry policy.');
  if (longest !== undefined && longest < 0)
    throw badRequest('MaximumInterval cannot be negative on retry policy.');
  if (longest !== undefined && longest < (initial ?? defaultInitial)) {
    throw badRequest('MaximumInterval cannot be less than InitialInterval on retry policy.');
  }
  const coefficient = backoffCoefficient || defaultCoefficient;
  if (!(coefficient >= 1)) throw badRequest('BackoffCoefficient cannot be less than 1 on retry policy.');
  const attempts = maximumAttempts ?? 0;
  if (attempts < 0) throw badRequest('MaximumAttempts cannot be negative on retry policy.');
  const fatal = retryPolicy.nonRetryableErrorTypes ?? [];
  const initialMs = Math.max(1, Math.trunc(initial ?? defaultInitial));
  return {
    // Zero means unlimited in Temporal and in Carillon.
    attempts,
    initialMs,
    maxMs: Math.trunc(longest ?? initialMs * maximumFactor),
    coefficient: Math.min(coefficient, maximumFactor),
    ...(fatal.length === 0 ? {} : { nonRetryableTypes: fatal }),
  };
}
