/** Light or dark: as the system says, unless the person chose. */
import { useSyncExternalStore } from 'react';
import type { Theme } from './theme-choice.ts';
import { applyChoice, chosenTheme, keepTheme } from './theme-choice.ts';

const system = matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();

export function currentTheme(): Theme {
  return chosenTheme() ?? (system.matches ? 'dark' : 'light');
}

export function applyTheme(): void {
  applyChoice();
  for (const watcher of watchers) watcher();
}

export function switchTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  if (!keepTheme(next)) {
    // Without storage the choice lasts for this page only.
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
