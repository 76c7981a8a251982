/**
 * Waits for a run to end. The end of a run changes the execution that owns it, and the store sends a notification: a
 * waiting caller reads the run again when its owner changes, and every few seconds, because a notification may be
 * lost. One subscription serves all waiting callers, and simultaneous reads are shared.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import { optionsOf } from '../runs/run.ts';
import type { RunRow } from '../store/records.ts';
import type { CommittedChange, Store } from '../store/store.ts';
import { callerGone } from './caller-gone.ts';
import { runNotFound } from './run-not-found.ts';

export interface RunWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Aborts when the server stops: every wait then returns the run in its present state, and the caller asks another
   * node.
   */
  readonly leaving?: AbortSignal;
}

export interface Patience {
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/** The longest delay after a lost notification, in ms. */
const readAgainMs = 5000;

export class RunWatch {
  readonly #store: Store;
  readonly #clock: Clock;
  /** The waiting callers, by owner id and by run. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #leaving: AbortSignal | undefined;
  #unsubscribe: (() => void) | undefined;
  #reading: { readonly ids: Set<string>; readonly rows: Promise<ReadonlyMap<string, RunRow>> } | undefined;

  constructor({ store, clock, leaving }: RunWatchOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#leaving = leaving;
    leaving?.addEventListener('abort', () => {
      for (const topic of [...this.#waiting.keys()]) this.#notify(topic);
    });
  }

  /** Resolves to the run when it has ended, or in its present state when the wait ends. Rejects when the run is deleted. */
  async untilDone(run: RunRow, { forMs, signal }: Patience): Promise<RunRow> {
    const end = addTime(this.#clock.now(), forMs);
    const wakeup = new Wakeup(this.#clock);
    // Registered before the read, so that a change during the read is noticed.
    const unsubscribe = [this.#wakeOnChange(run, wakeup), wakeOnAbort(wakeup, signal)];
    let latest = run;
    try {
      for (;;) {
        wakeup.forget();
        if (signal.aborted) throw callerGone();
        const stored = await this.#read(run.id);
        // A run that was deleted meanwhile will not change any more.
        if (stored === undefined && latest.state !== 'done') throw runNotFound(run);
        latest = stored ?? latest;
        const now = this.#clock.now();
        if (latest.state === 'done' || now >= end || this.#leaving?.aborted === true) return latest;
        await wakeup.sleepUntil(earlier(end, addTime(now, readAgainMs)));
      }
    } finally {
      for (const each of unsubscribe) each();
    }
  }

  async #read(id: string): Promise<RunRow | undefined> {
    this.#reading ??= { ids: new Set(), rows: Promise.resolve().then(() => this.#readAll()) };
    const { ids, rows } = this.#reading;
    ids.add(id);
    return (await rows).get(id);
  }

  async #readAll(): Promise<ReadonlyMap<string, RunRow>> {
    const ids = [...(this.#reading?.ids ?? [])];
    // A later caller must not receive a row that was read earlier.
    this.#reading = undefined;
    const { items } = await this.#store.runs({ ids, limit: ids.length });
    return new Map(items.map((run) => [run.id, run]));
  }

  /** Wakes at every change of the run. Returns an unsubscribe function. */
  #wakeOnChange(run: RunRow, wakeup: Wakeup): () => void {
    const notify = () => wakeup.wake();
    const { schedule } = optionsOf(run);
    const topics = [run.id, schedule === undefined ? ownerless : topicOf(run.namespace, schedule)];
    for (const topic of topics) this.#add(topic, notify);
    return () => {
      for (const topic of topics) this.#remove(topic, notify);
    };
  }

  #add(topic: string, notify: () => void): void {
    this.#unsubscribe ??= this.#store.subscribe((change) => this.#changed(change));
    const waiting = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, waiting.add(notify));
  }

  #remove(topic: string, notify: () => void): void {
    const waiting = this.#waiting.get(topic);
    waiting?.delete(notify);
    if (waiting?.size === 0) this.#waiting.delete(topic);
    if (this.#waiting.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #changed({ keys, cancelledRuns }: CommittedChange): void {
    for (const { namespace, id } of keys) this.#notify(topicOf(namespace, id));
    for (const id of cancelledRuns) this.#notify(id);
    this.#notify(ownerless);
  }

  #notify(topic: string): void {
    for (const notify of this.#waiting.get(topic) ?? []) notify();
  }
}

/** The key of runs without an owner. No notification names them, so their callers read again after every change. */
const ownerless = '';

function topicOf(namespace: string, schedule: string): string {
  return `${namespace}\0${schedule}`;
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
