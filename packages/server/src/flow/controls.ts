/**
 * The operations that a person may perform on a workflow, as pure functions. Each returns the changed workflow, to be decided
 * next, or throws a refusal.
 */
import type { Instant } from 'carillon/internal/base';
import { given, ServiceError } from 'carillon/internal/base';
import { endFlow } from './decide.ts';
import { allTasks } from './definition.ts';
import type { Flow, FlowOrigin, FlowParent, FlowTask } from './flow.ts';
import { isEnded, isOpenTask, isSuccessful, newFlow, taskId, writtenTask } from './flow.ts';
import { newTask } from './new-task.ts';

export function pauseFlow(flow: Flow, now: Instant): Flow {
  if (flow.status === 'PAUSED') return flow;
  if (isEnded(flow)) {
    const { definition, workflowId } = flow.origin;
    const message = `Workflow ${definition.name}.${definition.version}/${workflowId} has ended, status cannot be updated.`;
    throw refusal('alreadyExists', 'WORKFLOW_ENDED', message);
  }
  return { ...flow, status: 'PAUSED', updatedAt: now };
}

export function resumeFlow(flow: Flow, now: Instant): Flow {
  if (flow.status !== 'PAUSED') {
    const message = `The workflow ${flow.origin.workflowId} is not PAUSED so cannot resume. Current status is ${flow.status}`;
    throw refusal('failedPrecondition', 'NOT_PAUSED', message);
  }
  return { ...flow, status: 'RUNNING', updatedAt: now };
}

/** Ends the workflow at once; one that was terminated before does not change. */
export function terminateFlow(flow: Flow, reason: string | undefined, now: Instant): Flow {
  if (flow.status === 'TERMINATED') return flow;
  if (isEnded(flow)) {
    throw refusal('alreadyExists', 'WORKFLOW_ENDED', `Cannot terminate a ${flow.status} workflow.`);
  }
  return endFlow(flow, { status: 'TERMINATED', ...given({ reason }) }, now);
}

/** Repeats the tasks that failed or were cancelled, and continues the workflow from there. */
export function retryFlow(flow: Flow, now: Instant): Flow {
  if (!isEnded(flow))
    throw refusal('notFound', 'STILL_RUNNING', `Workflow is still running.  status=${flow.status}`);
  if (flow.status === 'COMPLETED') {
    const message =
      'There are no retryable tasks! Use restart if you want to attempt entire workflow execution again.';
    throw refusal('alreadyExists', 'WORKFLOW_COMPLETED', message);
  }
  if (flow.tasks.length === 0) {
    throw refusal('alreadyExists', 'NOTHING_TO_RETRY', 'Workflow has not started yet');
  }
  return retried(flow, now);
}

function retried(flow: Flow, now: Instant): Flow {
  const { reason: _, ...kept } = flow;
  const reopened: Flow = {
    ...kept,
    status: 'RUNNING',
    lastRetriedAt: now,
    updatedAt: now,
    failedReferences: [],
  };
  const newest = new Map(flow.tasks.map((task) => [task.reference, task.id]));
  let { next } = flow;
  const added: FlowTask[] = [];
  const tasks = flow.tasks.map((task): FlowTask => {
    if (isSuccessful(task) || newest.get(task.reference) !== task.id) return task;
    // A loop or a join continues as the same instance, because it keeps the outputs that it has collected.
    if (task.type === 'JOIN' || task.type === 'DO_WHILE')
      return { ...withoutReason(task), status: 'IN_PROGRESS', endedAt: null, updatedAt: now };
    const seq = (flow.tasks.at(-1)?.seq ?? 0) + added.length + 1;
    added.push({
      ...newTask(task, now),
      id: taskId(flow.origin.workflowId, next),
      ordinal: next,
      seq,
      retryCount: task.retryCount + 1,
      retriedTaskId: task.id,
    });
    next += 1;
    return { ...task, retried: true };
  });
  return { ...reopened, tasks: [...tasks, ...added], next };
}

/**
 * Continues a workflow whose sub-workflow was restarted: the task that waited for it waits again, as the same instance.
 * Returns undefined when the workflow no longer waits for it.
 */
