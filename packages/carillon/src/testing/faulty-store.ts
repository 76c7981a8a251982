/**
 * One node's connection to the store, with injected faults: calls fail before or after they took effect, answers come
 * late, notifications get lost, and after a crash no call returns. Committed data stays committed: the faults are in
 * the connection, not in the store behind it.
 */
import type { Clock } from '../base/clock.ts';
import { pause } from '../base/pause.ts';
import type { SeededRandom } from '../base/random.ts';
import { StoreError } from '../store/error.ts';
import type {
  AuditQuery,
  CommittedChange,
  Decider,
  EventQuery,
  Interest,
  ListQuery,
  LogQuery,
  Retention,
  RunQuery,
  Selection,
  SlotQuery,
  Store,
  WakeQuery,
  WakeTimes,
} from '../store/store.ts';

/** Probabilities from 0 to 1, drawn once per call or notification. */
export interface Faults {
  /** The call fails and has no effect. */
  readonly failBefore: number;
  /** The commit succeeds, but the caller receives an error. */
  readonly failAfter: number;
  /** The call, or its answer, takes up to `longestDelayMs`. */
  readonly delay: number;
  /** The longest delay of a call, in milliseconds. */
  readonly longestDelayMs: number;
  /** The probability that a notification is lost. */
  readonly loseNotification: number;
  /** A side effect is carried out twice although its first execution reported its end. */
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

/** The answer of a call that never returns. */
const never = new Promise<never>(() => {});

export class FaultyStore implements Store {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  faults: Faults;
  /** Whether new calls fail as unreachable. Earlier calls may still take effect. */
  isUnreachable = false;
  /** Called when the next commit has taken effect, before its caller receives the answer. */
  onNextCommit: (() => void) | undefined;
  readonly #isShared: boolean | undefined;
  #cut = false;
  #frozen: { readonly over: Promise<void>; readonly thaw: () => void } | undefined;

  constructor(options: {
    readonly store: Store;
    readonly clock: Clock;
    readonly random: SeededRandom;
    readonly faults: Faults;
    /** Whether other nodes use the store too; default: as the store says. */
    readonly isShared?: boolean;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
    this.faults = options.faults;
    this.#isShared = options.isShared;
  }

  get name(): string {
    return this.#store.name;
  }

  get capabilities() {
    const { capabilities } = this.#store;
    return this.#isShared === undefined ? capabilities : { ...capabilities, shared: this.#isShared };
  }

  /** Holds back answers and notifications until the node is resumed. */
  freeze(): void {
    if (this.#frozen !== undefined) return;
    let thaw = () => {};
    const over = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    this.#frozen = { over, thaw };
  }

  thaw(): void {
    this.#frozen?.thaw();
    this.#frozen = undefined;
  }

  /** Simulates a crashed node: its present and later calls never return. */
  cut(): void {
    this.#cut = true;
  }

  migrate = () => this.#call(() => this.#store.migrate());
  transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    if (this.#isRough) return this.#rough(() => this.#transact(selection, decider));
    return this.#fair(this.#store.transact(selection, decider));
  }
  read: Store['read'] = (which) => this.#call(() => this.#store.read(which));
  parts: Store['parts'] = (which) => this.#call(() => this.#store.parts(which));
  list = (query: ListQuery) => this.#call(() => this.#store.list(query));
  count: Store['count'] = (query) => this.#call(() => this.#store.count(query));
  slots = (query: SlotQuery) => this.#call(() => this.#store.slots(query));
  runs = (query: RunQuery) => this.#call(() => this.#store.runs(query));
  events = (query: EventQuery) => this.#call(() => this.#store.events(query));
  logs = (query: LogQuery) => this.#call(() => this.#store.logs(query));
  lastLines: Store['lastLines'] = (of) => this.#call(() => this.#store.lastLines(of));
  audit = (query: AuditQuery) => this.#call(() => this.#store.audit(query));
  wakeTimes(of: WakeQuery): Promise<WakeTimes> {
    return this.#isRough
      ? this.#rough(() => this.#store.wakeTimes(of))
      : this.#fair(this.#store.wakeTimes(of));
  }

  sweep = (retention: Retention) => this.#call(() => this.#store.sweep(retention));

  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void {
    const hear = (change: CommittedChange) => {
      const { loseNotification } = this.faults;
      if (this.#cut || this.isUnreachable) return;
      if (loseNotification > 0 && this.#random.chance(loseNotification)) return;
      if (this.#frozen === undefined) listener(change);
      else void this.#frozen.over.then(() => (this.#cut ? undefined : listener(change)));
    };
    return this.#store.subscribe(hear, of);
  }

  /** Closes only this connection; the other nodes keep using the store. */
  async close(): Promise<void> {
    this.#cut = true;
  }

  /** Whether a fault is possible, or the node has crashed. */
  get #isRough(): boolean {
    const { failBefore, failAfter, delay } = this.faults;
    return (
      this.#cut ||
      this.isUnreachable ||
      this.onNextCommit !== undefined ||
      this.#frozen !== undefined ||
      failBefore + failAfter + delay > 0
    );
  }

  #call<T>(operation: () => Promise<T>): Promise<T> {
    return this.#isRough ? this.#rough(operation) : this.#fair(operation());
  }

  /** Without faults, which is most of a simulated year, a call only checks whether the node has crashed. */
  #fair<T>(answer: Promise<T>): Promise<T> {
    return answer.then(this.#unlessCut as (result: T) => T | Promise<never>);
  }

  readonly #unlessCut = (result: unknown): unknown => {
    if (this.#cut) return never;
    return this.#frozen === undefined ? result : this.#frozen.over.then(() => (this.#cut ? never : result));
  };

  async #rough<T>(operation: () => Promise<T>): Promise<T> {
    if (this.faults.delay > 0) await this.#maybeDelay();
    if (this.#frozen !== undefined) await this.#frozen.over;
    if (this.#cut) return await never;
    if (this.isUnreachable || this.#rolls(this.faults.failBefore))
      throw new StoreError('unavailable', 'simulated: request lost');
    const result = await operation();
    if (this.faults.delay > 0) await this.#maybeDelay();
    if (this.#frozen !== undefined) await this.#frozen.over;
    if (this.#cut) return await never;
    if (this.isUnreachable || this.#rolls(this.faults.failAfter))
      throw new StoreError('unavailable', 'simulated: answer lost');
    return result;
  }

  async #transact<T>(selection: Selection, decider: Decider<T>): Promise<T> {
    const result = await this.#store.transact(selection, decider);
    const { onNextCommit } = this;
    this.onNextCommit = undefined;
    onNextCommit?.();
    return result;
  }

  #rolls(probability: number): boolean {
    return probability > 0 && this.#random.chance(probability);
  }

  async #maybeDelay(): Promise<void> {
    if (!this.#random.chance(this.faults.delay)) return;
    await pause(this.#clock, this.#random.integer(1, this.faults.longestDelayMs));
  }
}
