/**
 * Timers of a file's owner. They are Node's own and not the clock of the store: a virtual clock must not decide how long
 * a lock is held. They keep no process alive: a program that forgot to close its store may end.
 */
import { clearInterval, setInterval, setTimeout } from 'node:timers';

/** Calls `beat` again and again; returns a function that ends it. */
export function every(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves after a while. Keeps the process alive, because a caller waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
