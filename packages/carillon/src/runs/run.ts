/** The parts of a run before it is queued: its options, its priority, and the row they become. */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime, hour } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Failure } from './failure.ts';
import { largestPriority } from './limits.ts';
import type { RetryPolicy } from './retry.ts';

/** The JSON in `RunRow.options`: written once, when the run is made. */
export interface RunOptions {
  /** Absent fields are as in `defaultRetry`: one attempt. */
  readonly retry?: Partial<RetryPolicy>;
  /** Attempts beyond `retry.attempts` that may be lost to crashed workers; default `defaultTakeovers`, 0: none. */
  readonly takeovers?: number;
  /** Longest duration of one attempt; absent: no limit. */
  readonly attemptTimeoutMs?: number;
  /** Longest time from first availability to the end, waiting and retries included; absent: no limit. */
  readonly executionTimeoutMs?: number;
  /** Set by `newRun` from `executionTimeoutMs`. */
  readonly deadline?: Instant;
  /** How long a worker may be silent before the run is taken from it; absent: the worker's setting. */
  readonly leaseMs?: number;
  /** The nominal time of this run, and the time it was started. */
  readonly nominal?: Instant;
  /** The time of its slot with jitter. */
  readonly actual?: Instant;
  /** The slot's cause: `auto`, or the id of a backfill or trigger. */
  readonly cause?: string;
  /** The schedule that starts it. */
  readonly schedule?: string;
  /** The name that people use for the run, e.g. `nightly-2026-01-01T02:00:00Z`. */
  readonly workflowId?: string;
  /** The idempotency key of the call that queued it. */
  readonly requestId?: string;
  /** Results of the schedule's previous runs. */
  readonly lastResult?: unknown;
  /** The failure of the schedule's last run, for the handler. */
  readonly lastFailure?: Failure;
  /** What a Temporal client sent with the action. */
  readonly memo?: Readonly<Record<string, unknown>>;
  /**
   * How long it may wait for a worker while none that is alive knows its name; then it ends. Absent: `unclaimedMs`, 0: for ever.
   */
  readonly unclaimedMs?: number;
  /** What a Temporal client sent with the action, decoded for handlers; see `RunContext`. */
  readonly sent?: SentFields;
  /** Its work goes on outside when an attempt ends without knowing how: see `withdrawal.ts`. */
  readonly outlasts?: true;
  /** When the run ended that this one had to wait for. */
  readonly freedAt?: Instant;
  /** The run that this one repeats, at the request of a person. */
  readonly againOf?: string;
  /** What the door that started it without a schedule keeps with it, by door. */
  readonly origin?: Readonly<Record<string, string>>;
}

/** What a client of another system sends with its work beside the input. */
export interface SentFields {
  readonly memo?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly searchAttributes?: Readonly<Record<string, unknown>>;
}

export type Priority = 'high' | 'normal' | 'low' | number;

const named = { high: 100, normal: 0, low: -100 } as const;

/**
 * Higher numbers are claimed first: `high` is 100, `normal` 0 (also when absent), `low` −100. Any whole number
 * between is allowed.
 */
export function priorityOf(priority: Priority = 'normal'): number {
  const value =
    typeof priority === 'number' ? priority : Object.hasOwn(named, priority) ? named[priority] : Number.NaN;
  if (Number.isInteger(value) && Math.abs(value) <= largestPriority) return value;
  throw ServiceError.invalid([
    {
      path: 'priority',
      reason: 'BAD_PRIORITY',
      message: `invalid priority ${JSON.stringify(priority)}`,
      fix: `high, normal, low, or a whole number between ±${largestPriority}`,
    },
  ]);
}

export interface NewRun {
  readonly id: string;
  /** Another name to find it by. */
  readonly alias?: string | null;
  /** Whether no other unfinished run of the namespace may be exclusive under the same alias. Default false. */
  readonly exclusive?: boolean;
  readonly namespace: string;
  readonly queue: string;
  readonly name: string;
  readonly now: Instant;
  /** Any JSON value; absent is null. */
  readonly input?: unknown;
  readonly priority?: Priority;
  /** When it becomes available. Default `now`. */
  readonly availableAt?: Instant;
  readonly owner?: string | null;
  /** The number of the run among its owner's runs in order of start. */
  readonly ordinal?: number;
  readonly options?: RunOptions;
}

export function newRun(fields: NewRun): RunRow {
  const { now, availableAt = now, options: asked = {} } = fields;
  const deadline =
    asked.executionTimeoutMs === undefined ? null : addTime(availableAt, asked.executionTimeoutMs);
  const options = deadline === null ? asked : { ...asked, deadline };
  return {
    id: fields.id,
    alias: fields.alias ?? null,
    exclusive: fields.exclusive ?? false,
    namespace: fields.namespace,
    owner: fields.owner ?? null,
    ordinal: fields.ordinal ?? null,
    queue: fields.queue,
    name: fields.name,
    priority: priorityOf(fields.priority),
    state: 'waiting',
    outcome: null,
    attempt: 0,
    createdAt: now,
    availableAt,
    checkAt: checkWhileWaiting(options, availableAt),
    startedAt: null,
    finishedAt: null,
    worker: '',
    leaseToken: '',
    cancel: 'none',
    options: JSON.stringify(options),
    input: fields.input === null || fields.input === undefined ? 'null' : JSON.stringify(fields.input),
    progress: null,
    result: null,
  };
}

/** How long a run waits for a worker that knows its name, unless its options say otherwise. */
export const unclaimedMs = hour;

/** When a waiting run has to be looked at: at its deadline, or when it has waited for a worker for too long. */
export function checkWhileWaiting(options: RunOptions, since: Instant): Instant | null {
  const { deadline, unclaimedMs: longest = unclaimedMs } = options;
  if (longest === 0) return deadline ?? null;
  const untaken = addTime(since, longest);
  return deadline !== undefined && deadline < untaken ? deadline : untaken;
}

export function optionsOf(run: RunRow): RunOptions {
  return JSON.parse(run.options) as RunOptions;
}

/** The time from the end of the run that it waited for to its own first attempt; undefined for a run that waited for none, or has not begun. */
export function sinceFreed({ startedAt }: RunRow, { freedAt }: RunOptions): number | undefined {
  return freedAt === undefined || startedAt === null ? undefined : Math.max(0, startedAt - freedAt);
}
