/**
 * `carillon/periodic`: periodic tasks declared in code, safe with any number of processes.
 *
 * ```ts
 * const periodic = createPeriodic({ carillon: await openCarillon('sqlite:./jobs.db'), owner: 'billing' });
 * periodic.task({ id: 'cleanup', cron: '0 * * * *', run: async ({ scheduledAt }) => { … } });
 * await periodic.start();
 * ```
 */

export type { JobOrigin } from '../action/slot-job.ts';
export type { DurationInput } from '../base/duration.ts';
export type { Problem } from '../base/error.ts';
export { ServiceError } from '../base/error.ts';
export { checkTask, longestTaskId } from './check-task.ts';
export type { LogFields, PeriodicLogger } from './log-lines.ts';
export { type PeriodicMetrics, periodicMetrics } from './metrics.ts';
export type { EnqueueJob, OutgoingJob } from './other-queue.ts';
export { type ActorOptions, createPeriodic, Periodic, type PeriodicOptions } from './periodic.ts';
export { defaultMisfireWindow, PeriodicRegistry } from './registry.ts';
export type { StateMirrorOptions } from './state-mirror.ts';
export type { PrunePolicy, SyncReport } from './sync.ts';
export type {
  PeriodicTask,
  RegisteredTask,
  TaskContext,
  TaskDeclaration,
  TaskHandler,
  TaskMissed,
  TaskOverlap,
  TaskOverrides,
  TaskPriority,
  TaskTrigger,
  TypedTask,
} from './task.ts';
export type { Occurred, OccurrenceDecision } from './task-history.ts';
export type { TaskBrief, TaskCounts, TaskState } from './task-state.ts';
