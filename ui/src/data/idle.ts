/** Work that can wait until the first screen is done and nothing else is to do. */
import { afterFirst } from './later.ts';

/** The time after the first drawn answer in which the screen asks for more. */
const restMs = 2000;
/** The longest wait, for a browser that is never idle. */
const longestMs = 5000;

export function whenIdle(work: () => void): void {
  afterFirst(() => {
    setTimeout(() => {
      // Safari has no such callback.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: longestMs });
      else setTimeout(work);
    }, restMs);
  });
}
