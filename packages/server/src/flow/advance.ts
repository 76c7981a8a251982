/** One step of a workflow: a change, the decision that follows from it, and its runs, in one transaction. */

import { taskName } from 'carillon/engine';
import type { RunRow } from 'carillon/internal/archetype';
import { failureTypes } from 'carillon/internal/archetype';
import { addTime, given } from 'carillon/internal/base';
import { decide } from './decide.ts';
import type { Parameters } from './definition.ts';
import { allTasks } from './definition.ts';
import type { EndReport, Flow, FlowEnd, FlowParent, FlowTask } from './flow.ts';
import { isEnded, isOpenTask, withTask, writtenTask } from './flow.ts';
import { startJob, startWork } from './flow-runs.ts';
import type { FlowNode } from './flow-tree.ts';
import { FlowRoot, loadFlow, saveFlow } from './flow-tree.ts';
import { settingsOf } from './retry-delay.ts';
import { msOf } from './seconds.ts';
import type { TaskEnd } from './task-end.ts';
import { endTask } from './task-end.ts';

export const tick = taskName<typeof FlowRoot>(FlowRoot, 'tick');
export const stopRuns = taskName<typeof FlowRoot>(FlowRoot, 'stopRuns');

/** Applies a change and everything that follows from it. Returns the workflow as it is then. */
export function advance(
  root: FlowNode,
  change: (flow: Flow) => Flow = (flow) => flow,
  finished?: RunRow,
): Flow {
  const before = loadFlow(root);
  const changed = change(before);
  const { flow: decided, work, overdue, wakeAt } = decide(changed, root.now);
  let flow = decided;
  const upTo = root.state.starts - 1;
  for (const each of work) {
    const task = flow.tasks.find(({ id }) => id === each.task.id) as FlowTask;
    const run = startWork(root, flow, each);
    flow = withTask(flow, { ...task, run: run.id });
    if (each.kind === 'worker' && each.settings.pollTimeoutSeconds > 0) watchPoll(root, run, each.settings);
  }
  // All runs of a workflow that has ended are stopped.
  if (overdue.length > 0 && !isEnded(flow)) startJob(root, 'stopOverdue', { runs: overdue });
  endChildren(root, before, flow, finished);
  if (isEnded(flow) && !isEnded(before)) {
    const isWorking = before.tasks.some(({ run }) => run !== null && run !== finished?.id);
    flow = close(root, flow, isWorking ? upTo : null);
  }
  saveFlow(root, before, flow);
  if (wakeAt !== null) root.schedule(tick, null, wakeAt);
  return flow;
}

/** Ends the sub-workflows of tasks that were cancelled or timed out: no task waits for them any more. */
function endChildren(root: FlowNode, before: Flow, after: Flow, finished: RunRow | undefined): void {
  const waited = before.tasks.filter(
    ({ type, run }) => type === 'SUB_WORKFLOW' && run !== null && run !== finished?.id,
  );
  if (waited.length === 0) return;
  const now = new Map(after.tasks.map((task) => [task.id, task.status]));
  for (const { id, run, child } of waited) {
    const status = now.get(id);
    if (status !== 'CANCELED' && status !== 'TIMED_OUT') continue;
    const reason = `Parent workflow has been terminated with reason: ${after.reason ?? ''}`;
    startJob(root, 'endChild', { run, child: child ?? run, reason });
  }
}

function watchPoll(
  root: FlowNode,
  run: RunRow,
  { pollTimeoutSeconds }: { readonly pollTimeoutSeconds: number },
): void {
  const at = addTime(run.availableAt, msOf(pollTimeoutSeconds));
  startJob(root, 'pollTimeout', { run: run.id, seconds: pollTimeoutSeconds }, at);
}

