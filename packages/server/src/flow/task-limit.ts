/**
 * The times at which an open task times out, as its workflow decides them. A task with a run is also limited by that run: the
 * time of the run counts from the latest poll, and a silent worker loses it.
 */
import type { Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { TaskDefinition } from './definition.ts';
import type { Flow, FlowTask } from './flow.ts';
import { msOf } from './seconds.ts';

export interface TaskLimit {
  readonly at: Instant;
  readonly timeout: Extract<FlowTask['timeout'], 'task' | 'total'>;
  readonly reason: string;
}

/** The latest start, retry or rerun of the workflow. Time before it does not count against a task. */
export function begunAgainAt({ origin, lastRetriedAt }: Flow): Instant {
  return latest(origin.startedAt, lastRetriedAt ?? origin.startedAt);
}

export function taskLimits(task: FlowTask, settings: TaskDefinition, since: Instant): readonly TaskLimit[] {
  const { timeoutSeconds, timeoutPolicy, totalTimeoutSeconds } = settings;
  if (timeoutPolicy === 'ALERT_ONLY') return [];
  const limits: TaskLimit[] = [];
  if (totalTimeoutSeconds > 0) {
    const at = totalEnd(task, settings, since);
    limits.push({ at, timeout: 'total', reason: totalReason(task, settings) });
  }
  if (timeoutSeconds > 0 && !isTimedByRun(task)) {
    const at = addTime(latest(begunAt(task), since), msOf(timeoutSeconds));
    limits.push({ at, timeout: 'task', reason: `Task timed out after ${timeoutSeconds} seconds` });
  }
  return limits;
}

/** Whether a failed task must not be repeated, because all its attempts together took too long. */
export function isOverTotal(
  task: FlowTask,
  settings: TaskDefinition,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): boolean {
  return settings.totalTimeoutSeconds > 0 && totalEnd(task, settings, since) <= now;
}

function totalEnd(task: FlowTask, { totalTimeoutSeconds }: TaskDefinition, since: Instant): Instant {
  return addTime(latest(task.firstScheduledAt ?? task.scheduledAt, since), msOf(totalTimeoutSeconds));
}

function totalReason({ id, name }: FlowTask, { totalTimeoutSeconds }: TaskDefinition): string {
  return `Task ${name}/${id} exceeded total timeout of ${totalTimeoutSeconds} seconds across all attempts`;
}

/** Whether the limits of the run also limit the task. Not for sub-workflows and loops, which take longer than their runs. */
function isTimedByRun({ type, run, status }: FlowTask): boolean {
  if (type === 'SUB_WORKFLOW' || type === 'DO_WHILE') return false;
  return run !== null || status === 'SCHEDULED';
}

function begunAt({ startedAt, scheduledAt, callbackAfterSeconds }: FlowTask): Instant {
  return startedAt ?? addTime(scheduledAt, msOf(callbackAfterSeconds));
}

function latest(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}
