/** Values that a scrape looks up: some from an index, some from the last survey of the rows. */
import type { Clock, Instant } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import type { Timed } from 'carillon/internal/metrics';
import type { Services } from 'carillon/internal/service';
import type { HostLevelSeries } from './host-levels.ts';
import { readHostLevels } from './host-levels.ts';
import { Survey } from './survey.ts';
import { scheduleLabels } from './tally.ts';

/** Runs of one queue that a worker could take now. */
export interface Backlog {
  /** Number of waiting runs; at most `mostListed` over all queues. */
  readonly waiting: number;
  /** Seconds for which the oldest of them has been waiting. */
  readonly oldestSeconds: number;
}

export interface Gauges {
  /** Number of schedules by state. States that need a survey are absent until the first survey ends. */
  readonly schedules: Readonly<Record<string, number>>;
  readonly backlog: ReadonlyMap<string, Backlog>;
  /** Starts that wait for an earlier run to end; undefined until the first survey ends. */
  readonly buffered: number | undefined;
  readonly next: readonly Timed[];
  /** What waits in workflows on hosts; undefined until the first survey ends. */
  readonly hosts: HostLevelSeries | undefined;
  /** The time of the store's clock. */
  readonly now: Instant | undefined;
  /** Seconds for which the oldest due execution has been waiting. */
  readonly lag: number | undefined;
  /** Number of nodes on the store by state. */
  readonly nodes: Readonly<Record<string, number>>;
  /** The largest difference between a node's clock and the store's clock, in seconds. */
  readonly skew: number | undefined;
}

/** Used when the store does not answer, so that the counters of this process are still served. */
export const noGauges: Gauges = {
  schedules: {},
  backlog: new Map(),
  buffered: undefined,
  next: [],
  hosts: undefined,
  now: undefined,
  lag: undefined,
  nodes: {},
  skew: undefined,
};

/** Most runs that are read to count them. */
export const mostListed = 1000;

export interface GaugeOptions {
  readonly carillon: Carillon;
  readonly services: Pick<Services, 'fleet' | 'nodes' | 'hosts'>;
  readonly clock: Clock;
  /** The most schedules whose next time is a series of its own; 0 gives one series for all schedules together. */
  readonly mostSeries: number;
}

interface Seen {
  readonly paused: number;
  readonly buffered: number;
  readonly next: readonly Timed[];
  readonly hosts: HostLevelSeries;
}

export class GaugeReader {
  readonly #options: GaugeOptions;
  readonly #survey: Survey<Seen>;

  constructor(options: GaugeOptions) {
    this.#options = options;
    this.#survey = new Survey(() => this.#look(), options.clock);
  }

  async read(): Promise<Gauges> {
    const { services, clock, mostSeries } = this.#options;
    const [{ healthy, quarantined }, wake, nodes, backlog, seen] = await Promise.all([
      services.fleet.counts(),
      services.fleet.dueTimes(),
      services.nodes.list(),
      this.#backlog(clock.now()),
      this.#survey.read(),
    ]);
    const together = wake.due === null ? [] : [{ labels: {}, at: wake.due }];
    return {
      schedules:
        seen === undefined
          ? { quarantined }
          : { running: Math.max(0, healthy - seen.paused), paused: seen.paused, quarantined },
      backlog,
      buffered: seen?.buffered,
      // With per-schedule metrics each schedule has its own next time; otherwise there is one, the earliest of all.
      next: mostSeries === 0 ? together : (seen?.next ?? []),
      hosts: seen?.hosts,
      now: wake.now,
      lag: wake.due === null ? 0 : secondsSince(wake.due, wake.now),
      nodes: {
        alive: nodes.filter(({ state }) => state === 'alive').length,
        silent: nodes.filter(({ state }) => state === 'silent').length,
      },
      skew: Math.max(0, ...nodes.map(({ skewMs }) => Math.abs(skewMs))) / 1000,
    };
  }

  /** Shows an empty queue while this process works on it, and also queues without a worker. */
  async #backlog(now: Instant): Promise<ReadonlyMap<string, Backlog>> {
    const { carillon, services } = this.#options;
    const backlog = new Map<string, Backlog>(
      carillon.queues.map((queue) => [queue, { waiting: 0, oldestSeconds: 0 }]),
    );
    for (const { queue, availableAt } of await services.fleet.waitingRuns(mostListed)) {
      if (availableAt > now) continue;
      const { waiting, oldestSeconds } = backlog.get(queue) ?? { waiting: 0, oldestSeconds: 0 };
      backlog.set(queue, {
        waiting: waiting + 1,
        oldestSeconds: Math.max(oldestSeconds, secondsSince(availableAt, now)),
      });
    }
    return backlog;
  }

  async #look(): Promise<Seen> {
    let paused = 0;
    let buffered = 0;
    for await (const schedule of this.#options.services.fleet.heldUp()) {
      if (schedule.isPaused) paused += 1;
      buffered += schedule.buffered;
    }
    const hosts = await readHostLevels(this.#options.services.hosts);
    return { paused, buffered, next: await this.#next(), hosts };
  }

  async #next(): Promise<readonly Timed[]> {
    const { services, mostSeries } = this.#options;
    const next: Timed[] = [];
    if (mostSeries === 0) return next;
    for await (const { namespace, id, next: at } of services.fleet.planned()) {
      if (at !== null) next.push({ labels: scheduleLabels({ namespace, schedule: id }), at });
      if (next.length >= mostSeries) break;
    }
    return next;
  }
}

function secondsSince(then: Instant, now: Instant): number {
  return Math.max(0, now - then) / 1000;
}
