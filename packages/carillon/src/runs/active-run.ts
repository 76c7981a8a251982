/**
 * One attempt under way in this process: its handler, its signal, and one timer for the earlier end of its attempt
 * and its execution, by the steady clock. The node holds its lease. A timeout is reported at once, whether or not the handler listens;
 * the capacity of the queue is free again only when the handler has returned.
 */
import type { Clock } from '../base/clock.ts';
import type { LogLine } from '../base/log-lines.ts';
import { LogLines } from '../base/log-lines.ts';
import { lossyResult } from '../base/plain-json.ts';
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import { concluded, conclusionOfError, conclusionOfResult } from './conclusion.ts';
import type { Handler, Interruption, RunningAttempt } from './context.ts';
import { contextOf, RunInterrupted } from './context.ts';
import type { BackoffFunction } from './custom-backoff.ts';
import { withBackoff } from './custom-backoff.ts';
import type { Conclusion } from './lifecycle.ts';
import { claimedAt } from './lifecycle.ts';
import type { RunOptions } from './run.ts';

export interface ActiveRunOptions {
  readonly run: RunRow;
  /** The options of the run. */
  readonly settings: RunOptions;
  readonly handler: Handler;
  /** The handler's own rule for pauses after failures. */
  readonly backoff?: BackoffFunction | undefined;
  readonly clock: Clock;
  /** Tells the time of the lines that the handler logs. */
  readonly wallClock: Clock;
  /** Local time just before the lease was written, so that no limit ends later on this clock than the lease allows. */
  readonly since: Instant;
  /** Called with the conclusion and what is not stored yet. */
  readonly onConclusion: (conclusion: Conclusion, unstored: Unstored) => void;
  readonly onProgress: () => void;
  /** Called when JSON changes the result that is stored. */
  readonly onChangedResult: (note: string) => void;
  /** Called when the handler did not finish synchronously: its lease must be watched. */
  readonly onLasting: () => void;
  /** Called when the handler has returned: its capacity is free. */
  readonly onEnd: () => void;
}

/** Progress and lines that no heartbeat has stored. */
export interface Unstored {
  readonly progress?: string;
  readonly log?: readonly LogLine[];
}

/** The most lines in one heartbeat; a report brings the rest. */
const linesPerHeartbeat = 500;

const never = Number.POSITIVE_INFINITY;

/** The ends of attempt and execution in local time. */
interface Limits {
  readonly attemptEnds: number;
  readonly executionEnds: number;
}

function limitsOf({ run, since, settings }: ActiveRunOptions): Limits {
  const { attemptTimeoutMs = never, deadline } = settings;
  return {
    attemptEnds: since + attemptTimeoutMs,
    executionEnds: deadline === undefined ? never : since + (deadline - claimedAt(run)),
  };
}

export class ActiveRun implements RunningAttempt {
  readonly run: RunRow;
  readonly #options: ActiveRunOptions;
  /** Created when first needed: most handlers are done before a caller could stop them. */
  #abort: AbortController | undefined;
  /** Computed when first needed, like the signal: most handlers are done before a limit matters. */
  #limits: Limits | undefined;
  #progress: string | undefined;
  /** Created when first needed: most handlers log nothing. */
  #log: LogLines | undefined;
  #interrupted: RunInterrupted | null = null;
  #leaseLost = false;
  /** True once the conclusion was reported. */
  #concluded = false;
  #cancelTimer: (() => void) | undefined;

  constructor(options: ActiveRunOptions) {
    this.run = options.run;
    this.#options = options;
  }