/** The consequences of the end of a workflow: open runs are stopped, its parent is informed, its failure workflow starts. */
function close(root: FlowNode, flow: Flow, upTo: number | null): Flow {
  if (upTo !== null) {
    root.set({ ...root.state, stopping: upTo });
    root.schedule(stopRuns, null);
  }
  const { origin, status, output, reason } = flow;
  const { failureWorkflow } = origin.definition;
  let ended = flow;
  if (failureWorkflow !== undefined && (status === 'FAILED' || status === 'TIMED_OUT')) {
    const id = `${origin.workflowId}-failure-${flow.next}`;
    const failed = flow.tasks.findLast(({ reference }) => flow.failedReferences.includes(reference));
    const input = {
      ...origin.input,
      reason: reason ?? '',
      workflowId: origin.workflowId,
      failureStatus: status,
      failureTaskId: failed?.id ?? '',
    };
    startJob(root, 'startFailure', {
      id,
      name: failureWorkflow,
      input,
      ...given({ correlationId: origin.correlationId }),
    });
    ended = { ...flow, output: { ...output, 'conductor.failure_workflow': id } };
  }
  if (origin.parent !== undefined) startJob(root, 'tellParent', endReportOf(origin.parent, flow));
  return ended;
}

export function endReportOf(parent: FlowParent, { origin, status, output, reason }: Flow): EndReport {
  const { definition, workflowId } = origin;
  const shown = `Sub workflow ${definition.name}.${definition.version}/${workflowId} failure reason: ${reason ?? 'null'}`;
  return {
    ...parent,
    child: workflowId,
    status: status as FlowEnd,
    output,
    reason: parent.workflowId === undefined ? (reason ?? null) : shown,
  };
}

/** Called in the transaction that ends a run of the workflow. */
export function runFinished(root: FlowNode, run: RunRow): undefined {
  if (run.alias === null) return;
  const id = run.alias;
  advance(
    root,
    (flow) => {
      const task = flow.tasks.find((each) => each.id === id);
      // The end of a run does not count when the run was stopped or its task ended in another way.
      if (task === undefined || task.run !== run.id || !isOpenTask(task)) return flow;
      return endTask(flow, id, endOf(flow, task, run), root.now);
    },
    run,
  );
}

function endOf(flow: Flow, task: FlowTask, run: RunRow): TaskEnd {
  const seen = { startedAt: run.startedAt, pollCount: task.pollCount + run.attempt };
  const result: unknown = run.result === null ? null : JSON.parse(run.result);
  if (run.outcome === 'completed') {
    const isScript = task.type === 'INLINE' || task.type === 'SWITCH' || task.type === 'DO_WHILE';
    return { status: 'COMPLETED', ...seen, ...(isScript ? { value: result } : { output: outputOf(result) }) };
  }
  const { message = '', type = '', nonRetryable = false, details } = (result ?? {}) as Partial<StoredFailure>;
  const output = isParameters(details) ? { output: { ...task.output, ...details } } : {};
  if (task.type === 'SUB_WORKFLOW' && type === 'TERMINATED')
    return { status: 'CANCELED', reason: message, ...seen, ...output };
  if (task.type === 'SUB_WORKFLOW' && type === 'TIMED_OUT')
    return { status: 'TIMED_OUT', timeout: 'response', reason: message, ...seen, ...output };
  if (run.outcome === 'timedOut') {
    const timeout = type === failureTypes.leaseLost ? 'response' : 'task';
    return {
      status: 'TIMED_OUT',
      timeout,
      reason: timeout === 'task' ? `Task timed out: ${message}` : silenceReason(flow, task),
      ...seen,
      ...output,
    };
  }
  if (run.outcome === 'failed' && type === pollTimedOut)
    return { status: 'TIMED_OUT', timeout: 'poll', reason: message, ...seen };
  const isFinal = nonRetryable || run.outcome !== 'failed';
  return { status: isFinal ? 'FAILED_WITH_TERMINAL_ERROR' : 'FAILED', reason: message, ...seen, ...output };
}

/** The failure type of a task that no worker polled in time. */
export const pollTimedOut = 'PollTimedOut';

interface StoredFailure {
  readonly message: string;
  readonly type: string;
  readonly nonRetryable: boolean;
  readonly details: unknown;
}

function silenceReason({ origin }: Flow, task: FlowTask): string {
  const written = writtenTask(allTasks(origin.definition.tasks), task);
  const seconds =
    written === undefined ? 0 : settingsOf(written, origin.taskDefinitions).responseTimeoutSeconds;
  return `responseTimeout: ${seconds} exceeded for the taskId: ${task.id} with Task Definition: ${task.name}`;
}

function outputOf(result: unknown): Parameters {
  if (result === null || result === undefined) return {};
  return isParameters(result) ? result : { result };
}

function isParameters(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
