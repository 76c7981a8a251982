/**
 * One attempt that a worker makes far from the server: its handler, its signal, and what is not sent yet. The lease is
 * judged by the worker's steady clock, from before the request that leased or extended it.
 */
import type { Clock } from '../base/clock.ts';
import { failureOf } from '../base/failure.ts';
import type { LogLine } from '../base/log-lines.ts';
import { LogLines } from '../base/log-lines.ts';
import { isMarked } from '../base/mark.ts';
import { lossyResult, unwritableResult } from '../base/plain-json.ts';
import { RunInterrupted } from '../base/run-interrupted.ts';
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import type { Handler, Interruption, RunContext } from '../runs/context.ts';
import type { ClaimedRun, SentLease, SentReport } from './worker-protocol.ts';

export interface AttemptOptions {
  readonly run: ClaimedRun;
  readonly handler: Handler;
  /** A clock that is never set. */
  readonly clock: Clock;
  /** Steady time at which the lease ends unless it is extended. */
  readonly leaseEnds: number;
  /** Called when there is progress to send, or a line. */
  readonly onUnsent: (isLine: boolean) => void;
  readonly onEnd: (attempt: Attempt, report: SentReport | undefined) => void;
}

/** The most lines in one heartbeat; the report brings the rest. */
const linesPerHeartbeat = 500;

const parkingMark = Symbol.for('carillon.Parking');

export class Attempt {
  readonly run: ClaimedRun;
  leaseEnds: number;
  readonly #options: AttemptOptions;
  readonly #abort = new AbortController();
  readonly #log = new LogLines();
  #interrupted: RunInterrupted | undefined;
  /** Wrapped, because progress may be null. */
  #progress: { readonly value: unknown } | undefined;
  #isOver = false;
  #cancelTimer: () => void = () => {};

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.run = options.run;
    this.leaseEnds = options.leaseEnds;
  }

  /** Whether progress or lines wait to be sent. */
  get hasUnsent(): boolean {
    return this.#progress !== undefined || this.#log.hasWaiting;
  }

  /** The lease, with what is not sent yet. */
  get lease(): SentLease {
    const { runId, token } = this.run;
    const log = this.#log.waiting(linesPerHeartbeat);
    return {
      runId,
      token,
      ...(this.#progress === undefined ? {} : { progress: this.#progress.value }),
      ...(log.length === 0 ? {} : { log }),
    };
  }

  /** Called when the server has what this lease said. */
  stored({ progress, log }: SentLease): void {
    if (this.#progress !== undefined && this.#progress.value === progress) this.#progress = undefined;
    if (log !== undefined) this.#log.stored(log);
  }

  interrupt(kind: Interruption, message: string): void {
    if (this.#interrupted !== undefined) return;
    this.#interrupted = new RunInterrupted(kind, message);
    this.#abort.abort(this.#interrupted);
  }

  /** Gives the run back now, without waiting for the handler to react. */
  release(): void {
    this.#conclude({ released: { begun: true } });
    this.interrupt('stopping', 'the worker is stopping');
  }

  async perform(): Promise<void> {
    const { attemptTimeoutMs } = this.run;
    const { clock, handler } = this.#options;
    if (attemptTimeoutMs !== null) {
      // The server ends the attempt by itself; the handler is only told.
      this.#cancelTimer = clock.wakeAt(instant(clock.now() + attemptTimeoutMs), () =>
        this.interrupt('timedOut', 'the attempt timed out'),
      );
    }
    let end: SentReport['end'] | undefined;
    try {
      const value = await handler(this.#context());
      end = endOf(value);
      const note = 'completed' in end ? lossyResult(value) : undefined;
      if (note !== undefined) this.#log.write([note], clock.now());
    } catch (error) {
      end = this.#endOfError(error);
    }
    this.#cancelTimer();
    this.#conclude(end);
  }

  #conclude(end: SentReport['end'] | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { runId, token } = this.run;
    const log: readonly LogLine[] = this.#log.waiting();
    const unsent = {
      ...(this.#progress === undefined ? {} : { progress: this.#progress.value }),
      ...(log.length === 0 ? {} : { log }),
    };
    this.#options.onEnd(this, end === undefined ? undefined : { runId, token, end, ...unsent });
  }

  /** Undefined: no report. An attempt that ended because its lease or its time was over is judged by the server. */
  #endOfError(error: unknown): SentReport['end'] | undefined {
    switch (this.#interrupted?.kind) {
      case 'cancelled':
        return { cancelled: { message: this.#interrupted.message } };
      case 'leaseLost':
      case 'terminated':
      case 'timedOut':
        return undefined;
      case 'stopping':
        return { released: { begun: true } };
      default:
        return { failed: failureOf(error) };
    }
  }

  #context(): RunContext {
    const {
      runId: id,
      token: leaseToken,
      scheduledAt,
      dueAt,
      leaseEndsAt: _,
      attemptTimeoutMs: __,
      ...run
    } = this.run;
    return {
      ...run,
      id,
      leaseToken,
      // The protocol of HTTP workers has no place for these.
      workflowId: null,
      memo: {},
      headers: {},
      searchAttributes: {},
      scheduledAt: timeOf(scheduledAt),
      dueAt: timeOf(dueAt),
      signal: this.#abort.signal,
      heartbeat: (progress?: unknown) => {
        if (progress === undefined || this.#isOver) return;
        this.#progress = { value: progress };
        this.#options.onUnsent(false);
      },
      log: (...values) => {
        if (this.#isOver) return;
        this.#log.write(values, this.#options.clock.now());
        this.#options.onUnsent(true);
      },
    };
  }
}

function endOf(value: unknown): SentReport['end'] {
  if (isMarked(value, parkingMark)) {
    const failure = { message: 'park() works in the processes of the store only', nonRetryable: true };
    return { failed: failure };
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return {
      failed: {
        message: unwritableResult(value, error),
        type: 'BadResult',
        nonRetryable: true,
      },
    };
  }
  return { completed: { result: text === undefined ? null : value } };
}

function timeOf(text: string): Instant {
  return instant(Date.parse(text));
}
