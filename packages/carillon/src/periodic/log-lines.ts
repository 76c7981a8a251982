/**
 * The structured log lines of the original registry, written to the user's logger. Pino and compatible loggers fit as
 * they are.
 */
import type { EnqueueFailure } from '../action/enqueue-failure.ts';
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { ScheduleEvent } from '../service/event.ts';
import type { RegisteredTask } from './task.ts';
import { triggerOf } from './task.ts';

/** A logger whose methods take the fields first, as pino's do. */
export interface PeriodicLogger {
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: PeriodicLogger = { info: () => {}, debug: () => {}, error: () => {} };

const component = 'scheduler';

export interface TaskLogLinesOptions {
  readonly logger: PeriodicLogger;
  /** The process that writes the lines. */
  readonly instance: string;
  readonly nextRun: (task: RegisteredTask, after: Instant) => Instant | null;
}

export class TaskLogLines {
  readonly #options: TaskLogLinesOptions;
  /** The error of the latest failed run. The event of a failed start follows it and has no error of its own. */
  #lastError: unknown = null;

  constructor(options: TaskLogLinesOptions) {
    this.#options = options;
  }

  started(fields: { readonly count: number; readonly owner: string }): void {
    // There is no polling interval: the process sleeps until something is due.
    this.#info({ interval: 'event-driven', ...fields }, 'Cron scheduler started');
  }

  stopping(fields: { readonly count: number }): void {
    this.#info(fields, 'Cron scheduler stopping');
  }

  synced(fields: LogFields): void {
    this.#info(fields, 'Schedules synced with code');
  }

  syncFailed(id: string, error: string): void {
    this.#error({ schedule_id: id, error }, 'Failed to sync schedule');
  }

  trouble(error: unknown, id?: string): void {
    const fields = { error: error instanceof Error ? error.message : String(error) };
    this.#error(id === undefined ? fields : { schedule_id: id, ...fields }, 'Failed to process schedules');
  }

  /**
   * Logs a failed attempt to enqueue, which is retried: operators should know that the queue is down before the slot
   * fails.
   */
  enqueueFailed({ attempt, error }: EnqueueFailure, { id, job }: RegisteredTask): void {
    this.#error(
      { schedule_id: id, job_name: job, attempt, error },
      'Failed to enqueue scheduled job, trying again',
    );
  }

  /** Logs a durable event of a task of this registry. */
  event(event: ScheduleEvent, task: RegisteredTask): void {
    const { id, job, priority } = task;
    const named = { schedule_id: id, job_name: job };
    switch (event.type) {
      case 'started': {
        const { nominal } = event;
        const next = this.#options.nextRun(task, nominal);
        this.#info(
          {
            ...named,
            job_id: event.runId,
            priority,
            next_run: next === null ? null : formatInstant(next),
            nominal_time: formatInstant(nominal),
            late_ms: event.lateByMs,
            trigger_type: triggerOf(event.cause),
          },
          'Scheduled job enqueued',
        );
        return;
      }
      case 'finished':
        this.#finished(event, named);
        return;
      case 'slot':
        if (event.verdict === 'startFailed')
          this.#error({ ...named, error: this.#lastError }, 'Failed to enqueue scheduled job');
        else if (!quiet.has(event.verdict))
          this.#debug({ ...named, decision: event.verdict, count: event.count }, 'Schedule decided');
        return;
      default:
        return;
    }
  }

  #finished(event: ScheduleEvent & { readonly type: 'finished' }, named: LogFields): void {
    const fields = { ...named, job_id: event.runId, outcome: event.outcome };
    this.#lastError = event.error ?? null;
    if (event.outcome === 'completed') this.#debug(fields, 'Scheduled job completed');
    else this.#error({ ...fields, error: event.error ?? null }, 'Scheduled job failed');
  }

  #info(fields: LogFields, message: string): void {
    this.#options.logger.info(this.#with(fields), message);
  }

  #debug(fields: LogFields, message: string): void {
    this.#options.logger.debug(this.#with(fields), message);
  }

  #error(fields: LogFields, message: string): void {
    this.#options.logger.error(this.#with(fields), message);
  }

  #with(fields: LogFields): LogFields {
    return { component, instance: this.#options.instance, ...fields };
  }
}

/** Verdicts that other log lines already cover. */
const quiet: ReadonlySet<Verdict> = new Set<Verdict>(['started', 'startedLate', 'startFailed']);
