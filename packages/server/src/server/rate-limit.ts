/** A token bucket for each caller: full at first, refilled at a steady rate, and each request takes one token. */
import type { Clock, Instant } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';

export interface RateLimit {
  readonly perSecond: number;
  /** Number of requests allowed at once. */
  readonly burst: number;
}

/** Number of callers with a bucket. The caller that was idle longest loses its bucket and starts again with a full one. */
const mostCallers = 10_000;

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: Instant }>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Throws when the caller exceeds its limit. */
  take(caller: string): void {
    const { perSecond, burst } = this.#limit;
    const now = this.#clock.now();
    const before = this.#buckets.get(caller) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, before.tokens + (Math.max(0, now - before.at) / 1000) * perSecond);
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens: Math.max(0, tokens - 1), at: now });
    if (this.#buckets.size > mostCallers) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    if (tokens >= 1) return;
    throw new ServiceError({
      code: 'resourceExhausted',
      reason: 'RATE_LIMITED',
      message: `more than ${perSecond} requests per second; wait a moment`,
    });
  }
}
