/**
 * A set of listeners. A listener that throws is reported and affects neither the other listeners nor the code that
 * calls them. Listeners may be added and removed while a message is delivered.
 */
export class Listeners<T> {
  readonly #listeners = new Set<T>();
  readonly #failed: (error: unknown) => void;

  /** `failed` receives what a listener threw. It must not throw itself. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** The number of listeners. Hot paths check it before they build a message, because most messages have no listener. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Returns an unsubscribe function. */
  add(listener: T): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  some(is: (listener: T) => boolean): boolean {
    for (const listener of this.#listeners) if (is(listener)) return true;
    return false;
  }

  /** Calls `tell` with each listener in turn. */
  each(tell: (listener: T) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}

const now = Promise.resolve();

/**
 * Lets an error surface as an uncaught exception, after the code that calls the listeners. A promise schedules it, because
 * test frameworks replace `queueMicrotask`.
 */
export function throwLater(error: unknown): void {
  void now.then(() => {
    throw error;
  });
}
