/** Seconds as clients write them, as milliseconds. */

/** A century. Longer times mean 'never', and a store must be able to represent every time that is computed from one. */
const mostSeconds = 100 * 366 * 86_400;

export function msOf(seconds: number): number {
  return Math.min(seconds, mostSeconds) * 1000;
}
