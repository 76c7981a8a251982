/** The address of the page as something to read, change and watch. Paths are those below the page's own path. */
import { pagePath } from '../data/address.ts';
import { enterEntry, leaveEntry, newEntry } from './heights.ts';
import type { Search } from './search.ts';
import { parseSearch, stringifySearch } from './search.ts';

export interface Address {
  /** Such as `/default/schedules`; its parts are still encoded. */
  readonly path: string;
  readonly search: Search;
}

export interface Change {
  /** Takes the place of the present entry, so that Back leaves it out. */
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

/** The same screen with another query; what is not named stays. */
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
