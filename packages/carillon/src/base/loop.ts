/**
 * A background loop. It calls `runOnce`, then sleeps until the time that `runOnce` asked for, a nudge, or the longest
 * sleep, whichever is first. After an error it backs off with a pause that doubles up to a bound. A nudge does not
 * shorten that pause, so that a failing store is not flooded with calls; the first answer that another loop gets from
 * the store ends it.
 */
import { Backoff, type Outage } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { Instant } from './time.ts';
import { Wakeup } from './wakeup.ts';

export interface LoopOptions {
  readonly clock: Clock;
  /**
   * Does one piece of work and returns the ms until the next one: 0 for at once, Infinity for the next nudge.
   * `lateMs` is how much later than planned the loop woke up; a large value means that the process was suspended or
   * blocked.
   */
  readonly runOnce: (lateMs: number) => Promise<number>;
  readonly trouble: (error: unknown) => void;
  /** The longest sleep in ms. Default Infinity. */
  readonly longestSleep?: number;
  readonly backoff: number;
  readonly longestBackoff: number;
  /** The outage that all loops of the same store share. */
  readonly outage?: Outage;
}

const never = Number.POSITIVE_INFINITY;

export class Loop {
  readonly #options: LoopOptions;
  readonly #wakeup: Wakeup;
  /** The sleep after an error, which nudges do not end. */
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

  /** Asks for a call of `runOnce` at the given local time at the latest; default at once. */
  nudge(at: Instant = this.#options.clock.now()): void {
    this.#wakeup.wake(at);
  }

  /** Cancels all nudges: the loop sleeps until the next nudge. For loops without a longest sleep. */
  cancelNudges(): void {
    if (!this.#stopping) this.#wakeup.cancelWakes();
  }

  async #run(): Promise<void> {
    const { clock, runOnce, trouble, longestSleep = never, outage } = this.#options;
    const { backoff: firstMs, longestBackoff: longestMs } = this.#options;
    const backoff = new Backoff({ firstMs, longestMs });
    let lateMs = 0;
    while (!this.#stopping) {
      this.#wakeup.forget();
      try {
        const wait = Math.min(await runOnce(lateMs), longestSleep);
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
        await this.#backOff(backoff.failed());
      }
    }
  }

  async #backOff(pauseMs: number): Promise<void> {
    if (this.#stopping) return;
    const wake = () => this.#pause.wake();
    const unsubscribe = this.#options.outage?.onAnswer(wake);
    this.#pause.forget();
    await this.#pause.sleep(pauseMs);
    unsubscribe?.();
  }
}
