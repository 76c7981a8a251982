/**
 * A store as one node of a rough world sees it: calls fail before or after they took effect, answers come late,
 * notifications get lost, and after a crash nothing comes back at all. What was committed stays committed: the faults
 * are in the connection, not in the store behind it.
 */
import type { Clock } from '../base/clock.ts';
import type { SeededRandom } from '../base/random.ts';
import { addTime } from '../base/time.ts';
import { StoreError } from '../store/error.ts';
import type {
  AuditQuery,
  Change,
  Decider,
  EventQuery,
  Interest,
  ListQuery,
  Retention,
  RunQuery,
  Selection,
  SlotQuery,
  Store,
  WakeQuery,
  WakeTimes,
} from '../store/store.ts';

/** Probabilities from 0 to 1, rolled once per call or notification. */
export interface Faults {
  /** The call fails and nothing happened. */
  readonly failBefore: number;
  /** The commit happened, but the caller is told it failed. */
  readonly failAfter: number;
  /** The call, or its answer, takes up to `longestDelayMs`. */
  readonly delay: number;
  readonly longestDelayMs: number;
  readonly loseNotification: number;
  /** A side effect is carried out twice although it reported back. */
  readonly repeatEffect: number;
}

export const noFaults: Faults = {
  failBefore: 0,
  failAfter: 0,
  delay: 0,
  longestDelayMs: 0,
  loseNotification: 0,
  repeatEffect: 0,
};

/** What never comes back. */
const never = new Promise<never>(() => {});

export class FaultyStore implements Store {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  faults: Faults;
  #cut = false;

  constructor(store: Store, clock: Clock, random: SeededRandom, faults: Faults) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.faults = faults;
  }

  get name(): string {
    return this.#store.name;
  }

  get capabilities() {
    return this.#store.capabilities;
  }

  /** The node behind this connection is gone: calls under way and later ones never return. */
  cut(): void {
    this.#cut = true;
  }

  migrate = () => this.#call(() => this.#store.migrate());
  transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    if (this.#isRough) return this.#rough(() => this.#store.transact(selection, decider));
    return this.#fair(this.#store.transact(selection, decider));
  }
  read: Store['read'] = (which) => this.#call(() => this.#store.read(which));
  parts: Store['parts'] = (which) => this.#call(() => this.#store.parts(which));
  list = (query: ListQuery) => this.#call(() => this.#store.list(query));
  count: Store['count'] = (query) => this.#call(() => this.#store.count(query));
  slots = (query: SlotQuery) => this.#call(() => this.#store.slots(query));
  runs = (query: RunQuery) => this.#call(() => this.#store.runs(query));
  events = (query: EventQuery) => this.#call(() => this.#store.events(query));
  audit = (query: AuditQuery) => this.#call(() => this.#store.audit(query));
  wakeTimes(of: WakeQuery): Promise<WakeTimes> {
    return this.#isRough
      ? this.#rough(() => this.#store.wakeTimes(of))
      : this.#fair(this.#store.wakeTimes(of));
  }

  sweep = (retention: Retention) => this.#call(() => this.#store.sweep(retention));

  subscribe(listener: (change: Change) => void, of?: Interest): () => void {
    const hear = (change: Change) => {
      const { loseNotification } = this.faults;
      if (this.#cut || (loseNotification > 0 && this.#random.chance(loseNotification))) return;
      listener(change);
    };
    return this.#store.subscribe(hear, of);
  }

  /** Closing a connection leaves the store to the others. */
  async close(): Promise<void> {
    this.#cut = true;
  }

  /** Something may go wrong, or has: the node is gone. */
  get #isRough(): boolean {
    const { failBefore, failAfter, delay } = this.faults;
    return this.#cut || failBefore + failAfter + delay > 0;
  }

  #call<T>(operation: () => Promise<T>): Promise<T> {
    return this.#isRough ? this.#rough(operation) : this.#fair(operation());
  }

  /** In fair weather, which is most of a simulated year, a call costs nothing but the look whether we still live. */
  #fair<T>(answer: Promise<T>): Promise<T> {
    return answer.then(this.#unlessCut as (result: T) => T | Promise<never>);
  }

  readonly #unlessCut = (result: unknown): unknown => (this.#cut ? never : result);

  async #rough<T>(operation: () => Promise<T>): Promise<T> {
    if (this.faults.delay > 0) await this.#maybeDelay();
    if (this.#cut) return await never;
    if (this.#rolls(this.faults.failBefore)) throw new StoreError('unavailable', 'simulated: request lost');
    const result = await operation();
    if (this.faults.delay > 0) await this.#maybeDelay();
    if (this.#cut) return await never;
    if (this.#rolls(this.faults.failAfter)) throw new StoreError('unavailable', 'simulated: answer lost');
    return result;
  }

  #rolls(probability: number): boolean {
    return probability > 0 && this.#random.chance(probability);
  }

  async #maybeDelay(): Promise<void> {
    if (!this.#random.chance(this.faults.delay)) return;
    const until = addTime(this.#clock.now(), this.#random.integer(1, this.faults.longestDelayMs));
    await new Promise<void>((resolve) => {
      this.#clock.wakeAt(until, resolve);
    });
  }
}
