/**
 * Pauses after failures. Each pause is twice as long as the one before, up to a bound; a success resets it to the
 * first.
 */

export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause in ms after so many failures in a row, from 1. For callers that count them, for example in a stored row. */
export function pauseAfter(failures: number, { firstMs, longestMs }: BackoffOptions): number {
  // Bounded, because an infinite power would make NaN of a first pause of zero.
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 40), longestMs);
}

export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The pause after this failure, in ms. */
  failed(): number {
    this.#failures += 1;
    return pauseAfter(this.#failures, this.#options);
  }

  succeeded(): void {
    this.#failures = 0;
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
