/**
 * Counts of what became of the slots of each namespace, in bins of five minutes: how many got which verdict, how late
 * they started, how their runs ended. Kept in the store, one small document for each hour and namespace, so that a chart
 * over a month reads a few hundred documents however many schedules there are.
 *
 * A node adds what its own transactions decided, some seconds after their commits. A node that is killed loses the seconds
 * that it had not written yet; the ledger loses nothing.
 */
import type { Clock } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { Loop } from '../../base/loop.ts';
import type { Service } from '../../base/service.ts';
import { InOrder } from '../../base/service.ts';
import type { Instant } from '../../base/time.ts';
import { day, formatInstant, hour, minute, second } from '../../base/time.ts';
import { Documents } from '../../store/documents.ts';
import type { Store } from '../../store/store.ts';
import type { CarillonEvent } from '../event.ts';

/** The counts of one bin. Absent names mean zero. */
export interface BinCounts {
  readonly verdicts: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Starts by lateness: bucket n holds those up to `latenessOf(n)` ms. */
  readonly lateness: Readonly<Record<string, number>>;
  /** How late the latest start was, in ms; absent without starts, and in bins of older versions. */
  readonly latest?: number;
}

type Counted = 'verdicts' | 'outcomes' | 'lateness';

/** The bins of one hour by their number, 0 to 11. */
type HourOfBins = Readonly<Record<string, BinCounts>>;

export const tallyBin = 5 * minute;
const binsPerHour = hour / tallyBin;

/** Two buckets for each doubling, from 1 ms on: a quantile is off by at most two fifths. */
export function latenessBucket(lateMs: number): number {
  return lateMs <= 1 ? 0 : Math.ceil(Math.log2(lateMs) * 2);
}

/** The upper end of a bucket, in ms. */
export function latenessOf(bucket: number): number {
  return Math.round(2 ** (bucket / 2));
}

export interface SlotTallyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly subscribe: (listener: (event: CarillonEvent) => void) => () => void;
  readonly trouble: (error: unknown) => void;
}

const kind = 'tally';
const flushMs = 5 * second;
/** How long the documents are kept. */
const keepMs = 35 * day;
const sweepMs = hour;
/** A stretch that reaches over more bins than this is spread over the last ones only. */
const mostBinsOfStretch = 9000;

