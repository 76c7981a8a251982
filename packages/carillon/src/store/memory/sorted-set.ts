/**
 * Items in an order that is established by the next read. Appending in order, the usual case, keeps it;
 * any other insertion only marks it, so that loading a million rows in any order costs one sort.
 */
export class SortedSet<T> {
  readonly #members = new Set<T>();
  readonly #compare: (a: T, b: T) => number;
  #order: T[] | null = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#members.size;
  }

  add(item: T): void {
    this.#members.add(item);
    if (this.#order === null) return;
    const last = this.#order.at(-1);
    if (last === undefined || this.#compare(last, item) < 0) this.#order.push(item);
    else this.#order = null;
  }

  delete(item: T): void {
    if (this.#members.delete(item)) this.#order = null;
  }

  /** All items in order. The array is the set's own: read it before the next change. */
  items(): readonly T[] {
    this.#order ??= [...this.#members].sort(this.#compare);
    return this.#order;
  }

  /** Position of the first item for which `isPast` holds; it must hold for all that follow. */
  search(isPast: (item: T) => boolean): number {
    return firstPosition(this.items(), isPast);
  }
}

/** The same in an array; its length when there is none. */
export function firstPosition<T>(items: readonly T[], isPast: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
