/**
 * The one way to wait: a sleep until a time that others may end sooner. A wish to wake that comes while nothing sleeps
 * is kept for the next sleep, so that news between a look and the sleep after it is never lost.
 *
 * One caller sleeps at a time; any number may wake it.
 */
import type { Clock } from './clock.ts';
import type { Instant } from './time.ts';

const never = Number.POSITIVE_INFINITY;

export class Wakeup {
  readonly #clock: Clock;
  /** The earliest time somebody asked for since the last `forget`. */
  #wanted = never;
  /** While asleep, the time to wake at. Fields and not closures: a worker's loops sleep between any two runs. */
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
    if (this.#awake !== undefined && at < this.#wakeAt) this.#planFor(at);
  }

  /** Takes back every wish: only the sleep's own end, and wishes from now on, count. */
  forget(): void {
    this.#wanted = never;
  }

  /** Takes back every wish and lets a sleep go on until the next one. */
  calm(): void {
    this.#wanted = never;
    if (this.#awake !== undefined && this.#wakeAt < never) this.#planFor(never);
  }

  /**
   * Sleeps until the given local time, or an earlier wish; `Infinity`: until a wish. Returns undefined when that has
   * come already. Wishes stay until `forget`, which belongs before the look that they ask for.
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

  /** When the last sleep was to end, local time: what is later than that was kept from running. */
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

/** Wakes when the signal aborts, now if it has. Returns a function that ends that. */
export function wakeOnAbort(wakeup: Wakeup, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const onAbort = () => wakeup.wake();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return () => signal.removeEventListener('abort', onAbort);
}
