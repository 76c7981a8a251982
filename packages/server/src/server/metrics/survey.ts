/**
 * A survey reads all rows, so its duration grows with their number. It runs beside the scrapes: a scrape waits for it only
 * briefly and then uses the last result. Surveys are repeated so rarely that they take only a small share of the time.
 */

import type { Instant } from 'carillon/internal/base';
import { addTime, type Clock, stopwatch, Wakeup } from 'carillon/internal/base';

/** A result is used for at least this time. */
const keptMs = 5000;

/** A result is also used for this many times the duration of its survey. */
const pauseFactor = 20;

/** How long a scrape waits for a survey; Prometheus gives up after ten seconds. */
const timeoutMs = 1000;

export class Survey<T> {
  readonly #look: () => Promise<T>;
  readonly #clock: Clock;
  #seen: T | undefined;
  #holdsUntil: Instant | undefined;
  #looking: Promise<void> | undefined;

  constructor(look: () => Promise<T>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
  }

  /** Undefined until the first survey ends. Rejects when a survey that the caller waited for failed. */
  async read(): Promise<T | undefined> {
    if (this.#holdsUntil !== undefined && this.#clock.now() < this.#holdsUntil) return this.#seen;
    this.#looking ??= this.#refresh().finally(() => {
      this.#looking = undefined;
    });
    await this.#waitFor(this.#looking);
    return this.#seen;
  }

  async #refresh(): Promise<void> {
    const began = stopwatch();
    this.#seen = await this.#look();
    const took = stopwatch() - began;
    this.#holdsUntil = addTime(this.#clock.now(), Math.max(keptMs, pauseFactor * took));
  }

  async #waitFor(looking: Promise<void>): Promise<void> {
    const wakeup = new Wakeup(this.#clock);
    let isOver = false;
    const over = () => {
      isOver = true;
      wakeup.wake();
    };
    // A survey that fails after its scrape stopped waiting is repeated by the next scrape.
    looking.then(over, over);
    await wakeup.sleep(timeoutMs);
    if (isOver) await looking;
  }
}
