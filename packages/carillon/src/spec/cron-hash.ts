/** `H` in a cron field: a value that is fixed for one schedule and spread evenly over many. */
import { fingerprint32 } from './farmhash.ts';
import type { Range } from './model.ts';

export interface HashRequest {
  readonly seed: string;
  /** Part of the hash, so that `H H * * *` is not the same number twice. */
  readonly field: string;
  readonly min: number;
  readonly max: number;
  /** The step; with a step, the interval is kept and only its start is spread. */
  readonly step: number | undefined;
}

const encoder = new TextEncoder();

export function hashedRange({ seed, field, min, max, step }: HashRequest): Range {
  const hash = fingerprint32(encoder.encode(`${field}\n${seed}`));
  const size = max - min + 1;
  if (step === undefined) {
    const value = min + (hash % size);
    return { start: value, end: value, step: 1 };
  }
  return { start: min + (hash % Math.min(step, size)), end: max, step };
}

/**
 * Whether a text may use `H`, so that its times depend on the seed. It may return true without need, but never false
 * for a text that uses `H`.
 */
export function mayDependOnSeed(text: string): boolean {
  return /(^|[\s,])H/i.test(text);
}
