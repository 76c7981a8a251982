/**
 * A periodic task as code declares it, with the field names of the original registry (`id`, `cron`, `job`, `payload`,
 * `priority`, `timezone`, `enabled`, `description`) and with fields that it lacked: intervals, bounds, jitter,
 * overlap, missed runs.
 */
import type { JobTargets } from '../action/kind.ts';
import { jobKinds } from '../action/kind.ts';
import type { DurationInput } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';

export type TaskPriority = 'high' | 'normal' | 'low';

/** What happens to an occurrence while the job before it is unfinished. */
export type TaskOverlap =
  /** It is skipped, and recorded as skipped. */
  | 'skip'
  /** One occurrence waits. */
  | 'queueOne'
  /** All occurrences wait, in order. */
  | 'queueAll'
  /** Both jobs run. */
  | 'allow';

/** What happens to occurrences at which no process was running, inside the misfire window. */
export type TaskMissed =
  /** Only the latest of them runs. */
  | 'once'
  | 'skip'
  | 'all'
  /** The newest `catchUp` of them run, oldest first. */
  | { readonly catchUp: number };

/** Why a job runs. */
export type TaskTrigger = 'cron' | 'manual' | 'backfill';

export interface TaskContext<Payload = unknown> extends Omit<RunContext<Payload>, 'input'> {
  readonly payload: Payload;
  readonly trigger: TaskTrigger;
  /** When this attempt began; `scheduledAt` is the occurrence. */
  readonly actualAt: Instant;
}

/** Fields of a task that a schedule knows by the same name and with the same meaning. */
export const sharedFields = [
  'cron',
  'every',
  'description',
  'jitter',
  'startAt',
  'endAt',
  'tags',
  'pauseAfterFailures',
  'retry',
  'attemptTimeout',
  'timeout',
] as const satisfies readonly (keyof ScheduleInput)[];

/**
 * Everything about a task except its handler: the fields that it shares with a schedule, a kind of `JobTargets` for a
 * job outside this program (which also receives `payload`), and the registry's own fields.
 */
export interface TaskDeclaration<Payload = unknown>
  extends JobTargets,
    Pick<ScheduleInput, (typeof sharedFields)[number]> {
  /** The id: letters, digits, `_` and `-`. */
  readonly id: string;
  /** The name of the handler, in this or another process. Default for a task with `run`: the id. */
  readonly job?: string;
  /** The JSON input of the job. */
  readonly payload?: Payload;
  /** The priority of the jobs. Default `normal`. */
  readonly priority?: TaskPriority;
  /** The IANA name of the time zone. Default UTC. */
  readonly timezone?: string;
  /** Whether the task runs. Default true. A pause or resume by a person stays in force until this value changes. */
  readonly enabled?: boolean;
  /** The queue of the handler. Default `default`. */
  readonly queue?: string;
  /** Whether the task also runs once when it is first seen. Default false. */
  readonly runOnRegister?: boolean;
  /** What happens to missed occurrences. Default `once`. */
  readonly missed?: TaskMissed;
  /** How late an occurrence may still run. Default one day. */
  readonly misfireWindow?: DurationInput;
  /**
   * What happens while the job before is unfinished. Default `skip`; with `missed` set to all or to a number,
   * `queueAll`.
   */
  readonly overlap?: TaskOverlap;
  /** The most occurrences that run; after them the task has ended. */
  readonly maxRuns?: number;
  /**
   * Wall-clock times that do not exist, or exist twice. Default: `gapEnd`, the first instant after the gap; `first`,
   * except that tasks which run in every hour keep their interval.
   */
  readonly dst?: NonNullable<ScheduleInput['dst']>;
}

export type TaskHandler<Payload = unknown> = (context: TaskContext<Payload>) => unknown | Promise<unknown>;

/** A task with its handler. */
export interface TypedTask<Payload> extends TaskDeclaration<Payload> {
  readonly run: TaskHandler<NoInfer<Payload>>;
}

/** What `register` accepts: a task with its handler, or with the name of a job that another process handles. */
export interface PeriodicTask extends TaskDeclaration {
  /** The work, as a function of this process. */
  readonly run?: TaskHandler<never>;
}

/** A task as the registry keeps it: a frozen copy with its defaults filled in. */
export type RegisteredTask = PeriodicTask & {
  readonly job: string;
  readonly priority: TaskPriority;
  readonly timezone: string;
  readonly enabled: boolean;
  /** What the task is for. */
  readonly description: string;
  readonly missed: TaskMissed;
  readonly overlap: TaskOverlap;
  readonly misfireWindow: DurationInput;
};

/** Every field a task may have. */
export const taskFields = [
  'id',
  'job',
  'run',
  'payload',
  'priority',
  'timezone',
  'enabled',
  'queue',
  'runOnRegister',
  'missed',
  'misfireWindow',
  'overlap',
  'maxRuns',
  'dst',
  ...sharedFields,
  ...jobKinds,
] as const satisfies readonly (keyof PeriodicTask)[];

/** Fields that may be changed at run time without touching the code. */
export const overridable = [
  'cron',
  'every',
  'timezone',
  'payload',
  'priority',
  'description',
  'missed',
  'misfireWindow',
  'overlap',
  'jitter',
  'startAt',
  'endAt',
  'dst',
  'retry',
  'attemptTimeout',
  'timeout',
] as const satisfies readonly (keyof TaskDeclaration)[];

export type TaskOverrides = Partial<Pick<TaskDeclaration, (typeof overridable)[number]>>;

/** The cause of a slot in the terms of the registry. */
export function triggerOf(cause: string | null): TaskTrigger {
  if (cause === null || cause === 'auto') return 'cron';
  return cause.startsWith('trigger') ? 'manual' : 'backfill';
}