export class SlotTally implements Service {
  readonly #options: SlotTallyOptions;
  readonly #documents: Documents<HourOfBins>;
  readonly #loop: Loop;
  readonly #inOrder = new InOrder();
  /** What is not written yet, by namespace and hour. */
  #pending = new Map<string, Map<number, Map<number, MutableCounts>>>();
  #stopListening: (() => void) | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: SlotTallyOptions) {
    this.#options = options;
    const { store, newId, clock, trouble } = options;
    this.#documents = new Documents({ store, kind, newId });
    this.#loop = new Loop({
      clock,
      trouble,
      runOnce: async () => {
        await this.flush();
        await this.#sweep();
        return flushMs;
      },
      backoff: flushMs,
      longestBackoff: minute,
    });
  }

  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#stopListening !== undefined) return;
      this.#stopListening = this.#options.subscribe((event) => this.add(event));
      this.#loop.start();
    });
  }

  stop(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#stopListening === undefined) return;
      this.#stopListening();
      this.#stopListening = undefined;
      await this.#loop.stop();
      try {
        await this.flush();
      } catch (error) {
        this.#options.trouble(error);
      }
    });
  }

  add(event: CarillonEvent): void {
    if (event.schedule === null) return;
    const { namespace } = event;
    if (event.type === 'slot') {
      // A buffered slot gets its final verdict later and is counted then.
      if (event.verdict === 'buffered') return;
      if (event.replaces !== undefined) this.#count(namespace, event.nominal, 'verdicts', event.replaces, -1);
      this.#spread(namespace, event);
    } else if (event.type === 'started' && !event.manual) {
      this.#count(namespace, event.nominal, 'lateness', String(latenessBucket(event.lateByMs)), 1);
      this.#noteLatest(namespace, event.nominal, event.lateByMs);
    } else if (event.type === 'finished') {
      this.#count(namespace, event.nominal, 'outcomes', event.outcome, 1);
    }
  }

  /** A stretch is spread evenly from its first slot to its last. */
  #spread(namespace: string, event: CarillonEvent & { readonly type: 'slot' }): void {
    const { from, nominal, count, verdict } = event;
    const first = Math.max(binAt(from), binAt(nominal) - (mostBinsOfStretch - 1) * tallyBin);
    const bins = (binAt(nominal) - first) / tallyBin + 1;
    let told = 0;
    for (let index = 1; index <= bins; index += 1) {
      const upTo = Math.round((count * index) / bins);
      if (upTo > told)
        this.#count(namespace, first + (index - 1) * tallyBin, 'verdicts', verdict, upTo - told);
      told = upTo;
    }
  }

  #count(namespace: string, at: number, what: Counted, name: string, by: number): void {
    const counts = this.#bin(namespace, at)[what];
    counts[name] = (counts[name] ?? 0) + by;
  }

  #noteLatest(namespace: string, at: number, lateMs: number): void {
    const bin = this.#bin(namespace, at);
    bin.latest = Math.max(bin.latest ?? 0, lateMs);
  }

  #bin(namespace: string, at: number): MutableCounts {
    const hours = entryOf(this.#pending, namespace, () => new Map());
    const bins = entryOf(hours, Math.floor(at / hour) * hour, () => new Map());
    return entryOf(bins, Math.floor((at % hour) / tallyBin), emptyCounts);
  }

  /** Writes what was counted since the last call. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    try {
      for (const [namespace, hours] of pending) {
        for (const [at, bins] of hours) {
          const id = hourName(at as Instant);
          await this.#documents.change(namespace, id, (before = {}) => added(before, bins));
          hours.delete(at);
        }
      }
    } catch (error) {
      this.#restore(pending);
      throw error;
    }
  }

  /** Counts again what could not be written. */
  #restore(pending: ReadonlyMap<string, ReadonlyMap<number, ReadonlyMap<number, MutableCounts>>>): void {
    for (const [namespace, hours] of pending) {
      for (const [at, bins] of hours) {
        for (const [bin, counts] of bins) {
          for (const what of ['verdicts', 'outcomes', 'lateness'] as const) {
            for (const [name, by] of Object.entries(counts[what]))
              this.#count(namespace, at + bin * tallyBin, what, name, by);
          }
          if (counts.latest !== undefined) this.#noteLatest(namespace, at + bin * tallyBin, counts.latest);
        }
      }
    }
  }

  /** The bins of a namespace whose hours touch the range, by their first instant, oldest first. */
  async read(
    namespace: string,
    from: Instant,
    to: Instant,
  ): Promise<readonly (readonly [Instant, BinCounts])[]> {
    const found: [Instant, BinCounts][] = [];
    const first = Math.floor(from / hour) * hour;
    const hours: Instant[] = [];
    for (let at = first; at <= to; at += hour) hours.push(at as Instant);
    const documents = await this.#documents.some(namespace, hours.map(hourName));
    for (const at of hours) {
      const bins = documents.get(hourName(at)) ?? {};
      for (let bin = 0; bin < binsPerHour; bin += 1) {
        const counts = bins[bin];
        if (counts !== undefined) found.push([(at + bin * tallyBin) as Instant, counts]);
      }
    }
    return found;
  }

  async #sweep(): Promise<void> {
    const now = this.#options.clock.now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    const oldest = hourName((now - keepMs) as Instant);
    for (const { namespace, id } of await this.#documents.all()) {
      if (id < oldest) await this.#documents.change(namespace, id, () => null);
    }
  }
}

interface MutableCounts {
  readonly verdicts: Record<string, number>;
  readonly outcomes: Record<string, number>;
  readonly lateness: Record<string, number>;
  latest?: number;
}

function emptyCounts(): MutableCounts {
  return { verdicts: {}, outcomes: {}, lateness: {} };
}

function added(before: HourOfBins, more: ReadonlyMap<number, MutableCounts>): HourOfBins {
  const bins: Record<string, BinCounts> = { ...before };
  for (const [bin, counts] of more) {
    const known = bins[bin] ?? emptyCounts();
    bins[bin] = joined(known, counts);
  }
  return bins;
}

export function joined(a: BinCounts, b: BinCounts): BinCounts {
  return {
    verdicts: sum(a.verdicts, b.verdicts),
    outcomes: sum(a.outcomes, b.outcomes),
    lateness: sum(a.lateness, b.lateness),
    ...given({ latest: latestOf([a, b]) }),
  };
}

/** Undefined when it is not known of some starts, or there are none. */
function latestOf(bins: readonly BinCounts[]): number | undefined {
  const started = bins.filter(({ lateness }) => Object.keys(lateness).length > 0);
  const known = started.flatMap(({ latest }) => latest ?? []);
  return known.length === 0 || known.length < started.length ? undefined : Math.max(...known);
}

function sum(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const total: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) {
    const value = (total[name] ?? 0) + count;
    if (value === 0) delete total[name];
    else total[name] = value;
  }
  return total;
}

function binAt(at: number): number {
  return Math.floor(at / tallyBin) * tallyBin;
}

function hourName(at: Instant): string {
  return formatInstant((Math.floor(at / hour) * hour) as Instant);
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
