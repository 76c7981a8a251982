/** What a screen does not need at once is asked for after its first answer, so that the list comes first. */
import { useSyncExternalStore } from 'react';

/** A server that does not answer must not keep the rest from saying so. */
const longestWaitMs = 1500;
/** Long enough for a frame. */
const restMs = 50;
let isLater = false;
let isTold = false;
const watchers = new Set<() => void>();

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

export function useLater(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isTold,
  );
}
