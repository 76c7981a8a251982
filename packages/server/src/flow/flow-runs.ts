/** The runs of a workflow: the queue and the limits of the work of a task. */
import { newRun, type RunRow, runId } from 'carillon/internal/archetype';
import type { FlowWork } from './decide.ts';
import type { Flow } from './flow.ts';
import type { FlowNode } from './flow-tree.ts';
import { msOf } from './seconds.ts';

/** The queue of work that the server does itself: requests, scripts, sub-workflows, and the work after the end of a workflow. */
export const flowQueue = '@flow';

const taskQueuePrefix = 'conductor:';

/** The queue on which SIMPLE tasks of a type wait for workers. */
export function taskQueue(type: string, domain?: string): string {
  return `${taskQueuePrefix}${domain === undefined || domain === '' ? '' : `${domain}:`}${type}`;
}

export function isTaskQueue(queue: string): boolean {
  return queue.startsWith(taskQueuePrefix);
}

/** The task types that may wait on a queue. There may be two, because a colon may be part of a domain or of a type. */
export function taskTypesOf(queue: string): readonly string[] {
  const parts = queue.slice(taskQueuePrefix.length).split(':');
  return parts.map((_, from) => parts.slice(from).join(':'));
}

/** The name of the work on `flowQueue`. */
export type FlowJob =
  | Exclude<FlowWork['kind'], 'worker'>
  | 'tellParent'
  | 'startFailure'
  | 'pollTimeout'
  | 'stopOverdue'
  | 'endChild';

const untilDone = { attempts: 0, initialMs: 1000, maxMs: 60_000, coefficient: 2 };

export function startWork(root: FlowNode, flow: Flow, work: FlowWork): RunRow {
  const { task, kind, settings, availableAt, input } = work;
  const isWorker = kind === 'worker';
  const { timeoutSeconds, timeoutPolicy, responseTimeoutSeconds } = settings;
  const isTimed = timeoutSeconds > 0 && timeoutPolicy !== 'ALERT_ONLY' && kind !== 'subWorkflow';
  return start(root, {
    identity: `${task.id}:${task.iteration}`,
    alias: task.id,
    queue: isWorker ? taskQueue(task.name, task.domain) : flowQueue,
    name: isWorker ? task.name : kind,
    input: isWorker ? task.input : { input, taskId: task.id, workflowId: flow.origin.workflowId },
    priority: flow.origin.priority,
    availableAt,
    options: {
      // One attempt, even after a worker fell silent, because a retry is another task, which the workflow decides.
      // The start of a sub-workflow is repeated, because it fails only when the store fails.
      retry: kind === 'subWorkflow' ? untilDone : { attempts: 1 },
      ...(isWorker ? { takeovers: 0, leaseMs: msOf(responseTimeoutSeconds) } : {}),
      ...(isTimed ? { attemptTimeoutMs: msOf(timeoutSeconds) } : {}),
      workflowId: `${flow.origin.workflowId}/${task.reference}`,
    },
  });
}

/** Work after the end of a workflow. It is repeated until it succeeds, because nothing else would do it. */
export function startJob(root: FlowNode, name: FlowJob, input: unknown, availableAt = root.now): RunRow {
  return start(root, {
    identity: `${name}:${root.state.starts}`,
    alias: null,
    queue: flowQueue,
    name,
    input,
    priority: 0,
    availableAt,
    options: { retry: untilDone },
  });
}

type Start = Pick<
  Parameters<typeof newRun>[0],
  'queue' | 'name' | 'input' | 'priority' | 'availableAt' | 'options' | 'alias'
> & {
  readonly identity: string;
};

function start(root: FlowNode, { identity, ...fields }: Start): RunRow {
  const { now, incarnation, key, state } = root;
  const run = newRun({
    ...fields,
    id: runId(now, `${incarnation}:${identity}:${state.starts}`),
    namespace: key.namespace,
    owner: incarnation,
    ordinal: state.starts,
    now,
  });
  root.set({ ...state, starts: state.starts + 1 });
  root.startRun(run);
  return run;
}
