/** Capacity for running handlers, by queue. */
import { assert } from '../base/assert.ts';

export class Capacity {
  readonly #limits: Map<string, number>;
  readonly #used = new Map<string, number>();

  constructor(limits: ReadonlyMap<string, number>) {
    this.#limits = new Map(limits);
  }

  /** A limit below the present use is reached as runs end. */
  limit(queue: string, most: number): void {
    this.#limits.set(queue, most);
  }

  free(queue: string): number {
    return (this.#limits.get(queue) ?? 0) - (this.#used.get(queue) ?? 0);
  }

  /** The queues with free capacity, and how much. */
  all(): ReadonlyMap<string, number> {
    const free = new Map<string, number>();
    for (const queue of this.#limits.keys()) if (this.free(queue) > 0) free.set(queue, this.free(queue));
    return free;
  }

  take(queue: string): void {
    this.#used.set(queue, (this.#used.get(queue) ?? 0) + 1);
  }

  give(queue: string): void {
    const used = (this.#used.get(queue) ?? 0) - 1;
    assert(used >= 0, () => `queue ${queue} released capacity that was not taken`);
    this.#used.set(queue, used);
  }
}
