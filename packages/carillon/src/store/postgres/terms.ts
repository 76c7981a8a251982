/** Collects conditions and their values for statements that are put together from a query. */
export class Terms {
  readonly values: unknown[] = [];
  readonly #terms: string[] = [];

  /** A condition with `?` where each value goes. */
  add(term: string, ...values: readonly unknown[]): void {
    this.#terms.push(this.text(term, ...values));
  }

  /** The condition alone, for statements that place it themselves. */
  text(term: string, ...values: readonly unknown[]): string {
    let next = 0;
    return term.replaceAll('?', () => this.value(values[next++]));
  }

  /** The placeholder of one more value. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  where(): string {
    return this.#terms.length === 0 ? '' : ` where ${this.#terms.join(' and ')}`;
  }
}

/** A limit as it stands in such a statement: the planner should know it, and it is never anything but a number. */
export function rowCount(limit: number): string {
  return String(Math.max(0, Math.floor(limit)));
}
