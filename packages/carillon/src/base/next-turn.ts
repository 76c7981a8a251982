/**
 * The end of the current turn of the event loop: everything that has already arrived is handled first.
 *
 * From the module, and taken when it is loaded: test frameworks replace the global, and work must not wait for a test to
 * advance a clock that it does not know.
 */
import { setImmediate } from 'node:timers';

const schedule = setImmediate;

/** Calls `work` once, after the current turn. */
export function afterTurn(work: () => void): void {
  schedule(work);
}

/** Lets other work of the process run before a long piece of work goes on. */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    schedule(resolve);
  });
}
