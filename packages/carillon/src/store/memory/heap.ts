/**
 * A binary heap whose items can be found and removed again: reading the earliest of a million is immediate, a change costs
 * the logarithm. Adding an item returns a ticket, by which the caller removes the item or reorders it when its rank has changed.
 */
export interface Ticket<T> {
  readonly item: T;
  /** The index of the item in the heap. */
  place: number;
}

export class Heap<T> {
  readonly #tickets: Ticket<T>[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#tickets.length;
  }

  peek(): T | undefined {
    return this.#tickets[0]?.item;
  }

  add(item: T): Ticket<T> {
    const ticket = { item, place: this.#tickets.length };
    this.#tickets.push(ticket);
    this.#rise(ticket);
    return ticket;
  }

  delete(ticket: Ticket<T>): void {
    const last = this.#tickets.pop() as Ticket<T>;
    if (last === ticket) return;
    last.place = ticket.place;
    this.#tickets[last.place] = last;
    this.restore(last);
  }

  /** Restores the order after the rank of an item has changed. */
  restore(ticket: Ticket<T>): void {
    if (this.#tickets.length === 1) return;
    this.#rise(ticket);
    this.#sink(ticket);
  }

  pop(): T | undefined {
    const [first] = this.#tickets;
    if (first !== undefined) this.delete(first);
    return first?.item;
  }

  /** The first items in order, at most `limit`, for as long as they are accepted; nothing is removed. */
  first(limit: number, accept: (item: T) => boolean): T[] {
    const tickets = this.#tickets;
    const [top] = tickets;
    if (top === undefined || limit < 1 || !accept(top.item)) return [];
    if (tickets.length === 1) return [top.item];
    const found: T[] = [];
    // Children rank after their parent, so the next item is always among the children of those taken.
    const frontier = new Heap<Ticket<T>>((a, b) => this.#compare(a.item, b.item));
    frontier.add(top);
    while (found.length < limit) {
      const next = frontier.pop();
      if (next === undefined || !accept(next.item)) break;
      found.push(next.item);
      const child = 2 * next.place + 1;
      if (child < tickets.length) frontier.add(tickets[child] as Ticket<T>);
      if (child + 1 < tickets.length) frontier.add(tickets[child + 1] as Ticket<T>);
    }
    return found;
  }

  #rise(ticket: Ticket<T>): void {
    const tickets = this.#tickets;
    let { place } = ticket;
    while (place > 0) {
      const above = tickets[(place - 1) >> 1] as Ticket<T>;
      if (this.#compare(above.item, ticket.item) <= 0) break;
      tickets[place] = above;
      const freed = above.place;
      above.place = place;
      place = freed;
    }
    tickets[place] = ticket;
    ticket.place = place;
  }

  #sink(ticket: Ticket<T>): void {
    const tickets = this.#tickets;
    let { place } = ticket;
    for (let child = 2 * place + 1; child < tickets.length; child = 2 * place + 1) {
      let below = tickets[child] as Ticket<T>;
      if (child + 1 < tickets.length) {
        const right = tickets[child + 1] as Ticket<T>;
        if (this.#compare(right.item, below.item) < 0) below = right;
      }
      if (this.#compare(ticket.item, below.item) <= 0) break;
      tickets[place] = below;
      const freed = below.place;
      below.place = place;
      place = freed;
    }
    tickets[place] = ticket;
    ticket.place = place;
  }
}
