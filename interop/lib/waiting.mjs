// Waits for facts, by repeating a question until the answer is there.
import { setTimeout as sleep } from 'node:timers/promises';

/** The first value of `ask` that is not undefined, null or false. Errors of `ask` count as 'not yet'. */
export async function until(what, ask, withinMs = 60_000, everyMs = 100) {
  const end = Date.now() + withinMs;
  let last = '';
  for (;;) {
    try {
      const found = await ask();
      if (found !== undefined && found !== null && found !== false) return found;
    } catch (error) {
      last = `: ${error.message}`;
    }
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}${last}`);
    await sleep(everyMs);
  }
}