export function rejoinFlow(flow: Flow, waiting: FlowParent, child: string, now: Instant): Flow | undefined {
  const task = flow.tasks.find(({ id }) => id === waiting.taskId);
  if (task === undefined || task.retried) return undefined;
  const written = writtenTask(allTasks(flow.origin.definition.tasks), task);
  if (written?.optional === true) return undefined;
  // The other tasks that were cancelled with the workflow are repeated, as by a retry.
  const held: FlowTask = { ...task, status: 'SKIPPED' };
  const holding = { ...flow, tasks: flow.tasks.map((each) => (each === task ? held : each)) };
  const others = isEnded(flow) ? retried(holding, now) : holding;
  const { subWorkflowId: _, ...output } = task.output;
  const again: FlowTask = {
    ...withoutReason(task),
    status: 'SCHEDULED',
    output,
    child,
    run: null,
    endedAt: null,
    updatedAt: now,
  };
  return { ...others, tasks: others.tasks.map((each) => (each === held ? again : each)) };
}

/** The sub-workflow whose failure made the workflow fail; undefined when there is none. */
export function failedChild(flow: Flow): string | undefined {
  const newest = new Map(flow.tasks.map((task) => [task.reference, task]));
  const failed = [...newest.values()].find(
    (task) => task.type === 'SUB_WORKFLOW' && !isOpenTask(task) && !isSuccessful(task),
  );
  const child = failed?.output.subWorkflowId;
  return typeof child === 'string' ? child : undefined;
}

export function withoutReason(task: FlowTask): FlowTask {
  const { reason: _, timeout: __, ...kept } = task;
  return kept;
}

/** Restarts the workflow from the first task, under the same id. */
export function restartFlow(flow: Flow, origin: FlowOrigin): Flow {
  if (!isEnded(flow)) {
    throw refusal(
      'alreadyExists',
      'STILL_RUNNING',
      `Workflow: ${shownName(flow)} is not in terminal state, unable to restart.`,
    );
  }
  if (flow.status === 'COMPLETED' && !flow.origin.definition.restartable) {
    throw refusal('notFound', 'NOT_RESTARTABLE', `Workflow: ${shownName(flow)} is non-restartable`);
  }
  return newFlow(origin, flow.next);
}

/** Passes over a task that has not been scheduled yet. */
export function skipTask(flow: Flow, reference: string, now: Instant): Flow {
  if (isEnded(flow)) {
    throw refusal(
      'alreadyExists',
      'WORKFLOW_ENDED',
      `The workflow ${flow.origin.workflowId} has ended as ${flow.status}`,
    );
  }
  const written = [...allTasks(flow.origin.definition.tasks)].find(
    (task) => task.taskReferenceName === reference,
  );
  if (written === undefined) {
    const message = `The task reference name '${reference}' does not exist in the WorkflowDefinition.`;
    throw refusal('failedPrecondition', 'NO_SUCH_TASK', message);
  }
  if (flow.tasks.some((task) => task.reference === reference)) {
    const message = `The task referenced '${reference}' has already been processed, cannot be skipped`;
    throw refusal('failedPrecondition', 'TASK_BEGUN', message);
  }
  const { name, type } = written;
  const known = { reference, written: reference, name, type, input: {}, iteration: 0 };
  const skipped: FlowTask = {
    ...newTask(known, now),
    id: taskId(flow.origin.workflowId, flow.next),
    ordinal: flow.next,
    seq: 0,
    status: 'SKIPPED',
    endedAt: now,
  };
  return { ...flow, tasks: [skipped, ...flow.tasks], next: flow.next + 1, updatedAt: now };
}

export function shownName({ origin, status }: Flow): string {
  const { definition, workflowId } = origin;
  return `${definition.name}.${definition.version}/${workflowId}.${status}`;
}

export function refusal(
  code: 'alreadyExists' | 'failedPrecondition' | 'notFound' | 'invalidArgument',
  reason: string,
  message: string,
): ServiceError {
  return new ServiceError({ code, reason, message });
}
