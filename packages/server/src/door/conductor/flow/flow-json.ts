/**
 * Workflows and tasks as Conductor shows them. A task whose run is leased is IN_PROGRESS, and its worker is the holder of the
 * lease. They are read from the run, because a poll changes the run only.
 */
import type { RunRow } from 'carillon/internal/service';
import { shownHolder } from 'carillon/internal/service';
import type { Parameters } from '../../../flow/definition.ts';
import { allTasks } from '../../../flow/definition.ts';
import type { Flow, FlowTask } from '../../../flow/flow.ts';
import { writtenTask } from '../../../flow/flow.ts';
import type { SeenFlow } from '../../../flow/flow-reads.ts';
import { settingsOf } from '../../../flow/retry-delay.ts';
import { definitionJson, taskDefinitionJson, workflowTaskJson } from './definition-json.ts';

export function flowJson(
  { flow, runs }: SeenFlow,
  { includeTasks = true }: { readonly includeTasks?: boolean } = {},
): object {
  const { origin, reason, failedReferences } = flow;
  const { definition, taskDefinitions, correlationId, parent } = origin;
  const names = new Map([...allTasks(definition.tasks)].map((task) => [task.taskReferenceName, task.name]));
  return {
    ownerApp: '',
    createTime: origin.startedAt,
    updateTime: flow.updatedAt,
    status: flow.status,
    endTime: flow.endedAt ?? 0,
    workflowId: origin.workflowId,
    ...(parent?.workflowId === undefined
      ? {}
      : { parentWorkflowId: parent.workflowId, parentWorkflowTaskId: parent.taskId }),
    tasks: includeTasks ? flow.tasks.map((task) => taskJson(flow, task, runs.get(task.id))) : [],
    input: origin.input,
    output: flow.output,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(reason === undefined ? {} : { reasonForIncompletion: reason }),
    taskToDomain: origin.taskToDomain,
    failedReferenceTaskNames: failedReferences,
    workflowDefinition: definitionJson(definition, undefined, taskDefinitions),
    priority: origin.priority,
    variables: flow.variables,
    lastRetriedTime: flow.lastRetriedAt ?? 0,
    failedTaskNames: [
      ...new Set(
        failedReferences.map((reference) => names.get(reference.split('__', 1)[0] ?? '') ?? reference),
      ),
    ],
    history: [],
    rateLimited: false,
    startTime: origin.startedAt,
    workflowName: definition.name,
    workflowVersion: definition.version,
  };
}

export function taskJson(flow: Flow, task: FlowTask, run?: RunRow): object {
  const { definition, taskDefinitions, workflowId, correlationId, priority } = flow.origin;
  const written = writtenTask(allTasks(definition.tasks), task);
  const isSkipped = task.status === 'SKIPPED';
  const settings = written === undefined || isSkipped ? undefined : settingsOf(written, taskDefinitions);
  const isHeld = run?.state === 'leased';
  const workerId = isHeld ? shownHolder(run.worker, run.namespace) : task.workerId;
  const startTime = task.startedAt ?? run?.startedAt ?? 0;
  return {
    taskType: taskTypeOf(task),
    status: isHeld && task.status === 'SCHEDULED' ? 'IN_PROGRESS' : task.status,
    inputData: task.input,
    referenceTaskName: task.reference,
    retryCount: task.retryCount,
    seq: task.seq,
    ...(correlationId === undefined ? {} : { correlationId }),
    pollCount: task.pollCount + (run?.attempt ?? 0),
    taskDefName: task.name,
    scheduledTime: task.scheduledAt,
    startTime,
    endTime: task.endedAt ?? 0,
    updateTime: task.updatedAt,
    startDelayInSeconds: written?.startDelay ?? 0,
    ...(task.retriedTaskId === undefined ? {} : { retriedTaskId: task.retriedTaskId }),
    retried: task.retried,
    executed: task.endedAt !== null && !task.retried,
    callbackFromWorker: true,
    responseTimeoutSeconds: settings?.responseTimeoutSeconds ?? 0,
    workflowInstanceId: workflowId,
    ...(isSkipped ? {} : { workflowType: definition.name }),
    taskId: task.id,
    ...(task.reason === undefined ? {} : { reasonForIncompletion: task.reason }),
    callbackAfterSeconds: isHeld ? 0 : task.callbackAfterSeconds,
    ...(workerId === undefined || workerId === '' ? {} : { workerId }),
    outputData: task.output,
    ...(written === undefined ? {} : { workflowTask: workflowTaskJson(written, taskDefinitions) }),
    ...(task.domain === undefined ? {} : { domain: task.domain }),
    rateLimitPerFrequency: settings?.rateLimitPerFrequency ?? 0,
    rateLimitFrequencyInSeconds: settings?.rateLimitFrequencyInSeconds ?? 0,
    workflowPriority: priority,
    iteration: task.iteration,
    ...subWorkflowOf(task),
    subworkflowChanged: false,
    firstStartTime: 0,
    executionMetadata: { additionalContext: {}, empty: true, additionalContextMap: {} },
    taskDefinition:
      settings === undefined
        ? null
        : taskDefinitionJson({ definition: settings, createTime: 0, updateTime: 0 }),
    loopOverTask: task.iteration > 0 && task.type !== 'DO_WHILE',
    queueWaitTime: startTime === 0 ? 0 : Math.max(0, startTime - task.scheduledAt),
  };
}