  get #times(): Limits {
    this.#limits ??= limitsOf(this.#options);
    return this.#limits;
  }

  /** Local time just before its lease was written. */
  get since(): Instant {
    return this.#options.since;
  }

  /** Whether lines wait to be stored. */
  get hasLines(): boolean {
    return this.#log?.hasWaiting === true;
  }

  /** Whether progress or lines wait to be stored. */
  get hasUnstored(): boolean {
    return this.#progress !== undefined || this.hasLines;
  }

  /** Progress and lines that are not stored yet, for a heartbeat; undefined when there are none. */
  get unstored(): Unstored | undefined {
    if (!this.hasUnstored) return undefined;
    return {
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      ...(this.hasLines ? { log: this.#log?.waiting(linesPerHeartbeat) ?? [] } : {}),
    };
  }

  get concluded(): boolean {
    return this.#concluded;
  }

  /** Whether its handler has been told to stop. */
  get interrupted(): boolean {
    return this.#interrupted !== null;
  }

  /** Whether there is a lease to keep: a handler may continue long after losing it. */
  get holdsLease(): boolean {
    return !this.#concluded && !this.#leaseLost;
  }

  /** Runs the handler to its end. A handler that is done when it returns needs no timer, no heartbeat and no promise. */
  perform(): void {
    let conclusion: Conclusion | null;
    try {
      const value = this.#options.handler(contextOf(this.run, this.#options.settings, this));
      if (isThenable(value)) {
        void this.#outlast(value);
        return;
      }
      conclusion = this.#conclusionOfResult(value);
    } catch (error) {
      conclusion = this.#conclusionOf(error);
    }
    this.#end(conclusion);
  }

  #conclusionOfResult(value: unknown): Conclusion {
    const conclusion = conclusionOfResult(value);
    const note = conclusion.kind === 'completed' ? lossyResult(value) : undefined;
    if (note !== undefined) {
      this.log([note]);
      this.#options.onChangedResult(note);
    }
    return conclusion;
  }

  #conclusionOf(error: unknown): Conclusion | null {
    const conclusion = conclusionOfError(error, this.#interrupted);
    const { backoff } = this.#options;
    if (backoff === undefined || conclusion?.kind !== 'failed') return conclusion;
    const { failure } = conclusion;
    try {
      const failed = { attempt: this.run.attempt, error, failure };
      return { kind: 'failed', failure: withBackoff(backoff, failed) };
    } catch (fault) {
      // The failure of the work must not hide behind that of the rule.
      this.log(['the backoff function failed, so the retry policy decides:', fault]);
      return conclusion;
    }
  }

  async #outlast(value: PromiseLike<unknown>): Promise<void> {
    this.#arm();
    this.#options.onLasting();
    let conclusion: Conclusion | null;
    try {
      const result = await value;
      conclusion = result === concluded ? null : this.#conclusionOfResult(result);
    } catch (error) {
      conclusion = this.#conclusionOf(error);
    }
    this.#end(conclusion);
  }

  #end(conclusion: Conclusion | null): void {
    this.#cancelTimer?.();
    if (conclusion !== null) this.#conclude(conclusion);
    this.#concluded = true;
    this.#options.onEnd();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  noteProgress(json: string): void {
    this.#progress = json;
    this.#options.onProgress();
  }

  log(values: readonly unknown[]): void {
    // Lines that come after the end of the attempt was reported are dropped.
    if (!this.holdsLease) return;
    this.#log ??= new LogLines();
    this.#log.write(values, this.#options.wallClock.now());
    this.#options.onProgress();
  }

  /** Called when the store has this. */
  stored({ progress, log }: Unstored): void {
    if (this.#progress === progress) this.#progress = undefined;
    if (log !== undefined) this.#log?.stored(log);
  }

  interrupt(kind: Interruption, message: string): void {
    if (kind === 'leaseLost' || kind === 'terminated') this.#leaseLost = true;
    if (this.#interrupted !== null) return;
    this.#interrupted = new RunInterrupted(kind, message);
    this.#controller.abort(this.#interrupted);
  }

  /** Gives the run back now, without waiting for the handler to react. */
  release(): void {
    this.#conclude({ kind: 'released', begun: true });
    this.interrupt('stopping', 'the worker is stopping');
    this.#cancelTimer?.();
  }

  get #controller(): AbortController {
    this.#abort ??= new AbortController();
    return this.#abort;
  }

  #conclude(conclusion: Conclusion): void {
    if (this.#concluded) return;
    this.#concluded = true;
    const log = this.#log?.waiting() ?? [];
    this.#options.onConclusion(conclusion, {
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      ...(log.length === 0 ? {} : { log }),
    });
  }

  #arm(): void {
    const { attemptEnds, executionEnds } = this.#times;
    const at = Math.min(attemptEnds, executionEnds);
    if (at < never) this.#cancelTimer = this.#options.clock.wakeAt(at as Instant, () => this.#timeIsUp());
  }

  #timeIsUp(): void {
    if (this.#concluded) return;
    const now = this.#options.clock.now();
    const { attemptEnds, executionEnds } = this.#times;
    if (now < attemptEnds && now < executionEnds) {
      this.#arm();
      return;
    }
    const limit = now >= executionEnds ? 'execution' : 'attempt';
    this.#conclude({ kind: 'timedOut', limit });
    this.interrupt('timedOut', `the ${limit} timed out`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
