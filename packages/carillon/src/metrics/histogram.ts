/** A histogram that takes nanoseconds per observation. It is converted to Prometheus' form only when it is scraped. */

export interface Bucket {
  /** The inclusive upper bound; Infinity for the last bucket. */
  readonly le: number;
  /** The number of values up to the bound, including those of smaller buckets. */
  readonly count: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` ascend and have the unit of the values. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > (this.#bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#counts.reduce((total, each) => total + each, 0);
  }

  buckets(): readonly Bucket[] {
    let count = 0;
    return this.#counts.map((each, index) => {
      count += each;
      return { le: this.#bounds[index] ?? Number.POSITIVE_INFINITY, count };
    });
  }
}
