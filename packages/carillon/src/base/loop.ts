/**
 * A background loop: one turn at a time, then asleep until the turn's own wish, a nudge, or the longest sleep,
 * whichever comes first. A turn that throws is followed by a pause that doubles up to a bound. No nudge shortens that
 * pause, so that a store in trouble is not stormed; the first answer that another loop gets from the store does.
 */
import { Backoff, type Outage } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { Instant } from './time.ts';
import { Wakeup } from './wakeup.ts';

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
  /** Shared with the other loops of the same store. */
  readonly outage?: Outage;
}

const never = Number.POSITIVE_INFINITY;

export class Loop {
  readonly #options: LoopOptions;
  readonly #wakeup: Wakeup;
  /** Sleeps after trouble, which nudges do not end. */
  readonly #pause: Wakeup;
  #running: Promise<void> | undefined;
  #stopping = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#wakeup = new Wakeup(options.clock);
    this.#pause = new Wakeup(options.clock);
  }

  start(): void {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeup.wake();
    this.#pause.wake();
    await this.#running;
    this.#running = undefined;
  }

  /** Asks for a turn at the given local time at the latest; default at once. */
  nudge(at: Instant = this.#options.clock.now()): void {
    this.#wakeup.wake(at);
  }

  /** Takes back every wish: the next turn comes with the next nudge. For loops without a longest sleep. */
  calm(): void {
    if (!this.#stopping) this.#wakeup.calm();
  }

  async #run(): Promise<void> {
    const { clock, turn, trouble, longestSleep = never, outage } = this.#options;
    const { backoff: firstMs, longestBackoff: longestMs } = this.#options;
    const backoff = new Backoff({ firstMs, longestMs });
    let lateMs = 0;
    while (!this.#stopping) {
      this.#wakeup.forget();
      try {
        const wait = Math.min(await turn(lateMs), longestSleep);
        backoff.succeeded();
        outage?.answered();
        lateMs = 0;
        if (this.#stopping) return;
        const asleep = this.#wakeup.sleepUntil(clock.now() + wait);
        if (asleep === undefined) continue;
        await asleep;
        lateMs = Math.max(0, clock.now() - this.#wakeup.plannedEnd);
      } catch (error) {
        trouble(error);
        lateMs = 0;
        await this.#rest(backoff.failed());
      }
    }
  }

  async #rest(pauseMs: number): Promise<void> {
    if (this.#stopping) return;
    const wake = () => this.#pause.wake();
    const forgetWish = this.#options.outage?.onAnswer(wake);
    this.#pause.forget();
    await this.#pause.sleep(pauseMs);
    forgetWish?.();
  }
}
