/** Bounds one phase of a run in time, by the steady clock, and ends it when the run itself is interrupted. */
import type { Clock } from '../base/clock.ts';
import { addTime } from '../base/time.ts';
import { RunFailure } from './run-input.ts';

export class PhaseTimer {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  readonly #unhook: (() => void)[] = [];
  isOver = false;

  constructor(clock: Clock, limitMs: number, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    for (const signal of signals) {
      const onAbort = () => this.#abort.abort(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      this.#unhook.push(() => signal.removeEventListener('abort', onAbort));
    }
  }

  /** Aborts when the time is up or the run is interrupted. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The result of the phase; rejects when the signal aborts first, although the phase may go on unheard. */
  async race<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    const aborted = new Promise<never>((_, reject) => {
      if (this.signal.aborted) reject(this.signal.reason as Error);
      else this.signal.addEventListener('abort', () => reject(this.signal.reason as Error));
    });
    const cancel = this.#clock.wakeAt(addTime(this.#clock.now(), this.#limitMs), () => {
      this.#abort.abort(
        new RunFailure(`${name} took longer than ${this.#limitMs} ms`, { class: 'transient' }),
      );
    });
    this.#unhook.push(cancel);
    // A phase that loses the race may still fail later: that failure is dropped.
    const work = (async () => await call())();
    work.catch(() => {});
    aborted.catch(() => {});
    return await Promise.race([work, aborted]);
  }

  end(): void {
    this.isOver = true;
    for (const unhook of this.#unhook) unhook();
    this.#unhook.length = 0;
  }
}
