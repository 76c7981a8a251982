/**
 * Counts the calls of a store that have not answered yet. Virtual time must not pass while a store on a disk works: to the
 * nodes it would look as if every commit took minutes.
 */
import type { Store } from '../store/store.ts';

export class PendingCalls {
  /** The store, with its calls counted. */
  readonly store: Store;
  #count = 0;

  constructor(store: Store) {
    this.store = new Proxy(store, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        return (...args: readonly unknown[]) => this.#counted(Reflect.apply(found, target, args));
      },
    });
  }

  get count(): number {
    return this.#count;
  }

  #counted(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    this.#count += 1;
    return answer.finally(() => {
      this.#count -= 1;
    });
  }
}
