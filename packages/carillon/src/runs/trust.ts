/**
 * Whether a node may rely on its own state. Other nodes may have declared a process dead that was suspended, or
 * whose wall clock was set; and a node that was disconnected, together with all others or alone, cannot tell
 * which of the silent nodes are alive. Everything here is measured by the steady clock.
 *
 * - *trusted*: a heartbeat of the node was answered since it was last suspended.
 * - *settled*: answers have come without a gap for so long that every living node has sent a heartbeat since the last outage; only
 *   then may it end leases of others.
 */
import type { Clock } from '../base/clock.ts';

/** Wall and steady clock may differ by this much between two checks. */
const mostDrift = 2000;
/** How late a round of the loop may be before the process counts as suspended. */
const mostLateness = 5000;
/** The longest gap between two answers that does not count as an outage. */
const longestGap = 7000;
/** How long answers must have come without a gap. */
const settlingMs = 10_000;

export interface TrustOptions {
  readonly steady: Clock;
  readonly wall: Clock;
  /** The expected interval between two rounds of the loop. */
  readonly heartbeatMs: number;
}

export class Trust {
  readonly #options: TrustOptions;
  #isTrusted = false;
  #offset: number;
  #lastRound: number;
  #lastAnswer = Number.NEGATIVE_INFINITY;
  #settledSince = Number.POSITIVE_INFINITY;

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#offset = this.#difference();
    this.#lastRound = options.steady.now();
  }

  /** Checks the clocks. False from the moment a jump or a suspension was noticed until the next answer. */
  check(): boolean {
    const { steady, heartbeatMs } = this.#options;
    const now = steady.now();
    const jumped = this.clockStep() !== 0;
    const stood = now - this.#lastRound > heartbeatMs + mostLateness;
    if (jumped || stood) {
      this.#isTrusted = false;
      this.#settledSince = Number.POSITIVE_INFINITY;
      this.#lastRound = now;
    }
    return this.#isTrusted;
  }

  /** The ms by which the wall clock was set, or ran on while the process was suspended, since this was last asked. */
  clockStep(): number {
    const difference = this.#difference();
    const step = difference - this.#offset;
    this.#offset = difference;
    return Math.abs(step) > mostDrift ? step : 0;
  }

  /** Called in every round of the loop that sends heartbeats. */
  looped(): void {
    this.check();
    this.#lastRound = this.#options.steady.now();
  }

  /** Called when a heartbeat that was sent since the last check was answered. */
  answered(): void {
    const now = this.#options.steady.now();
    if (now - this.#lastAnswer > longestGap || this.#settledSince === Number.POSITIVE_INFINITY) {
      this.#settledSince = now;
    }
    this.#lastAnswer = now;
    this.#lastRound = now;
    this.#isTrusted = true;
  }

  get isSettled(): boolean {
    const now = this.#options.steady.now();
    return this.check() && now - this.#lastAnswer <= longestGap && now - this.#settledSince >= settlingMs;
  }

  #difference(): number {
    const { steady, wall } = this.#options;
    return wall.now() - steady.now();
  }
}
