/**
 * Pauses after failures. Each pause is twice as long as the one before, up to a bound; a success resets it to the
 * first.
 */

export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
}

export class Backoff {
  readonly #options: BackoffOptions;
  #nextMs: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#nextMs = options.firstMs;
  }

  /** The pause after this failure, in ms. */
  failed(): number {
    const pause = this.#nextMs;
    this.#nextMs = Math.min(pause * 2, this.#options.longestMs);
    return pause;
  }

  succeeded(): void {
    this.#nextMs = this.#options.firstMs;
  }
}

/**
 * Lets the loops that use one store end their pauses together. The first answer after an outage wakes all of them, so
 * that no loop sleeps ten more seconds although the store is back.
 */
export class Outage {
  readonly #waiting = new Set<() => void>();

  /** The store answered a call of any loop. */
  answered(): void {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Calls `wake` once, at the next answer. Returns an unsubscribe function. */
  onAnswer(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }
}
