/** The address of the page as something to read, change and watch. Paths are those below the page's own path. */
import { pagePath } from '../data/address.ts';
import { enterEntry, leaveEntry, newEntry } from './heights.ts';
import type { Search } from './search.ts';
import { parseSearch, stringifySearch } from './search.ts';

export interface Address {
  /** The path, such as `/default/schedules`; its parts are still encoded. */
  readonly path: string;
  readonly search: Search;
}

export interface Change {
  /** Whether to replace the present entry of the history, so that Back skips it. */
  readonly replace?: boolean;
}

let current = read();
const watchers = new Set<() => void>();

function read(): Address {
  const { pathname, search } = location;
  return {
    path: pathname.startsWith(pagePath) ? pathname.slice(pagePath.length) : pathname,
    search: parseSearch(search),
  };
}

export function addressNow(): Address {
  return current;
}

export function watchAddress(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Goes to a path with its query, such as `/default/schedules?q=tag:erp`. */
export function goTo(to: string, { replace = false }: Change = {}): void {
  const href = `${pagePath}${to}`;
  if (replace) history.replaceState(history.state, '', href);
  else {
    leaveEntry();
    history.pushState(newEntry(), '', href);
  }
  tell();
}

/** Changes the query of the present screen. Parameters that are not mentioned stay. */
export function changeSearch(change: Search, options: Change = {}): void {
  goTo(`${current.path}${stringifySearch({ ...current.search, ...change })}`, options);
}

function tell(): void {
  current = read();
  for (const watcher of watchers) watcher();
}

addEventListener('popstate', () => {
  enterEntry();
  tell();
});
