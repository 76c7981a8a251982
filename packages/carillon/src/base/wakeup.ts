/**
 * The one way to wait: a sleep until a time, which a call of `wake` may end sooner. A `wake` that comes while nothing
 * sleeps is kept for the next sleep, so that a change between a check and the sleep after it is never lost.
 *
 * Only one caller may sleep at a time; any number of callers may wake it.
 */
import type { Clock } from './clock.ts';
import type { Instant } from './time.ts';

const never = Number.POSITIVE_INFINITY;

export class Wakeup {
  readonly #clock: Clock;
  /** The earliest time that a caller of `wake` asked for since the last `forget`. */
  #wanted = never;
  /** While asleep, the time to wake at; afterwards, the time at which the last sleep should have ended. */
  #wakeAt = never;
  /** Ends the sleep; undefined while awake. */
  #awake: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the sleep at the given time at the latest; default at once. */
  wake(at: Instant = this.#clock.now()): void {
    if (at < this.#wanted) this.#wanted = at;
    // The planned time may have passed without an end: the clock was set, and timers go on as before.
    if (this.#awake !== undefined && (at < this.#wakeAt || at <= this.#clock.now())) this.#planFor(at);
  }

  /** Forgets all requested wake times: only later calls of `wake` can end the next sleep early. */
  forget(): void {
    this.#wanted = never;
  }

  /** Cancels all requested wake times; a sleep in progress goes on until the next call of `wake`. */
  cancelWakes(): void {
    this.#wanted = never;
    if (this.#awake !== undefined && this.#wakeAt < never) this.#planFor(never);
  }

  /**
   * Sleeps until the given local time or an earlier requested wake time; `Infinity` sleeps until a `wake`. Returns
   * undefined when that time has passed already. Requested times stay until `forget`; call it before the check that
   * they asked for.
   */
  sleepUntil(at: number): Promise<void> | undefined {
    const planned = Math.min(at, this.#wanted);
    if (planned <= this.#clock.now()) return undefined;
    return new Promise<void>((resolve) => {
      this.#awake = resolve;
      this.#planFor(planned);
    });
  }

  /** Like `sleepUntil`, for a number of ms. */
  sleep(ms: number): Promise<void> | undefined {
    return this.sleepUntil(this.#clock.now() + ms);
  }

  /** When the last sleep should have ended, in local time. A later end means that the process was blocked. */
  get plannedEnd(): number {
    return this.#wakeAt;
  }

  #planFor(at: number): void {
    const now = this.#clock.now();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#wakeAt = Math.max(at, now);
    if (at <= now) this.#end();
    else if (at < never) this.#cancelTimer = this.#clock.wakeAt(at as Instant, this.#end);
  }

  readonly #end = (): void => {
    const awake = this.#awake;
    this.#cancelTimer = undefined;
    this.#awake = undefined;
    awake?.();
  };
}

/** Wakes when the signal aborts, or at once if it has aborted. Returns an unsubscribe function. */
export function wakeOnAbort(wakeup: Wakeup, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const onAbort = () => wakeup.wake();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return () => signal.removeEventListener('abort', onAbort);
}
