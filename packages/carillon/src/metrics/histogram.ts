/** A histogram that costs nanoseconds to fill; it is turned into Prometheus' form only when somebody asks. */

export interface Bucket {
  /** Upper bound, included; Infinity for the last. */
  readonly le: number;
  /** Values up to it, those of smaller buckets included. */
  readonly count: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** Bounds ascending, in the unit of the values. */
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
