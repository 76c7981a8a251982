/** The watchers of a store, which are told events of the store as a whole. */
import type { StoreEvent } from './store.ts';

export class Watchers {
  readonly #watchers = new Set<(event: StoreEvent) => void>();

  /** Returns an unsubscribe function. */
  add(watcher: (event: StoreEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  tell(event: StoreEvent): void {
    for (const watcher of [...this.#watchers]) watcher(event);
  }

  clear(): void {
    this.#watchers.clear();
  }
}
