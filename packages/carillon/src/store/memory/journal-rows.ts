/** Rows that are only appended, read newest first and forgotten from the front: audit. */
import type { Instant } from '../../base/time.ts';

interface Entry<T> {
  readonly sequence: number;
  readonly row: T;
}

export class Journal<T extends { readonly at: Instant }> {
  #entries: Entry<T>[] = [];
  #appended = 0;

  append(row: T): void {
    this.#entries.push({ sequence: ++this.#appended, row });
  }

  /** The entries before a sequence number, newest first. */
  *before(sequence: number): Generator<Entry<T>> {
    for (let i = this.#position(sequence) - 1; i >= 0; i--) yield this.#entries[i] as Entry<T>;
  }

  /** Looks at the oldest `limit` entries, which are in order of time but for the jumps of a clock. */
  sweep(before: Instant, limit: number): number {
    const held = this.#entries.length;
    this.#entries = this.#entries.filter(({ row }, i) => i >= limit || row.at >= before);
    return held - this.#entries.length;
  }

  /** Position of the first entry at or after a sequence number. */
  #position(sequence: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry<T>).sequence < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
