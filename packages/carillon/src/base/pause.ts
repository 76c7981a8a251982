import type { Clock } from './clock.ts';
import { Wakeup, wakeOnAbort } from './wakeup.ts';

/** Sleeps for a number of ms, or until the signal aborts. It does not tell which: the caller asks the signal. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  const wakeup = new Wakeup(clock);
  const unsubscribe = wakeOnAbort(wakeup, signal);
  try {
    await wakeup.sleep(ms);
  } finally {
    unsubscribe();
  }
}
