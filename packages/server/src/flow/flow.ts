/**
 * The state of one workflow, as plain values. `decide.ts` decides what follows from it.
 *
 * A workflow is *running* or *paused* until it ends as completed, failed, timed out or terminated. Its tasks are instances
 * of the tasks of its definition: a retry and each iteration of a loop are separate instances.
 */
import type { Instant } from 'carillon/internal/base';
import type { Parameters, TaskDefinition, TaskType, WorkflowDefinition, WorkflowTask } from './definition.ts';

export const flowStatuses = ['RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'TERMINATED'] as const;
export type FlowStatus = (typeof flowStatuses)[number];
export type FlowEnd = Exclude<FlowStatus, 'RUNNING' | 'PAUSED'>;

export const taskStatuses = [
  'SCHEDULED',
  'IN_PROGRESS',
  'COMPLETED',
  'COMPLETED_WITH_ERRORS',
  'FAILED',
  'FAILED_WITH_TERMINAL_ERROR',
  'TIMED_OUT',
  'CANCELED',
  'SKIPPED',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** The facts of a workflow that do not change while it runs. */
export interface FlowOrigin {
  readonly definition: WorkflowDefinition;
  /** The definitions of its task types by name, as they were when the workflow started. */
  readonly taskDefinitions: Readonly<Record<string, TaskDefinition>>;
  readonly workflowId: string;
  readonly input: Parameters;
  readonly correlationId?: string;
  readonly priority: number;
  readonly taskToDomain: Readonly<Record<string, string>>;
  readonly createdBy?: string;
  /** The run that waits for the end of the workflow: that of a SUB_WORKFLOW task, or of a schedule. */
  readonly parent?: FlowParent;
  readonly startedAt: Instant;
}

export interface FlowParent {
  readonly run: string;
  /** The workflow of the SUB_WORKFLOW task that waits; absent for the run of a schedule. */
  readonly workflowId?: string;
  readonly taskId?: string;
}

/** The report of a workflow's end to the run that waits for it. */
export interface EndReport extends FlowParent {
  /** The workflow that has ended. */
  readonly child: string;
  readonly status: FlowEnd;
  readonly output: Parameters;
  readonly reason: string | null;
}

export interface FlowTask {
  readonly id: string;
  /** The number of the task over all restarts of the workflow; it makes ids unique. */
  readonly ordinal: number;
  /** The position in the order of scheduling, from 1; 0 for a task that was skipped before it could begin. */
  readonly seq: number;
  /** The reference name, with the iteration of each loop around it: `probe__2`. */
  readonly reference: string;
  /** The reference name as it is written in the definition. */
  readonly written: string;
  readonly name: string;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly input: Parameters;
  readonly output: Parameters;
  readonly reason?: string;
  /** The limit that a timed out task exceeded: its own, its worker's silence, its wait for a worker, or the total. */
  readonly timeout?: 'task' | 'response' | 'poll' | 'total';
  readonly retryCount: number;
  /** The instance that this one repeats. */
  readonly retriedTaskId?: string;
  /** Whether another instance repeats this one. */
  readonly retried: boolean;
  /** The iteration of the innermost loop around it, or of itself when it is a loop; 0 outside loops. */
  readonly iteration: number;
  readonly scheduledAt: Instant;
  /** When the first attempt was scheduled; absent when this is the first. */
  readonly firstScheduledAt?: Instant;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly updatedAt: Instant;
  /** The unfinished run of the task, or null. */
  readonly run: string | null;
  /** When a WAIT task ends. */
  readonly dueAt: Instant | null;
  readonly callbackAfterSeconds: number;
  readonly workerId?: string;
  readonly pollCount: number;
  readonly domain?: string;
  /** The restarted workflow that a SUB_WORKFLOW task waits for. */
  readonly child?: string;
}

export interface Flow {
  readonly origin: FlowOrigin;
  readonly status: FlowStatus;
  readonly reason?: string;
  readonly output: Parameters;
  readonly variables: Parameters;
  /** The tasks in the order of `seq`. */
  readonly tasks: readonly FlowTask[];
  /** The ordinal of the next task. */
  readonly next: number;
  readonly updatedAt: Instant;
  readonly endedAt: Instant | null;
  readonly lastRetriedAt: Instant | null;
  readonly failedReferences: readonly string[];
}

/** The most tasks of one workflow, over all its iterations and retries. */
export const mostFlowTasks = 2000;

export function isEnded({ status }: Flow): boolean {
  return status !== 'RUNNING' && status !== 'PAUSED';
}

export function isOpenTask({ status }: FlowTask): boolean {
  return status === 'SCHEDULED' || status === 'IN_PROGRESS';
}

export function isSuccessful({ status }: FlowTask): boolean {
  return status === 'COMPLETED' || status === 'COMPLETED_WITH_ERRORS' || status === 'SKIPPED';
}

export function isFailed({ status }: FlowTask): boolean {
  return status === 'FAILED' || status === 'FAILED_WITH_TERMINAL_ERROR' || status === 'TIMED_OUT';
}

export function taskId(workflowId: string, ordinal: number): string {
  return `${workflowId}.${ordinal}`;
}

/** The workflow of a task; undefined for a text that is not an id of a task. */
export function workflowOfTask(id: string): string | undefined {
  const dot = id.lastIndexOf('.');
  return dot > 0 && /^\d+$/.test(id.slice(dot + 1)) ? id.slice(0, dot) : undefined;
}

export function newFlow(origin: FlowOrigin, next = 1): Flow {
  return {
    origin,
    status: 'RUNNING',
    output: {},
    variables: origin.definition.variables,
    tasks: [],
    next,
    updatedAt: origin.startedAt,
    endedAt: null,
    lastRetriedAt: null,
    failedReferences: [],
  };
}

export function withTask(flow: Flow, task: FlowTask): Flow {
  return { ...flow, tasks: flow.tasks.map((each) => (each.id === task.id ? task : each)) };
}

/** The task of the definition that an instance was made from. */
export function writtenTask(
  tasks: Iterable<WorkflowTask>,
  { written }: Pick<FlowTask, 'written'>,
): WorkflowTask | undefined {
  for (const task of tasks) if (task.taskReferenceName === written) return task;
  return undefined;
}