/** A sub-workflow has the id of the first run that waits for it. */
function subWorkflowOf({ type, run, output, child }: FlowTask): { readonly subWorkflowId?: unknown } {
  const id = output.subWorkflowId ?? child ?? run;
  return type === 'SUB_WORKFLOW' && id !== null ? { subWorkflowId: id } : {};
}

/** A SIMPLE task has the name of its worker as type. */
export function taskTypeOf({ type, name }: FlowTask): string {
  if (type === 'SIMPLE') return name;
  return type === 'FORK_JOIN' ? 'FORK' : type;
}

/** A workflow as a search shows it: texts instead of objects. */
export function flowSummaryJson(flow: Flow): object {
  const { origin } = flow;
  const input = javaText(origin.input);
  const output = javaText(flow.output);
  const end = flow.endedAt;
  return {
    workflowType: origin.definition.name,
    version: origin.definition.version,
    workflowId: origin.workflowId,
    ...(origin.correlationId === undefined ? {} : { correlationId: origin.correlationId }),
    startTime: iso(origin.startedAt),
    updateTime: iso(flow.updatedAt),
    ...(end === null ? {} : { endTime: iso(end) }),
    status: flow.status,
    input,
    output,
    ...(flow.reason === undefined ? {} : { reasonForIncompletion: flow.reason }),
    executionTime: (end ?? flow.updatedAt) - origin.startedAt,
    failedReferenceTaskNames: flow.failedReferences.join(','),
    priority: origin.priority,
    failedTaskNames: [...flow.failedReferences],
    taskToDomain: origin.taskToDomain,
    parentWorkflowId: origin.parent?.workflowId ?? '',
    classifier: 'workflow',
    inputSize: input.length,
    outputSize: output.length,
  };
}

export function taskSummaryJson(flow: Flow, task: FlowTask): object {
  const { origin } = flow;
  const start = task.startedAt ?? task.scheduledAt;
  return {
    workflowId: origin.workflowId,
    workflowType: origin.definition.name,
    ...(origin.correlationId === undefined ? {} : { correlationId: origin.correlationId }),
    scheduledTime: iso(task.scheduledAt),
    startTime: iso(start),
    updateTime: iso(task.updatedAt),
    endTime: iso(task.endedAt ?? task.updatedAt),
    status: task.status,
    ...(task.reason === undefined ? {} : { reasonForIncompletion: task.reason }),
    executionTime: (task.endedAt ?? task.updatedAt) - start,
    queueWaitTime: start - task.scheduledAt,
    taskDefName: task.name,
    taskType: taskTypeOf(task),
    input: javaText(task.input),
    output: javaText(task.output),
    taskId: task.id,
    ...(task.domain === undefined ? {} : { domain: task.domain }),
    workflowPriority: origin.priority,
  };
}

/** A value as Java writes it, `{a=1, b=[x]}`: the searches of the original show maps in this form. */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value as Parameters)
    .map(([name, item]) => `${name}=${javaText(item)}`)
    .join(', ')}}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
