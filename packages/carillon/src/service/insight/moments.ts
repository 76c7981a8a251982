/**
 * Starts counted by the moment: how many come at once, and which moments bring the same schedules. A mark per moment is made
 * from the groups that start then, so that equal marks mean the same schedules without a list of them per moment.
 */
import type { Instant } from '../../base/time.ts';

export interface Together {
  /** The moments, in order. */
  readonly times: readonly Instant[];
  readonly starts: number;
}

interface MomentsOptions {
  readonly from: Instant;
  readonly to: Instant;
  /** The length of a moment in ms. */
  readonly grain: number;
}

export class Moments {
  readonly #begin: number;
  /** The beginning of the first moment. */
  readonly #from: number;
  readonly #to: number;
  readonly #grain: number;
  readonly #counts: Uint32Array;
  readonly #marks: Uint32Array;

  constructor({ from, to, grain }: MomentsOptions) {
    this.#begin = from;
    this.#from = Math.floor(from / grain) * grain;
    this.#to = to;
    this.#grain = grain;
    const length = Math.floor((to - this.#from) / grain) + 1;
    this.#counts = new Uint32Array(length);
    this.#marks = new Uint32Array(length);
  }

  /** Groups are added one after another: the order is a part of the mark. */
  add(at: number, starts: number, group: number): void {
    const place = Math.floor((at - this.#from) / this.#grain);
    this.#counts[place] = (this.#counts[place] as number) + starts;
    this.#marks[place] = Math.imul(this.#marks[place] as number, 31) + group + 1;
  }

  /** Returns how many moments were counted. */
  addEven(
    { every, phase }: { readonly every: number; readonly phase: number },
    starts: number,
    group: number,
  ): number {
    let counted = 0;
    for (let at = Math.ceil((this.#begin - phase) / every) * every + phase; at <= this.#to; at += every) {
      this.add(at, starts, group);
      counted += 1;
    }
    return counted;
  }

  /** The most starts at one moment between neighbouring edges. */
  mostBetween(edges: readonly number[]): readonly number[] {
    return edges.slice(1).map((end, index) => {
      const placeOf = (at: number) => Math.max(0, Math.ceil((at - this.#from) / this.#grain));
      let most = 0;
      const last = Math.min(this.#counts.length, placeOf(end));
      for (let place = placeOf(edges[index] as number); place < last; place += 1) {
        most = Math.max(most, this.#counts[place] as number);
      }
      return most;
    });
  }

  /** What starts together, at least two at once, the most first. */
  together(limit: number): readonly Together[] {
    const found = new Map<number, { readonly places: number[]; readonly starts: number }>();
    for (const [place, starts] of this.#counts.entries()) {
      if (starts < 2) continue;
      const mark = this.#marks[place] as number;
      const known = found.get(mark);
      if (known === undefined) found.set(mark, { places: [place], starts });
      else known.places.push(place);
    }
    return [...found.values()]
      .sort((a, b) => b.starts - a.starts || (a.places[0] as number) - (b.places[0] as number))
      .slice(0, limit)
      .map(({ places, starts }) => ({
        times: places.map((place) => (this.#from + place * this.#grain) as Instant),
        starts,
      }));
  }
}
