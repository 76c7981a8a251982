/** Applies the end of a task's work, or a report of its worker, to the workflow. */
import type { Instant } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import { switchOutput } from './begin-task.ts';
import type { Parameters, WorkflowTask } from './definition.ts';
import { allTasks } from './definition.ts';
import type { Flow, FlowTask } from './flow.ts';
import { isEnded, isOpenTask, withTask, writtenTask } from './flow.ts';

export type TaskEndStatus = 'COMPLETED' | 'FAILED' | 'FAILED_WITH_TERMINAL_ERROR' | 'TIMED_OUT' | 'CANCELED';

export interface TaskEnd {
  readonly status: TaskEndStatus;
  readonly output?: Parameters;
  /** The value of a script. */
  readonly value?: unknown;
  readonly reason?: string;
  readonly timeout?: NonNullable<FlowTask['timeout']>;
  readonly workerId?: string;
  readonly pollCount?: number;
  readonly startedAt?: Instant | null;
  /** Set when the end comes from outside, the only way in which an `asyncComplete` task ends. */
  readonly fromOutside?: true;
}

/** Ends a task. A task that has ended, or whose workflow has ended, does not change. */
export function endTask(flow: Flow, id: string, end: TaskEnd, now: Instant): Flow {
  const task = flow.tasks.find((each) => each.id === id);
  if (task === undefined || !isOpenTask(task) || isEnded(flow)) return flow;
  const written = writtenTask(allTasks(flow.origin.definition.tasks), task);
  return withTask(flow, ended(task, end, { now, written }));
}

function ended(
  task: FlowTask,
  end: TaskEnd,
  { now, written }: { readonly now: Instant; readonly written: WorkflowTask | undefined },
): FlowTask {
  // An end from outside brings the id of its own worker, or none.
  const { workerId: _, ...known } = task;
  const begun: FlowTask = {
    ...(end.fromOutside === true ? known : task),
    run: null,
    dueAt: null,
    updatedAt: now,
    startedAt: end.startedAt ?? task.startedAt,
    callbackAfterSeconds: task.type === 'WAIT' ? task.callbackAfterSeconds : 0,
    pollCount: end.pollCount ?? task.pollCount,
    ...given({ workerId: end.workerId }),
  };
  const { reason: __, ...withoutReason } = begun;
  if (end.status !== 'COMPLETED') {
    const { status, reason, timeout, output = task.output } = end;
    return { ...withoutReason, status, output, endedAt: now, ...given({ reason, timeout }) };
  }
  const output = outputOf(task, end);
  if (task.type === 'DO_WHILE' && end.fromOutside !== true && isTrue(end.value))
    return {
      ...withoutReason,
      iteration: task.iteration + 1,
      output: { ...task.output, iteration: task.iteration + 1 },
    };
  if (written?.asyncComplete === true && end.fromOutside !== true)
    return { ...withoutReason, status: 'IN_PROGRESS', output, startedAt: begun.startedAt ?? now };
  return { ...withoutReason, status: 'COMPLETED', output, endedAt: now, ...given({ reason: end.reason }) };
}

function outputOf(task: FlowTask, end: TaskEnd): Parameters {
  if (end.fromOutside === true) return { ...task.output, ...end.output };
  switch (task.type) {
    case 'SWITCH':
      return switchOutput(end.value);
    case 'INLINE':
      return { result: end.value ?? null };
    case 'DO_WHILE':
      return task.output;
    default:
      return { ...task.output, ...end.output };
  }
}

/** Whether the result of a script means yes: a truthy value, or for a text the word `true`. */
function isTrue(value: unknown): boolean {
  return typeof value === 'string' ? value.toLowerCase() === 'true' : Boolean(value);
}

export interface TaskProgress {
  readonly output?: Parameters;
  readonly callbackAfterSeconds: number;
  readonly workerId?: string;
  readonly reason?: string;
  readonly pollCount?: number;
  readonly startedAt?: Instant | null;
}

/** Stores the report of a worker that continues its task later. */
export function noteProgress(flow: Flow, id: string, progress: TaskProgress, now: Instant): Flow {
  const task = flow.tasks.find((each) => each.id === id);
  if (task === undefined || !isOpenTask(task) || isEnded(flow)) return flow;
  const { output, callbackAfterSeconds, workerId, reason, startedAt, pollCount } = progress;
  return withTask(flow, {
    ...task,
    output: { ...task.output, ...output },
    callbackAfterSeconds,
    updatedAt: now,
    startedAt: startedAt ?? task.startedAt,
    pollCount: pollCount ?? task.pollCount,
    ...given({ workerId, reason }),
  });
}
