/** Bounds one phase of a run in time, by the steady clock, and ends it when the run itself is interrupted. */
import type { Clock } from '../base/clock.ts';
import { plainDuration } from '../base/duration.ts';
import { addTime } from '../base/time.ts';
import { RunFailure } from './run-input.ts';

export class PhaseTimer {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  readonly #unhook: (() => void)[] = [];
  #reject: (reason: unknown) => void = () => {};
  isOver = false;

  constructor(clock: Clock, limitMs: number, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    for (const signal of signals) {
      const onAbort = () => this.#interrupt(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      this.#unhook.push(() => signal.removeEventListener('abort', onAbort));
    }
  }

  /** Aborts when the time is up or the run is interrupted. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * The result of the phase; rejects when the signal aborts first. The phase may then go on, and its result is ignored.
   */
  race<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.signal.aborted) reject(this.signal.reason as Error);
      const until = addTime(this.#clock.now(), this.#limitMs);
      const timeIsUp = () =>
        this.#interrupt(
          new RunFailure(`${name} took longer than ${plainDuration(this.#limitMs)}`, { class: 'transient' }),
        );
      this.#unhook.push(this.#clock.wakeAt(until, timeIsUp));
      // A phase that loses the race may still fail later: that failure is dropped.
      void (async () => await call())().then(resolve, reject);
    });
  }

  #interrupt(reason: unknown): void {
    this.#abort.abort(reason);
    this.#reject(reason);
  }

  end(): void {
    this.isOver = true;
    for (const unhook of this.#unhook) unhook();
    this.#unhook.length = 0;
  }
}
