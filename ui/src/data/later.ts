/** What a screen does not need at once is asked for a moment after the page was opened, so that the list comes first. */
import { useSyncExternalStore } from 'react';

const restMs = 350;
let isLater = false;
const watchers = new Set<() => void>();

setTimeout(() => {
  isLater = true;
  for (const watcher of watchers) watcher();
}, restMs);

export function useLater(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isLater,
  );
}
