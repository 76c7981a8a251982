/**
 * The watchers of a store, which receive events of the store as a whole. A watcher that throws does not keep the others
 * from their event.
 */
import { Listeners, throwLater } from '../base/listeners.ts';
import type { StoreEvent } from './store.ts';

export class Watchers {
  readonly #failed: (error: unknown) => void;
  #watchers: Listeners<(event: StoreEvent) => void>;

  /** `failed` receives what a watcher threw. Default: it surfaces as an uncaught exception. */
  constructor(failed: (error: unknown) => void = throwLater) {
    this.#failed = failed;
    this.#watchers = new Listeners(failed);
  }

  /** Returns an unsubscribe function. */
  add(watcher: (event: StoreEvent) => void): () => void {
    return this.#watchers.add(watcher);
  }

  tell(event: StoreEvent): void {
    this.#watchers.each((watcher) => watcher(event));
  }

  clear(): void {
    this.#watchers = new Listeners(this.#failed);
  }
}
