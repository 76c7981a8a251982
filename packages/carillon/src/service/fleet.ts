/**
 * Statistics over all schedules and queues of a store, for monitoring. They come from indexes and from walks over
 * rows.
 */
import type { Instant } from '../base/time.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { Filter, Store } from '../store/store.ts';

export interface FleetSchedule {
  readonly namespace: string;
  readonly id: string;
  readonly isPaused: boolean;
  /** The number of starts that wait for an earlier run to end. */
  readonly buffered: number;
  /** The next time; null when the schedule will not act again. */
  readonly next: Instant | null;
}

export interface FleetCounts {
  /** The number of open schedules, including paused ones. */
  readonly healthy: number;
  /** The number of quarantined schedules. */
  readonly quarantined: number;
}

export interface DueTimes {
  /** The time of the store's clock. */
  readonly now: Instant;
  /** When the earliest schedule is due; null when none is. */
  readonly due: Instant | null;
}

/** The schedules of one page of a walk. */
const page = 500;

const open = { archetype: scheduleArchetype, status: 'open', quarantined: false } as const;
const isPaused: Filter = { field: '$paused', is: '=', value: true };
const isBuffering: Filter = { field: '$buffered', is: '>', value: 0 };
const isPlanned: Filter = { field: '$next', is: 'present' };

export class Fleet {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async counts(): Promise<FleetCounts> {
    const [healthy, quarantined] = await Promise.all([
      this.#store.count(open),
      this.#store.count({ ...open, quarantined: true }),
    ]);
    return { healthy, quarantined };
  }

  async dueTimes(): Promise<DueTimes> {
    const { now, due } = await this.#store.wakeTimes({ archetypes: [scheduleArchetype] });
    return { now, due };
  }

  /** Runs that no worker has taken up yet, oldest first, up to `limit`. */
  async waitingRuns(
    limit: number,
  ): Promise<readonly { readonly queue: string; readonly availableAt: Instant }[]> {
    const { items } = await this.#store.runs({ states: ['waiting'], order: 'ascending', limit });
    return items;
  }

  /** Schedules that are paused, or whose starts wait for an earlier run. */
  heldUp(): AsyncGenerator<FleetSchedule> {
    return this.#walk({ any: [isPaused, isBuffering] });
  }

  /** Schedules that will act again and are not paused. */
  planned(): AsyncGenerator<FleetSchedule> {
    return this.#walk({ all: [isPlanned, { not: isPaused }] });
  }

  async *#walk(filter: Filter): AsyncGenerator<FleetSchedule> {
    for (let after: string | null | undefined; after !== null; ) {
      const found = await this.#store.list({
        ...open,
        filter,
        limit: page,
        ...(after === undefined ? {} : { after }),
      });
      for (const { key, attributes, signals } of found.items) {
        yield {
          namespace: key.namespace,
          id: key.id,
          isPaused: attributes.$paused === true,
          buffered: signals.$buffered ?? 0,
          // Signals are stored as numbers; this one is an instant.
          next: (signals.$next ?? null) as Instant | null,
        };
      }
      after = found.next;
    }
  }
}
