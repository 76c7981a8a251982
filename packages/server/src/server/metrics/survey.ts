/**
 * A look over all rows, which takes as long as there are rows. It goes on beside the scrapes: they wait for it only a
 * moment and then take what was seen last. It is repeated so rarely that it never takes more than a share of our time.
 */

import type { Instant } from 'carillon/internal/base';
import { addTime, type Clock, stopwatch, Wakeup } from 'carillon/internal/base';

/** What was seen holds for at least so long. */
const keptMs = 5000;

/** And for so many times as long as the look took. */
const restFactor = 20;

/** How long a scrape waits; Prometheus gives up after ten seconds. */
const patienceMs = 1000;

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

  /** Undefined while the first look goes on. Rejects when a look that was waited for failed. */
  async read(): Promise<T | undefined> {
    if (this.#holdsUntil !== undefined && this.#clock.now() < this.#holdsUntil) return this.#seen;
    this.#looking ??= this.#refresh().finally(() => {
      this.#looking = undefined;
    });
    await this.#orPatience(this.#looking);
    return this.#seen;
  }

  async #refresh(): Promise<void> {
    const began = stopwatch();
    this.#seen = await this.#look();
    const took = stopwatch() - began;
    this.#holdsUntil = addTime(this.#clock.now(), Math.max(keptMs, restFactor * took));
  }

  async #orPatience(looking: Promise<void>): Promise<void> {
    const wakeup = new Wakeup(this.#clock);
    let isOver = false;
    const over = () => {
      isOver = true;
      wakeup.wake();
    };
    // A look that fails after the scrape went away is tried again by the next scrape.
    looking.then(over, over);
    await wakeup.sleep(patienceMs);
    if (isOver) await looking;
  }
}
