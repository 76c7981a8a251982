/**
 * One attempt under way in this process: its handler, its signal, and one timer for whichever ends first of its attempt
 * and its execution, by the steady clock. Its lease is the node's. The end of time is reported at once, whether or not the handler listens; a place is
 * free again only when the handler has really returned.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import { conclusionOfError, conclusionOfResult } from './conclusion.ts';
import type { Handler, Hold, Interruption } from './context.ts';
import { contextOf, RunInterrupted } from './context.ts';
import type { Conclusion } from './lifecycle.ts';
import { claimedAt } from './lifecycle.ts';
import type { RunOptions } from './run.ts';

export interface ActiveRunOptions {
  readonly run: RunRow;
  /** Of the run. */
  readonly settings: RunOptions;
  readonly handler: Handler;
  readonly clock: Clock;
  /** Local time just before the lease was written: on this clock, nothing of it can end later than we believe. */
  readonly since: Instant;
  /** With the progress that nobody has stored yet. */
  readonly onConclusion: (conclusion: Conclusion, progress: string | undefined) => void;
  readonly onProgress: () => void;
  /** The handler goes on after its first piece: its lease must be kept alive. */
  readonly onLasting: () => void;
  /** The handler has returned: its place is free. */
  readonly onEnd: () => void;
}

const never = Number.POSITIVE_INFINITY;

/** Local times. */
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

export class ActiveRun implements Hold {
  readonly run: RunRow;
  readonly #options: ActiveRunOptions;
  /** Made when first needed: most handlers are done before anybody could want to stop them. */
  #abort: AbortController | undefined;
  /** Worked out when first needed, like the signal: most handlers are done before any of it matters. */
  #limits: Limits | undefined;
  #progress: string | undefined;
  #interrupted: RunInterrupted | null = null;
  #leaseLost = false;
  /** Said all there is to say. */
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

  /** Progress nobody has stored yet. */
  get progress(): string | undefined {
    return this.#progress;
  }

  get concluded(): boolean {
    return this.#concluded;
  }

  /** Whether its handler has been told to stop. */
  get interrupted(): boolean {
    return this.#interrupted !== null;
  }

  /** Whether there is a lease to keep: a handler may go on long after losing it. */
  get holdsLease(): boolean {
    return !this.#concluded && !this.#leaseLost;
  }

  /** Runs the handler to its end. One that is done when it returns needs no timer and no heartbeat, nor any promise. */
  perform(): void {
    let conclusion: Conclusion | null;
    try {
      const value = this.#options.handler(contextOf(this.run, this.#options.settings, this));
      if (isThenable(value)) {
        void this.#outlast(value);
        return;
      }
      conclusion = conclusionOfResult(value);
    } catch (error) {
      conclusion = conclusionOfError(error, this.#interrupted);
    }
    this.#end(conclusion);
  }

  async #outlast(value: PromiseLike<unknown>): Promise<void> {
    this.#arm();
    this.#options.onLasting();
    let conclusion: Conclusion | null;
    try {
      conclusion = conclusionOfResult(await value);
    } catch (error) {
      conclusion = conclusionOfError(error, this.#interrupted);
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

  /** The store has this progress. */
  stored(progress: string | undefined): void {
    if (this.#progress === progress) this.#progress = undefined;
  }

  interrupt(kind: Interruption, message: string): void {
    if (kind === 'leaseLost') this.#leaseLost = true;
    if (this.#interrupted !== null) return;
    this.#interrupted = new RunInterrupted(kind, message);
    this.#controller.abort(this.#interrupted);
  }

  /** Gives the run back now, without waiting for the handler to notice. */
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
    this.#options.onConclusion(conclusion, this.#progress);
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
