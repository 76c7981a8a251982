/**
 * Transactions of this process that name the same rows take keyQueue, in the order in which they were asked for. Nodes are
 * kept apart by versions alone; without keyQueue, a hundred requests of one process to one row would make each other begin
 * again and again.
 */
export class KeyQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Does the work when everybody who asked for one of these names before is done. */
  async take<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = new Set<Promise<void>>();
    let done = () => {};
    const turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    // All names at once: whoever comes later waits for this one on each of them, so nobody waits in a circle.
    for (const name of names) {
      const last = this.#last.get(name);
      // The same name twice must not make the turn wait for itself.
      if (last !== undefined && last !== turn) before.add(last);
      this.#last.set(name, turn);
    }
    try {
      if (before.size > 0) await Promise.all(before);
      return await work();
    } finally {
      for (const name of names) if (this.#last.get(name) === turn) this.#last.delete(name);
      done();
    }
  }
}
