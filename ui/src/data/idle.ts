/** Work that can wait until the first screen is done and nothing else is to do. */
import { afterFirst } from './later.ts';

/** After the first answer was drawn, and what the screen asks for next. */
const restMs = 2000;
/** A browser that is never idle does it at last. */
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
