/**
 * A union of sources for one walk through time. Each source is queried once and its answer is kept until the walk
 * passes it: of a thousand calendars that never match, each is queried once, not once per candidate.
 *
 * A source may need much work to find its next time, or to find that there is none, while another source has a near
 * answer. So every source first gets a small share of the budget; an unfinished source gets twice as much in the next
 * round, and the search ends as soon as the earliest answer is before everything that is still unknown.
 *
 * Times are kept as keys that grow in the direction of the walk: the second itself forwards, its negative backwards.
 */
import { type Budget, unfinished } from './budget.ts';
import type { Source } from './model.ts';
import { none } from './model.ts';

/** Units of the first round: enough for an ordinary rule to answer. */
const firstShare = 64;

export class SourceUnion {
  readonly #sources: readonly Source[];
  readonly #direction: 1 | -1;
  /** The state of each source: the key of its last answer, `none` at its end, `unfinished` during its search. */
  readonly #answers: Float64Array;
  /** The key up to which an unfinished source has no time, by source. */
  readonly #reached: Float64Array;

  constructor(sources: readonly Source[], direction: 1 | -1) {
    this.#sources = sources;
    this.#direction = direction;
    this.#answers = new Float64Array(sources.length).fill(Number.NEGATIVE_INFINITY);
    this.#reached = new Float64Array(sources.length);
  }

  /** The first time beyond `from`. A walk never turns back: `from` only moves in its direction. */
  beyond(from: number, budget: Budget): number {
    const key = from * this.#direction;
    for (let share = firstShare; ; share *= 2) {
      const isLastRound = share >= budget.left;
      let best = Number.POSITIVE_INFINITY;
      /** The key up to which nothing is unknown. */
      let known = Number.POSITIVE_INFINITY;
      for (let index = 0; index < this.#sources.length; index += 1) {
        let answer = this.#answers[index] as number;
        if (answer <= key || answer === unfinished) {
          const begin = answer === unfinished ? Math.max(key, this.#reached[index] as number) : key;
          // Times beyond the best answer of this round do not matter yet.
          if (answer !== unfinished || begin < best) answer = this.#ask(index, begin, share, budget);
          this.#answers[index] = answer;
        }
        if (answer === unfinished) known = Math.min(known, this.#reached[index] as number);
        else if (answer < best) best = answer;
      }
      if (best <= known) return best === Number.POSITIVE_INFINITY ? none : best * this.#direction;
      if (isLastRound || budget.left < 1) {
        budget.reached = Math.max(key, known) * this.#direction;
        return unfinished;
      }
    }
  }

  #ask(index: number, from: number, share: number, budget: Budget): number {
    const source = this.#sources[index] as Source;
    const whole = budget.left;
    const given = Math.min(share, whole);
    this.#reached[index] = from;
    if (given < 1) return unfinished;
    budget.left = given - 1;
    const answer = this.#direction === 1 ? source.next(from, budget) : source.previous(-from, budget);
    budget.left += whole - given;
    if (answer !== unfinished) return answer * this.#direction;
    this.#reached[index] = Math.max(from, budget.reached * this.#direction);
    return unfinished;
  }
}
