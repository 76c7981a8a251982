/**
 * A binary heap whose items can be found and removed again: the earliest of a million costs a glance, a change
 * costs the logarithm. An item's rank must not change while it is inside: remove, change, add.
 */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #positions = new Map<T, number>();
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1, item);
  }

  delete(item: T): void {
    const position = this.#positions.get(item);
    if (position === undefined) return;
    this.#positions.delete(item);
    const last = this.#items.pop() as T;
    if (last === item) return;
    this.#rise(position, last);
    this.#sink(this.#positions.get(last) as number, last);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.delete(first);
    return first;
  }

  /** The first items in order, at most `limit`, for as long as they are accepted; nothing is removed. */
  first(limit: number, accept: (item: T) => boolean): T[] {
    const [top] = this.#items;
    if (top === undefined || limit < 1 || !accept(top)) return [];
    if (this.#items.length === 1) return [top];
    const found: T[] = [];
    const at = (i: number) => this.#items[i] as T;
    // Children rank after their parent, so the next item is always among the children of those taken.
    const frontier = new Heap<number>((a, b) => this.#compare(at(a), at(b)));
    frontier.add(0);
    while (found.length < limit) {
      const position = frontier.pop();
      if (position === undefined || !accept(at(position))) break;
      found.push(at(position));
      for (const child of [2 * position + 1, 2 * position + 2]) {
        if (child < this.#items.length) frontier.add(child);
      }
    }
    return found;
  }

  #rise(from: number, item: T): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#items[above] as T;
      if (this.#compare(parent, item) <= 0) break;
      this.#put(position, parent);
      position = above;
    }
    this.#put(position, item);
  }

  #sink(from: number, item: T): void {
    let position = from;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= this.#items.length) break;
      if (
        child + 1 < this.#items.length &&
        this.#compare(this.#items[child + 1] as T, this.#items[child] as T) < 0
      ) {
        child++;
      }
      const below = this.#items[child] as T;
      if (this.#compare(item, below) <= 0) break;
      this.#put(position, below);
      position = child;
    }
    this.#put(position, item);
  }

  #put(position: number, item: T): void {
    this.#items[position] = item;
    this.#positions.set(item, position);
  }
}
