/**
 * Waits for a run to end. The end of a run rewrites the schedule it belongs to, and the store tells of that: whoever waits
 * looks again when its schedule changes, and now and then by itself, because a notification may be lost. One subscription
 * serves all who wait, and those who look at the same time share one reading.
 */
import type { Clock, Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import { optionsOf } from 'carillon/internal/runs';
import { scheduleArchetype } from 'carillon/internal/scheduler';
import type { Change, RunRow, Store } from 'carillon/internal/store';
import { callerGone } from './caller-gone.ts';

export interface CloseWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Aborts when the server goes: those who wait are sent away with what there is, to ask elsewhere. */
  readonly leaving?: AbortSignal;
}

export interface Patience {
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/** A lost notification costs this much. */
const lookAgainMs = 5000;

export class CloseWatch {
  readonly #store: Store;
  readonly #clock: Clock;
  /** By schedule and by run. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #leaving: AbortSignal | undefined;
  #unsubscribe: (() => void) | undefined;
  #reading: { readonly ids: Set<string>; readonly rows: Promise<ReadonlyMap<string, RunRow>> } | undefined;

  constructor({ store, clock, leaving }: CloseWatchOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#leaving = leaving;
    leaving?.addEventListener('abort', () => {
      for (const topic of [...this.#waiting.keys()]) this.#ring(topic);
    });
  }

  /** The run when it is done, or as it is when patience ends. */
  async untilDone(run: RunRow, { forMs, signal }: Patience): Promise<RunRow> {
    const end = addTime(this.#clock.now(), forMs);
    let latest = run;
    for (;;) {
      // Whatever happens from here on is noticed, also while the row is being read.
      const bell = this.#bell(run);
      try {
        latest = (await this.#read(run.id)) ?? latest;
        const now = this.#clock.now();
        if (latest.state === 'done' || now >= end || this.#leaving?.aborted === true) return latest;
        await this.#rest(bell.rung, earlier(end, addTime(now, lookAgainMs)), signal);
      } finally {
        bell.remove();
      }
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
    // Whoever comes from here on must not be given a row that was read before.
    this.#reading = undefined;
    const { items } = await this.#store.runs({ ids, limit: ids.length });
    return new Map(items.map((run) => [run.id, run]));
  }

  #bell(run: RunRow): { readonly rung: Promise<void>; readonly remove: () => void } {
    let ring = () => {};
    const rung = new Promise<void>((resolve) => {
      ring = resolve;
    });
    const { schedule } = optionsOf(run);
    const topics = [run.id, ...(schedule === undefined ? [] : [topicOf(run.namespace, schedule)])];
    for (const topic of topics) this.#add(topic, ring);
    return {
      rung,
      remove: () => {
        for (const topic of topics) this.#remove(topic, ring);
      },
    };
  }

  async #rest(rung: Promise<void>, until: Instant, signal: AbortSignal): Promise<void> {
    let cancel = () => {};
    let giveUp = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        giveUp = () => reject(callerGone());
        if (signal.aborted) giveUp();
        signal.addEventListener('abort', giveUp);
        cancel = this.#clock.wakeAt(until, resolve);
        void rung.then(resolve);
      });
    } finally {
      cancel();
      signal.removeEventListener('abort', giveUp);
    }
  }

  #add(topic: string, ring: () => void): void {
    this.#unsubscribe ??= this.#store.subscribe((change) => this.#hear(change));
    const bells = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, bells.add(ring));
  }

  #remove(topic: string, ring: () => void): void {
    const bells = this.#waiting.get(topic);
    bells?.delete(ring);
    if (bells?.size === 0) this.#waiting.delete(topic);
    if (this.#waiting.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #hear({ keys, cancelledRuns }: Change): void {
    for (const { namespace, archetype, id } of keys) {
      if (archetype === scheduleArchetype) this.#ring(topicOf(namespace, id));
    }
    for (const id of cancelledRuns) this.#ring(id);
  }

  #ring(topic: string): void {
    for (const ring of this.#waiting.get(topic) ?? []) ring();
  }
}

function topicOf(namespace: string, schedule: string): string {
  return `${namespace}\0${schedule}`;
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
