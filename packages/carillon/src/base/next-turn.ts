/**
 * Work after the current turn of the event loop: everything that has already arrived is handled first.
 *
 * `setImmediate` is imported from the module when this file is loaded. Test frameworks replace the global function,
 * and work must not wait until a test advances a fake clock.
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
