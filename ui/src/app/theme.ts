/** Light or dark: as the system says, unless the person chose. */
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const name = 'carillon.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();

function chosen(): Theme | undefined {
  try {
    const theme = localStorage.getItem(name);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
}

export function currentTheme(): Theme {
  return chosen() ?? (system.matches ? 'dark' : 'light');
}

export function applyTheme(): void {
  const theme = chosen();
  if (theme === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const watcher of watchers) watcher();
}

export function switchTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(name, next);
  } catch {
    // The choice then lasts for this page only.
    document.documentElement.dataset.theme = next;
  }
  applyTheme();
}

system.addEventListener('change', applyTheme);

export function useTheme(): Theme {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, currentTheme);
}
