/**
 * Answers that cost much and change little are given again for a while. Callers that ask while an answer is computed share
 * it; an answer that failed is not kept.
 */
import type { Clock } from '../../base/clock.ts';
import { second } from '../../base/time.ts';

/** How long an answer is given again. */
const keptFor = 30 * second;
const mostKept = 20;

export class KeptAnswers<Question, Answer> {
  readonly #clock: Clock;
  readonly #compute: (question: Question) => Promise<Answer>;
  readonly #kept = new Map<string, { readonly until: number; readonly answer: Promise<Answer> }>();

  constructor(clock: Clock, compute: (question: Question) => Promise<Answer>) {
    this.#clock = clock;
    this.#compute = compute;
  }

  async get(question: Question): Promise<Answer> {
    const now = this.#clock.now();
    const key = JSON.stringify(question);
    const known = this.#kept.get(key);
    if (known !== undefined && known.until > now) return await known.answer;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    const answer = this.#compute(question);
    this.#kept.set(key, { until: now + keptFor, answer });
    answer.catch(() => this.#kept.delete(key));
    return await answer;
  }
}
