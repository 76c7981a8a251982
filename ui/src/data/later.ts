/** What a screen does not need at once is asked for after its first answer, so that the list comes first. */
import { useSyncExternalStore } from 'react';

/** The longest wait for the first answer: without an answer, the other requests report that the server is away. */
const longestWaitMs = 1500;
/** The pause after the first answer: long enough to draw a frame. */
const restMs = 50;
let isLater = false;
let isTold = false;
const watchers = new Set<() => void>();

/** Whether the first answer has come. */
export function hasBegun(): boolean {
  return isLater;
}

/** Called with the first answer; later calls change nothing. */
export function beginLater(): void {
  if (isLater) return;
  isLater = true;
  clearTimeout(timer);
  // The answer is drawn first.
  setTimeout(() => {
    isTold = true;
    for (const watcher of watchers) watcher();
  }, restMs);
}

const timer = setTimeout(beginLater, longestWaitMs);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useLater(): boolean {
  return useSyncExternalStore(watch, () => isTold);
}

/** Calls once the first answer was drawn; at once when that was before. */
export function afterFirst(call: () => void): void {
  if (isTold) {
    call();
    return;
  }
  const forget = watch(() => {
    forget();
    call();
  });
}
