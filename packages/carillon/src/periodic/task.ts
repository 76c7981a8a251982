/**
 * A periodic task as code declares it, in the words of the original registry (`id`, `cron`, `job`, `payload`, `priority`,
 * `timezone`, `enabled`, `description`) and with what that one lacked: intervals, bounds, jitter, overlap, missed runs.
 */
import type { JobTargets } from '../action/kind.ts';
import { jobKinds } from '../action/kind.ts';
import type { DurationInput } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';

export type TaskPriority = 'high' | 'normal' | 'low';

/** What happens to an occurrence while the one before is unfinished. */
export type TaskOverlap =
  /** It is skipped, and recorded as skipped. */
  | 'skip'
  /** One waits. */
  | 'queueOne'
  /** All wait, in order. */
  | 'queueAll'
  /** Both run. */
  | 'allow';

/** What happens to occurrences at which no process was running, inside the misfire window. */
export type TaskMissed =
  /** The latest of them runs. */
  | 'once'
  | 'skip'
  | 'all'
  /** The newest so many, oldest first. */
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
 * Everything about a task but the code it runs: the fields that it shares with a schedule, a kind of `JobTargets` where the
 * job goes elsewhere (and `payload` with it), and the registry's own.
 */
export interface TaskDeclaration<Payload = unknown>
  extends JobTargets,
    Pick<ScheduleInput, (typeof sharedFields)[number]> {
  /** Letters, digits, `_` and `-`. */
  readonly id: string;
  /** Name of the handler, here or in another process. Default, for a task with `run`: the id. */
  readonly job?: string;
  /** JSON for the job. */
  readonly payload?: Payload;
  /** Default `normal`. */
  readonly priority?: TaskPriority;
  /** IANA name. Default UTC. */
  readonly timezone?: string;
  /** Default true. What people do at run time counts until this value itself changes. */
  readonly enabled?: boolean;
  /** Queue of the handler. Default `default`. */
  readonly queue?: string;
  /** Also run once when it is first seen. Default false. */
  readonly runOnRegister?: boolean;
  /** Default `once`. */
  readonly missed?: TaskMissed;
  /** How late an occurrence may still run. Default one day. */
  readonly misfireWindow?: DurationInput;
  /** Default `skip`; with `missed` set to all or to a number, `queueAll`. */
  readonly overlap?: TaskOverlap;
  /** Occurrences that may run in all; then it has ended. */
  readonly maxRuns?: number;
  /**
   * Wall-clock times that do not exist, or exist twice. Default: `gapEnd`, the first instant after the gap; `first`,
   * except that a rhythm such as hourly keeps its beat.
   */
  readonly dst?: NonNullable<ScheduleInput['dst']>;
}

export type TaskHandler<Payload = unknown> = (context: TaskContext<Payload>) => unknown | Promise<unknown>;

/** A task that brings its code along. */
export interface TypedTask<Payload> extends TaskDeclaration<Payload> {
  readonly run: TaskHandler<NoInfer<Payload>>;
}

/** What `register` takes: with the code, or with the name of a job that another process handles. */
export interface PeriodicTask extends TaskDeclaration {
  readonly run?: TaskHandler<never>;
}

/** A task as the registry keeps it: a frozen copy with its defaults filled in. */
export type RegisteredTask = PeriodicTask & {
  readonly job: string;
  readonly priority: TaskPriority;
  readonly timezone: string;
  readonly enabled: boolean;
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

/** The cause of a slot in the words of the registry. */
export function triggerOf(cause: string | null): TaskTrigger {
  if (cause === null || cause === 'auto') return 'cron';
  return cause.startsWith('trigger') ? 'manual' : 'backfill';
}
