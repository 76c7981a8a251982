/**
 * Stops asking a target that does not answer. *Closed*: requests go through; `failures` in a row open it. *Open*: requests are
 * refused until `restMs` is over. Then one request is let through: its answer closes the breaker, its failure opens it again.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';

export interface BreakerOptions {
  readonly clock: Clock;
  readonly failures: number;
  readonly restMs: number;
}

export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #openUntil: Instant | undefined;
  #isProbing = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /**
   * How long to wait before the next request; 0 when a request may be sent now. The caller must report the end of a
   * request that it sends.
   */
  waitMs(): number {
    if (this.#openUntil === undefined) return 0;
    const now = this.#options.clock.now();
    if (now < this.#openUntil) return this.#openUntil - now;
    if (this.#isProbing) return this.#options.restMs;
    this.#isProbing = true;
    return 0;
  }

  answered(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isProbing = false;
  }

  /** Reports that the request ended without saying anything about the target: another one may be tried. */
  givenUp(): void {
    this.#isProbing = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#isProbing = false;
    const { clock, failures, restMs } = this.#options;
    if (this.#failures >= failures) this.#openUntil = addTime(clock.now(), restMs);
  }
}
