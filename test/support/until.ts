/** Waits for facts. All tests wait by this function. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two checks: short, because tests wait for it; not zero, because the awaited work needs the processor. */
const pauseMs = 5;
/** Ends a wait that hangs, with its last answer. Counted in checks: a slow machine only makes the wait longer. */
const mostLooks = 24_000;

type Found<T> = Exclude<T, undefined | null | false>;

/** Asks until the answer is there (neither undefined, null nor false), or until `holds` says so; returns it. */
export async function until<T>(ask: () => T | Promise<T>): Promise<Found<T>>;
export async function until<T>(ask: () => T | Promise<T>, holds: (answer: T) => boolean): Promise<T>;
export async function until<T>(
  ask: () => T | Promise<T>,
  holds: (answer: T) => boolean = (answer) => answer !== undefined && answer !== null && answer !== false,
): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (looks === mostLooks) throw new Error(`waited in vain; the last answer was ${JSON.stringify(answer)}`);
    await sleep(pauseMs);
  }
}
