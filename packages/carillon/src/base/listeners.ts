/**
 * Calls a listener. `failed` receives what the listener throws, and what its promise rejects with when it is an `async`
 * function: unhandled, that would end the process.
 */
export function callListener(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

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

  /** Calls `tell` with each listener in turn; `tell` returns what the listener returns. */
  each(tell: (listener: T) => unknown): void {
    for (const listener of this.#listeners) callListener(() => tell(listener), this.#failed);
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
