/**
 * Those who are told of something, each for itself: one that throws is reported and hurts no other, nor the code that
 * tells. A listener may leave, or another may join, while a message is being told.
 */
export class Listeners<T> {
  readonly #listeners = new Set<T>();
  readonly #failed: (error: unknown) => void;

  /** `failed` is told what a listener threw. It must not throw itself. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Asked before a message is made: on hot paths most have no listener. */
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

  /** Calls `tell` with each listener. */
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
