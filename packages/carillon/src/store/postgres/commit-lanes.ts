/**
 * Group commit: requests that name their rows and arrive while others are under way travel together in the next
 * transaction. A few lanes run side by side; each takes all waiting requests, so batches grow with the load, and a
 * single request does not wait.
 *
 * Each request stays a separate transaction: it sees only its rows, and requests that want the same key or row are
 * carried one after the other. When the database refuses a batch, each of its requests is tried alone, so that
 * only the request that caused the refusal fails.
 */
import type { AnyRequest } from './request.ts';
import { keyText } from './selection.ts';
import { BatchRefused, type Transaction } from './transaction.ts';

/** Bounds how many requests one refused request makes the database repeat, and how long locks are held. */
const requestsPerBatch = 100;

export class CommitLanes {
  readonly #transacting: Transaction;
  readonly #lanes: number;
  #waiting: AnyRequest[] = [];
  #busy = 0;
  #isDispatching = false;
  /** The keys and rows named by requests under way: other requests that name them stay queued instead of waiting for a lock. */
  readonly #named = new Set<string>();

  constructor(transacting: Transaction, lanes: number) {
    this.#transacting = transacting;
    this.#lanes = lanes;
  }

  add(request: AnyRequest): void {
    this.#waiting.push(request);
    this.#dispatch();
  }

  /** Starts a microtask later, so that requests made in one turn of the event loop travel together. */
  #dispatch(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    void Promise.resolve().then(() => {
      this.#isDispatching = false;
      while (this.#busy < this.#lanes) {
        const batch = this.#takeBatch();
        if (batch.length === 0) return;
        void this.#carry(batch);
      }
    });
  }

  #takeBatch(): readonly AnyRequest[] {
    const batch: AnyRequest[] = [];
    const passed: AnyRequest[] = [];
    const passedNames = new Set<string>();
    let seen = 0;
    for (const request of this.#waiting) {
      if (batch.length >= requestsPerBatch) break;
      seen++;
      const names = namesOf(request);
      if (names.some((name) => this.#named.has(name) || passedNames.has(name))) {
        passed.push(request);
        // A later request that names the same row must not overtake this one.
        for (const name of names) passedNames.add(name);
      } else {
        batch.push(request);
        for (const name of names) this.#named.add(name);
      }
    }
    this.#waiting = [...passed, ...this.#waiting.slice(seen)];
    return batch;
  }

  async #carry(batch: readonly AnyRequest[]): Promise<void> {
    this.#busy++;
    await this.#run(batch);
    this.#busy--;
    for (const request of batch) for (const name of namesOf(request)) this.#named.delete(name);
    this.#dispatch();
  }

  async #run(batch: readonly AnyRequest[]): Promise<void> {
    try {
      const { postponed } = await this.#transacting.carry(batch);
      this.#waiting.unshift(...postponed);
    } catch (error) {
      if (!(error instanceof BatchRefused)) {
        for (const request of batch) request.fail(error);
        return;
      }
      for (const request of batch) await this.#transacting.carry([request]);
    }
  }
}

function namesOf({ selection }: AnyRequest): readonly string[] {
  if (selection.kind === 'keys') return [...new Set(selection.keys.map(keyText))];
  return selection.kind === 'runs' ? [...new Set(selection.ids)] : [];
}
