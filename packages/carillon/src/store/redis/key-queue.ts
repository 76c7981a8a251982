/**
 * A queue per key: transactions of this process that name the same rows run one after the other, in the order of their calls.
 * Between nodes only versions prevent conflicts; without the queue, a hundred requests of one process to one row would make each
 * other begin again and again.
 */
export class KeyQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Does the work when all earlier work under one of these names is done. */
  async take<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = new Set<Promise<void>>();
    let done = () => {};
    const job = new Promise<void>((resolve) => {
      done = resolve;
    });
    // All names are entered at once: later work waits for this work on each of its names, so no wait is circular.
    for (const name of names) {
      const last = this.#last.get(name);
      // A repeated name must not make the work wait for itself.
      if (last !== undefined && last !== job) before.add(last);
      this.#last.set(name, job);
    }
    try {
      if (before.size > 0) await Promise.all(before);
      return await work();
    } finally {
      for (const name of names) if (this.#last.get(name) === job) this.#last.delete(name);
      done();
    }
  }
}
