/** The document that `${…}` expressions of a workflow read: the workflow under `workflow`, each task under its reference name. */
import type { Parameters } from './definition.ts';
import { resolveValue } from './expression.ts';
import type { Flow, FlowTask } from './flow.ts';

export class Scope {
  readonly #document: Record<string, unknown> = {};

  constructor(flow: Flow) {
    this.workflow(flow);
    for (const task of flow.tasks) this.task(task);
  }

  workflow({ origin, status, output, variables, reason, updatedAt, endedAt }: Flow): void {
    const { definition, correlationId, parent } = origin;
    this.#document.workflow = {
      input: origin.input,
      output,
      variables,
      status,
      workflowId: origin.workflowId,
      workflowType: definition.name,
      version: definition.version,
      correlationId: correlationId ?? null,
      reasonForIncompletion: reason ?? null,
      schemaVersion: definition.schemaVersion,
      parentWorkflowId: parent?.workflowId ?? null,
      taskToDomain: origin.taskToDomain,
      createTime: origin.startedAt,
      startTime: origin.startedAt,
      updateTime: updatedAt,
      endTime: endedAt ?? 0,
      priority: origin.priority,
    };
  }

  /** Adds a task. The newest instance replaces older ones; a task of a loop is also found under its name with the iteration. */
  task(task: FlowTask): void {
    const seen = {
      input: task.input,
      output: task.output,
      status: task.status,
      taskType: task.type,
      taskDefName: task.name,
      taskId: task.id,
      reasonForIncompletion: task.reason ?? null,
      retryCount: task.retryCount,
      pollCount: task.pollCount,
      iteration: task.iteration,
      callbackAfterSeconds: task.callbackAfterSeconds,
      workerId: task.workerId ?? null,
      scheduledTime: task.scheduledAt,
      startTime: task.startedAt ?? 0,
      endTime: task.endedAt ?? 0,
    };
    this.#document[task.written] = seen;
    this.#document[task.reference] = seen;
  }

  /** `CPEWF_TASK_ID` is the id of the task whose parameters are read. */
  resolve(parameters: Parameters, taskId?: string): Parameters {
    const document = taskId === undefined ? this.#document : { ...this.#document, CPEWF_TASK_ID: taskId };
    return resolveValue(parameters, document) as Parameters;
  }
}
