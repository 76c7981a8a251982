/**
 * A periodic task as code declares it, in the words of the original registry (`id`, `cron`, `job`, `payload`, `priority`,
 * `timezone`, `enabled`, `description`) and with what that one lacked: intervals, bounds, jitter, overlap, missed runs.
 */
import type { JobTargets } from '../action/kind.ts';
import { jobKinds } from '../action/kind.ts';
import type { DurationInput } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { ActionInput } from '../service/action-input.ts';
import type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';

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

/** What happens to occurrences that nobody was there for, inside the misfire window. */
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

/** Everything about a task but the code it runs. With one of the kinds of `JobTargets` the job goes there, and `payload` with it. */
export interface TaskDeclaration<Payload = unknown> extends JobTargets {
  /** Letters, digits, `_` and `-`. */
  readonly id: string;
  /** Five fields, six with seconds first, or `@hourly` and its kin. Several: any of them. */
  readonly cron?: string | readonly string[];
  /** Instead of cron: `'5m'`, or milliseconds, counted from the Unix epoch. */
  readonly every?: DurationInput;
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
  readonly description?: string;
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
  readonly jitter?: DurationInput;
  readonly startAt?: InstantInput;
  readonly endAt?: InstantInput;
  /** Occurrences that may run in all; then it has ended. */
  readonly maxRuns?: number;
  /**
   * Wall-clock times that do not exist, or exist twice. Default: `gapEnd`, the first instant after the gap; `first`,
   * except that a rhythm such as hourly keeps its beat.
   */
  readonly dst?: NonNullable<ScheduleInput['dst']>;
  readonly tags?: readonly string[];
  /** Pause after this many failures in a row, until somebody resumes it. Default never. */
  readonly pauseAfterFailures?: number;
  /** Attempts of one job. Default one. */
  readonly retry?: ActionInput['retry'];
  /** Of one attempt. */
  readonly attemptTimeout?: DurationInput;
  /** Of the whole job, waiting and retries included. */
  readonly timeout?: DurationInput;
}

export type TaskHandler<Payload = unknown> = (context: TaskContext<Payload>) => unknown | Promise<unknown>;

/** A task that brings its code along. */
export interface TypedTask<Payload> extends TaskDeclaration<Payload> {
  readonly run: TaskHandler<NoInfer<Payload>>;
}

/** What `register` takes: with the code, or with the name of a job that somebody handles. */
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
  'cron',
  'every',
  'job',
  'run',
  'payload',
  'priority',
  'timezone',
  'enabled',
  'description',
  'queue',
  'runOnRegister',
  'missed',
  'misfireWindow',
  'overlap',
  'jitter',
  'startAt',
  'endAt',
  'maxRuns',
  'dst',
  'tags',
  'pauseAfterFailures',
  'retry',
  'attemptTimeout',
  'timeout',
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
