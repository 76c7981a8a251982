/**
 * Whether a node may believe what it knows. A process that was suspended or stood still, or whose wall clock was set,
 * may have been taken for dead meanwhile; and a node that was cut off, together with all others or alone, cannot tell
 * which of the silent ones are alive. Everything here is measured by the steady clock.
 *
 * - *trusted*: the node beat and was answered since it last stood still.
 * - *settled*: answers have come without a gap for so long that every living node has beaten since the last outage; only
 *   then may it end leases of others.
 */
import type { Clock } from '../base/clock.ts';

/** Wall and steady clock may differ by so much between two looks. */
const mostDrift = 2000;
/** How late a turn may come before the process counts as one that stood still. */
const mostLateness = 5000;
/** The longest gap between two answers that is no outage. */
const longestGap = 7000;
/** How long answers must have come without a gap. */
const settlingMs = 10_000;

export interface TrustOptions {
  readonly steady: Clock;
  readonly wall: Clock;
  /** A turn is expected this often. */
  readonly beatMs: number;
}

export class Trust {
  readonly #options: TrustOptions;
  #isTrusted = false;
  #offset: number;
  #lastTurn: number;
  #lastAnswer = Number.NEGATIVE_INFINITY;
  #settledSince = Number.POSITIVE_INFINITY;

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#offset = this.#difference();
    this.#lastTurn = options.steady.now();
  }

  /** Looks at the clocks. False from the moment something was noticed until the next answer. */
  look(): boolean {
    const { steady, beatMs } = this.#options;
    const now = steady.now();
    const difference = this.#difference();
    const jumped = Math.abs(difference - this.#offset) > mostDrift;
    const stood = now - this.#lastTurn > beatMs + mostLateness;
    this.#offset = difference;
    if (jumped || stood) {
      this.#isTrusted = false;
      this.#settledSince = Number.POSITIVE_INFINITY;
      this.#lastTurn = now;
    }
    return this.#isTrusted;
  }

  /** The loop that beats has its turn. */
  turned(): void {
    this.look();
    this.#lastTurn = this.#options.steady.now();
  }

  /** A beat that was asked for since the last look was answered. */
  answered(): void {
    const now = this.#options.steady.now();
    if (now - this.#lastAnswer > longestGap || this.#settledSince === Number.POSITIVE_INFINITY) {
      this.#settledSince = now;
    }
    this.#lastAnswer = now;
    this.#lastTurn = now;
    this.#isTrusted = true;
  }

  get isSettled(): boolean {
    const now = this.#options.steady.now();
    return this.look() && now - this.#lastAnswer <= longestGap && now - this.#settledSince >= settlingMs;
  }

  #difference(): number {
    const { steady, wall } = this.#options;
    return wall.now() - steady.now();
  }
}
