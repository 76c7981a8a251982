/**
 * Timers of a file's owner. They use Node's timers and not the clock of the store: a virtual clock must not decide how long
 * a lock is held. They do not keep the process alive: a program that forgot to close its store may end.
 */
import { clearInterval, setInterval, setTimeout } from 'node:timers';

/** Calls `beat` at an interval; returns a function that stops it. */
export function every(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves after a time. Keeps the process alive, because a caller waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
