/** Collects conditions and their values for statements that are built from a query. */
export class Terms {
  readonly values: unknown[] = [];
  readonly #terms: string[] = [];

  /** Adds a condition with `?` in place of each value. */
  add(term: string, ...values: readonly unknown[]): void {
    this.#terms.push(this.text(term, ...values));
  }

  /** Adds the values and returns the condition, for statements that place it themselves. */
  text(term: string, ...values: readonly unknown[]): string {
    let next = 0;
    return term.replaceAll('?', () => this.value(values[next++]));
  }

  /** Adds one more value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  where(): string {
    return this.#terms.length === 0 ? '' : ` where ${this.#terms.join(' and ')}`;
  }
}

/** A limit as literal text of a statement: the planner should know it, and it is always a number. */
export function rowCount(limit: number): string {
  return String(Math.max(0, Math.floor(limit)));
}
