/** Whether the screen is as narrow as a phone's: the rail is at the bottom then, and rows are higher. */
import { useSyncExternalStore } from 'react';

const small = matchMedia('(max-width: 860px)');

function watch(watcher: () => void): () => void {
  small.addEventListener('change', watcher);
  return () => small.removeEventListener('change', watcher);
}

export function useSmallScreen(): boolean {
  return useSyncExternalStore(watch, () => small.matches);
}
