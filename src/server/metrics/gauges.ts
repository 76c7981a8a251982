/** What is looked up only when somebody scrapes, and not more often than the store can bear. */
import type { Clock } from '../../base/clock.ts';
import { addTime, type Instant } from '../../base/time.ts';
import type { Carillon } from '../../embed/carillon.ts';
import type { Tally } from './tally.ts';

export interface Gauges {
  readonly schedules: Readonly<Record<'running' | 'paused' | 'quarantined', number>>;
  /** Runs that wait for a worker, up to `mostWaiting`. */
  readonly waiting: number;
  readonly active: number;
  /** When the next execution is due. */
  readonly nextDue: Instant | null;
  /** Seconds since the oldest thing that is due and not yet handled. */
  readonly lag: number;
}

/** Counting goes over the rows, so that it is done once for all who ask within this time. */
const keptMs = 5000;

export const mostWaiting = 1000;

/** Runs looked up at once. */
const chunk = 500;

export class GaugeReader {
  readonly #carillon: Carillon;
  readonly #clock: Clock;
  #kept: { readonly at: Instant; readonly gauges: Gauges } | undefined;

  constructor(carillon: Carillon, clock: Clock) {
    this.#carillon = carillon;
    this.#clock = clock;
  }

  async read(): Promise<Gauges> {
    const now = this.#clock.now();
    if (this.#kept !== undefined && now < addTime(this.#kept.at, keptMs)) return this.#kept.gauges;
    const { store } = this.#carillon;
    const open = { archetype: 'schedule', status: 'open' } as const;
    const isPaused = { field: '$paused', is: '=', value: true } as const;
    const [all, paused, quarantined, waiting, wake] = await Promise.all([
      store.count(open),
      store.count({ ...open, filter: isPaused }),
      store.count({ ...open, quarantined: true }),
      store.runs({ states: ['waiting'], limit: mostWaiting }),
      store.wakeTimes({}),
    ]);
    const lag = wake.due === null ? 0 : Math.max(0, wake.now - wake.due) / 1000;
    const gauges: Gauges = {
      schedules: { running: Math.max(0, all - paused - quarantined), paused, quarantined },
      waiting: waiting.items.length,
      active: this.#carillon.activeRuns,
      nextDue: wake.due,
      lag,
    };
    this.#kept = { at: now, gauges };
    return gauges;
  }

  /** Events say that a run finished; how long it took stands in its row. */
  async readDurations(tally: Tally): Promise<void> {
    const ids = tally.takeFinished();
    for (let from = 0; from < ids.length; from += chunk) {
      const some = ids.slice(from, from + chunk);
      const { items } = await this.#carillon.store.runs({ ids: some, limit: some.length });
      for (const { outcome, startedAt, finishedAt } of items) {
        if (outcome === null || startedAt === null || finishedAt === null) continue;
        tally.duration(outcome, Math.max(0, finishedAt - startedAt) / 1000);
      }
    }
  }
}
