/**
 * A background loop: one turn at a time, then asleep until the turn's own wish, a nudge, or the longest sleep,
 * whichever comes first. A turn that throws is followed by a pause that doubles up to a bound and that no nudge
 * shortens, so that a store in trouble is not stormed.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';

export interface LoopOptions {
  readonly clock: Clock;
  /**
   * Does one piece of work and says in how many ms the next turn is wanted: 0 at once, Infinity only when nudged.
   * `lateMs`: how much later than planned it was woken, which tells a process that stood still from a lively one.
   */
  readonly turn: (lateMs: number) => Promise<number>;
  readonly trouble: (error: unknown) => void;
  /** Default Infinity. */
  readonly longestSleep?: number;
  readonly backoff: number;
  readonly longestBackoff: number;
}

const never = Number.POSITIVE_INFINITY;

export class Loop {
  readonly #options: LoopOptions;
  #running: Promise<void> | undefined;
  #stopping = false;
  /** Local time by which the next turn is wanted. */
  #wanted: number = never;
  /** While asleep, the local time to wake at. Fields and not closures, because a worker's loops sleep between any two runs. */
  #wakeAt: number = never;
  #nudgeable = false;
  /** Ends the sleep; undefined while awake. */
  #awake: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#awake !== undefined) this.#planFor(this.#options.clock.now());
    await this.#running;
    this.#running = undefined;
  }

  /** Asks for a turn at the given local time at the latest; default at once. */
  nudge(at: Instant = this.#options.clock.now()): void {
    if (at < this.#wanted) this.#wanted = at;
    if (this.#awake !== undefined && this.#nudgeable && at < this.#wakeAt) this.#planFor(at);
  }

  /** Takes back every wish: the next turn comes with the next nudge. For loops without a longest sleep. */
  calm(): void {
    this.#wanted = never;
    if (this.#awake !== undefined && this.#nudgeable && this.#wakeAt < never) this.#planFor(never);
  }

  async #run(): Promise<void> {
    const { clock, turn, trouble, longestSleep = never, backoff, longestBackoff } = this.#options;
    let pause = backoff;
    let lateMs = 0;
    while (!this.#stopping) {
      this.#wanted = never;
      try {
        const wait = Math.min(await turn(lateMs), longestSleep);
        pause = backoff;
        lateMs = 0;
        const now = clock.now();
        const planned = Math.min(this.#wanted, now + wait);
        if (planned > now) {
          await this.#sleep(planned, true);
          lateMs = Math.max(0, clock.now() - this.#wakeAt);
        }
      } catch (error) {
        trouble(error);
        lateMs = 0;
        await this.#sleep(addTime(clock.now(), pause), false);
        pause = Math.min(pause * 2, longestBackoff);
      }
    }
  }

  #sleep(until: number, nudgeable: boolean): Promise<void> | undefined {
    if (this.#stopping) return undefined;
    this.#nudgeable = nudgeable;
    return new Promise<void>((resolve) => {
      this.#awake = resolve;
      this.#planFor(until);
    });
  }

  #planFor(at: number): void {
    const { clock } = this.#options;
    const now = clock.now();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#wakeAt = Math.max(at, now);
    if (at <= now) this.#wake();
    else if (at < never) this.#cancelTimer = clock.wakeAt(at as Instant, this.#wake);
  }

  readonly #wake = (): void => {
    const awake = this.#awake;
    this.#cancelTimer = undefined;
    this.#awake = undefined;
    awake?.();
  };
}
