/** The results of actions. */
import { useSyncExternalStore } from 'react';
import type { Family } from '../verdict/verdict.ts';

export interface Toast {
  readonly id: number;
  readonly family: Family;
  readonly text: string;
  readonly detail?: string;
}

let toasts: readonly Toast[] = [];
let last = 0;
const watchers = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

/** Shows a result. A success disappears by itself; a failure stays until it is closed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  last += 1;
  const id = last;
  set([...toasts.slice(-3), { ...toast, id }]);
  if (toast.family !== 'fail') setTimeout(() => closeToast(id), 6000);
}

export function closeToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => toasts,
  );
}
