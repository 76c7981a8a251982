/**
 * Proof that the store takes writes: one small document is written. A store may answer questions and take nothing, because
 * its disk is full or its primary is gone; work sent to such a node would fail.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

/** A proof holds this long, so that a question which anybody may ask costs at most one commit a second. */
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

  /** Rejects when the store does not answer, or does not take a write. */
  async demand(): Promise<void> {
    // A store that was lost says so at once, also while a proof holds.
    await this.#store.wakeTimes({});
    const now = this.#clock.now();
    // A clock that was set back proves nothing.
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
