/** Decides whether and when a failed task is repeated. */
import { fractionOf } from 'carillon/internal/base';
import type { TaskDefinition, TaskType, WorkflowTask } from './definition.ts';
import { assumedTask } from './definition.ts';
import type { FlowTask } from './flow.ts';

/** The retry and timeout settings of a task. A system task without a definition has one attempt and no limits. */
export function settingsOf(
  task: WorkflowTask,
  definitions: Readonly<Record<string, TaskDefinition>>,
): TaskDefinition {
  const defined = Object.hasOwn(definitions, task.name) ? definitions[task.name] : undefined;
  if (defined !== undefined) return defined;
  const assumed = assumedTask(task.name);
  return task.type === 'SIMPLE' ? assumed : { ...assumed, retryCount: 0, responseTimeoutSeconds: 0 };
}

/** Task types that only control other tasks. They are never retried by themselves, even if their definition says so. */
const directing: readonly TaskType[] = ['SWITCH', 'FORK_JOIN', 'JOIN', 'DO_WHILE'];

export function mayRetry(task: FlowTask, written: WorkflowTask, settings: TaskDefinition): boolean {
  if (task.status === 'FAILED_WITH_TERMINAL_ERROR' || directing.includes(task.type)) return false;
  return task.retryCount < (written.retryCount ?? settings.retryCount);
}

export function retryDelaySeconds(settings: TaskDefinition, retryCount: number): number {
  const { retryDelaySeconds: delay, maxRetryDelaySeconds: most } = settings;
  const wanted = delayOf(settings, delay, retryCount);
  return Math.min(wanted, most > 0 ? most : longestDelay);
}

/** A day. */
const longestJitterMs = 86_400_000;

/** The addition to the delay of a retry: up to `backoffJitterMs`, derived from the task, so that every node decides the same. */
export function jitterMs({ backoffJitterMs: most }: TaskDefinition, taskId: string): number {
  return most > 0 ? Math.floor(fractionOf(`jitter ${taskId}`) * (Math.min(most, longestJitterMs) + 1)) : 0;
}

/** A year. The bound keeps repeated doubling within the range of numbers. */
const longestDelay = 365 * 86_400;

function delayOf(
  { retryLogic, backoffScaleFactor }: TaskDefinition,
  delay: number,
  retryCount: number,
): number {
  switch (retryLogic) {
    case 'FIXED':
      return delay;
    case 'EXPONENTIAL_BACKOFF':
      return delay * 2 ** Math.min(retryCount, 40);
    case 'LINEAR_BACKOFF':
      return delay * backoffScaleFactor * (retryCount + 1);
  }
}
