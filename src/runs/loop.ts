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
  /** Set while asleep: wakes at the given time at the latest. */
  #wakeBy: ((at: number) => void) | undefined;
  /** Set while asleep: lets go of the time to wake at. */
  #forget: (() => void) | undefined;

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
    this.#wakeBy?.(-never);
    await this.#running;
    this.#running = undefined;
  }

  /** Asks for a turn at the given local time at the latest; default at once. */
  nudge(at: Instant = this.#options.clock.now()): void {
    this.#wanted = Math.min(this.#wanted, at);
    this.#wakeBy?.(at);
  }

  /** Takes back every wish: the next turn comes with the next nudge. For loops without a longest sleep. */
  calm(): void {
    this.#wanted = never;
    this.#forget?.();
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
        const planned = Math.min(this.#wanted, clock.now() + wait);
        lateMs = 0;
        if (planned > clock.now()) {
          const woken = await this.#sleep(planned, true);
          lateMs = Math.max(0, clock.now() - woken);
        }
      } catch (error) {
        trouble(error);
        lateMs = 0;
        await this.#sleep(addTime(clock.now(), pause), false);
        pause = Math.min(pause * 2, longestBackoff);
      }
    }
  }

  /** Resolves to the time it was to wake at. */
  async #sleep(until: number, nudgeable: boolean): Promise<number> {
    if (this.#stopping) return until;
    const { clock } = this.#options;
    let planned = until;
    await new Promise<void>((resolve) => {
      let cancel = () => {};
      const arm = () => {
        cancel();
        if (planned <= clock.now()) resolve();
        else if (planned < never) cancel = clock.wakeAt(planned as Instant, resolve);
      };
      this.#forget = () => {
        if (!nudgeable) return;
        planned = never;
        arm();
      };
      this.#wakeBy = (at) => {
        const stops = at === -never;
        if (at >= planned || (!nudgeable && !stops)) return;
        planned = stops ? clock.now() : Math.max(at, clock.now());
        arm();
      };
      arm();
    });
    this.#wakeBy = undefined;
    this.#forget = undefined;
    return planned;
  }
}
