/** Seconds as clients write them, as milliseconds. */

/** A century: longer times mean 'never', and a store must be able to keep every time that follows from one. */
const mostSeconds = 100 * 366 * 86_400;

export function msOf(seconds: number): number {
  return Math.min(seconds, mostSeconds) * 1000;
}
