/**
 * Proves that the store accepts writes by writing one small document. A store may answer reads but refuse writes,
 * because its disk is full or its primary is down; work sent to such a node would fail.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

/** How long a proof is valid, so that a health check without authentication costs at most one commit per second. */
const holdsMs = 1000;

export class WriteProof {
  readonly #documents: Documents<{ readonly at: Instant }>;
  readonly #store: Store;
  readonly #clock: Clock;
  #provedAt: Instant | null = null;
  #proving: Promise<void> | null = null;

  constructor({ store, clock, newId }: { store: Store; clock: Clock; newId: () => string }) {
    this.#documents = new Documents({ store, kind: 'writeProof', newId });
    this.#store = store;
    this.#clock = clock;
  }

  /** Rejects when the store does not answer or does not accept a write. */
  async demand(): Promise<void> {
    // A lost store fails this call at once, even while a proof is valid.
    await this.#store.wakeTimes({});
    const now = this.#clock.now();
    // After the clock was set back, an earlier proof does not count.
    if (this.#provedAt !== null && this.#provedAt <= now && now < addTime(this.#provedAt, holdsMs)) return;
    this.#proving ??= this.#prove().finally(() => {
      this.#proving = null;
    });
    await this.#proving;
  }

  async #prove(): Promise<void> {
    const at = this.#clock.now();
    await this.#documents.change('', 'readiness', () => ({ at }));
    this.#provedAt = at;
  }
}
