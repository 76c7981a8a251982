/** The context of a handler, and its construction. */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Failure } from './failure.ts';
import { longestProgress } from './limits.ts';
import type { RunOptions } from './run.ts';

/** What a handler receives: the input, the times of its slot, what came before it, and ways to tell how it is going. */
export interface RunContext<Input = unknown, Result = unknown> {
  /** The id of the run; the same in every attempt, so it serves as an idempotency key. */
  readonly id: string;
  /** The namespace of the run. */
  readonly namespace: string;
  /** The name under which the handler was registered. */
  readonly name: string;
  /** The queue of the run. */
  readonly queue: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The holder of this token may finish the attempt: pass it on only inside a callback token. */
  readonly leaseToken: string;
  /** What the schedule or the caller gave, as JSON stored it. */
  readonly input: Input;
  /** The nominal time of its slot; for a run without a slot, when it was queued. */
  readonly scheduledAt: Instant;
  /** The same with its jitter: when it was to start. */
  readonly dueAt: Instant;
  /** The id of the schedule that started the run; null for a run without one. */
  readonly schedule: string | null;
  /** The name that people use for the run, `<base>-<nominal time>` for runs of a schedule; null for a run without one. */
  readonly workflowId: string | null;
  /** What a Temporal client sent with the action, decoded; empty for other work. */
  readonly memo: Readonly<Record<string, unknown>>;
  /** The headers that a Temporal client sent with the action, decoded; empty for other work. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** The search attributes that a Temporal client sent with the action, decoded; empty for other work. */
  readonly searchAttributes: Readonly<Record<string, unknown>>;
  /** The cause of its slot: `auto`, or the id of a trigger or backfill; null for a run without a schedule. */
  readonly cause: string | null;
  /** Runs of a higher priority are claimed first; `normal` is 0. */
  readonly priority: number;
  /** Result of the schedule's last run that completed, and failure of its last run if that failed. */
  readonly lastResult: Result | null;
  /** The failure of the schedule's last run; null when it did not fail. */
  readonly lastFailure: Failure | null;
  /** How the previous attempt of this run ended; null in the first. */
  readonly previousFailure: Failure | null;
  /** The last progress of an earlier attempt, to continue from there. */
  readonly progress: unknown;
  /**
   * Aborts when the run is cancelled, out of time, taken from this worker, or the worker stops; the reason is a
   * `RunInterrupted`. A handler that throws because of a cancel ends the run as cancelled; a handler that returns all the
   * same has completed it.
   */
  readonly signal: AbortSignal;
  /** Stores progress for callers to read. The lease is kept alive without it. */
  heartbeat(progress?: unknown): void;
  /**
   * Adds a line to the log of the run, which is kept with it by attempt: texts as they are, errors with their stack, other
   * values as JSON. An attempt keeps 2000 lines of up to 8192 characters, 512 KiB together.
   */
  log(...values: readonly unknown[]): void;
}

export type Handler<Input = unknown> = (context: RunContext<Input>) => unknown | Promise<unknown>;

/** Handlers by name, or a function that finds them. `never` admits handlers of every input type. */
export type Handlers =
  | Readonly<Record<string, Handler<never>>>
  | ((name: string) => Handler<never> | undefined);

export function findHandler(handlers: Handlers, name: string): Handler | undefined {
  const found =
    typeof handlers === 'function'
      ? handlers(name)
      : Object.hasOwn(handlers, name)
        ? handlers[name]
        : undefined;
  // The input was stored as JSON; the caller that queued it promises its type.
  return found as Handler | undefined;
}

export type { Interruption } from '../base/run-interrupted.ts';
export { isRunInterrupted, isWorkToStop, RunInterrupted } from '../base/run-interrupted.ts';

/** The attempt behind a context. */
export interface RunningAttempt {
  readonly signal: AbortSignal;
  noteProgress(json: string): void;
  log(values: readonly unknown[]): void;
}

export function contextOf(run: RunRow, options: RunOptions, running: RunningAttempt): RunContext {
  return new AttemptContext(run, options, running);
}

const nothing: Readonly<Record<string, never>> = {};

/** A class, because an object literal with an accessor costs more than all else in a short attempt. */
class AttemptContext implements RunContext {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly queue: string;
  readonly attempt: number;
  readonly leaseToken: string;
  readonly priority: number;
  readonly cause: RunContext['cause'];
  readonly input: unknown;
  readonly scheduledAt: Instant;
  readonly dueAt: Instant;
  readonly schedule: string | null;
  readonly workflowId: string | null;
  readonly memo: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly searchAttributes: Readonly<Record<string, unknown>>;
  readonly lastResult: unknown;
  readonly lastFailure: Failure | null;
  readonly previousFailure: Failure | null;
  readonly progress: unknown;
  /** An own property, so that a handler can destructure it and call it by itself. */
  readonly heartbeat: (progress?: unknown) => void;
  readonly log: (...values: readonly unknown[]) => void;
  readonly #running: RunningAttempt;

  constructor(run: RunRow, options: RunOptions, running: RunningAttempt) {
    this.id = run.id;
    this.namespace = run.namespace;
    this.name = run.name;
    this.queue = run.queue;
    this.attempt = run.attempt;
    this.leaseToken = run.leaseToken;
    this.priority = run.priority;
    this.cause = options.cause ?? null;
    this.input = run.input === 'null' ? null : JSON.parse(run.input);
    this.scheduledAt = options.nominal ?? run.createdAt;
    this.dueAt = options.actual ?? this.scheduledAt;
    this.schedule = options.schedule ?? null;
    this.workflowId = options.workflowId ?? null;
    this.memo = options.sent?.memo ?? nothing;
    this.headers = options.sent?.headers ?? nothing;
    this.searchAttributes = options.sent?.searchAttributes ?? nothing;
    this.lastResult = options.lastResult ?? null;
    this.lastFailure = options.lastFailure ?? null;
    this.previousFailure = run.result === null ? null : (JSON.parse(run.result) as Failure);
    this.progress = run.progress === null ? null : JSON.parse(run.progress);
    this.#running = running;
    const heartbeat = (progress?: unknown) => tell(running, progress);
    this.heartbeat = heartbeat;
    this.log = (...values) => running.log(values);
  }

  get signal(): AbortSignal {
    return this.#running.signal;
  }
}

function tell(running: RunningAttempt, progress: unknown): void {
  if (progress === undefined) return;
  const json = JSON.stringify(progress) ?? 'null';
  if (json.length > longestProgress)
    throw new RangeError(`progress has ${json.length} characters, at most ${longestProgress} are stored`);
  running.noteProgress(json);
}
