/**
 * The five metrics of the original with its names and labels, and three more, for programs that embed the registry and have no
 * server of ours to scrape. Counters count what this process decided; gauges are read when somebody asks.
 */
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { importPackage } from '../base/optional-package.ts';
import type { Instant } from '../base/time.ts';
import type { ScheduleEvent } from '../service/event.ts';
import { isStoreError } from '../store/error.ts';
import type { Periodic } from './periodic.ts';
import { missedVerdicts } from './task-state.ts';

export interface PeriodicMetrics {
  readonly contentType: string;
  /** Prometheus' text format. */
  text(): Promise<string>;
  /** Counts no more. */
  stop(): void;
}

const durationBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];
const latenessBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

/** Finished runs whose durations wait to be looked up; more are left out of the histogram. */
const mostPending = 10_000;
const chunk = 500;

/** A registry of `prom-client`, in words of our own: the package is an optional peer. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** With a registry of yours, the metrics are there too; `text` shows all of it. Needs the package `prom-client`. */
export async function periodicMetrics(
  periodic: Periodic,
  options: { readonly registry?: MetricsRegistry } = {},
): Promise<PeriodicMetrics> {
  const prometheus = (await importPackage('prom-client')) as typeof import('prom-client');
  const registry = (options.registry as Registry | undefined) ?? new prometheus.Registry();
  const labels = ['schedule_id'] as const;
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = labels) =>
    new prometheus.Counter({ name, help, labelNames: [...labelNames], registers });
  const gauge = (name: string, help: string) =>
    new prometheus.Gauge({ name, help, labelNames: [...labels], registers });
  const histogram = (name: string, help: string, buckets: readonly number[]) =>
    new prometheus.Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
  const families: Families = {
    runs: counter('scheduler_runs_total', 'Jobs that ended, by status', [...labels, 'status']),
    durations: histogram(
      'scheduler_run_duration_seconds',
      'From the first attempt to the end',
      durationBounds,
    ),
    lastRun: gauge('scheduler_last_run_timestamp', 'Occurrence of the latest job, in Unix seconds'),
    nextRun: gauge('scheduler_next_run_timestamp', 'The next occurrence, in Unix seconds'),
    lockFailures: counter('scheduler_lock_failures_total', 'Commits lost to another instance'),
    skipped: counter('scheduler_skipped_total', 'Occurrences skipped because an earlier job was unfinished'),
    missed: counter('scheduler_missed_total', 'Occurrences that nobody was there for in time'),
    lateness: histogram('scheduler_lateness_seconds', 'How late automatic jobs were made', latenessBounds),
  };
  const counts = new Counts(periodic, families);
  return {
    contentType: registry.contentType,
    text: async () => {
      await counts.refresh();
      return await registry.metrics();
    },
    stop: () => counts.stop(),
  };
}

interface Families {
  readonly runs: Counter;
  readonly durations: Histogram;
  readonly lastRun: Gauge;
  readonly nextRun: Gauge;
  readonly lockFailures: Counter;
  readonly skipped: Counter;
  readonly missed: Counter;
  readonly lateness: Histogram;
}

class Counts {
  readonly #periodic: Periodic;
  readonly #families: Families;
  readonly #stops: readonly (() => void)[];
  #ended: { readonly id: string; readonly run: string }[] = [];

  constructor(periodic: Periodic, families: Families) {
    this.#periodic = periodic;
    this.#families = families;
    this.#stops = [
      periodic.subscribe((event) => this.#count(event)),
      periodic.carillon.observe({
        trouble: (error, schedule) => {
          if (!isStoreError(error) || error.trouble !== 'conflict') return;
          families.lockFailures.inc(schedule === undefined ? {} : { schedule_id: schedule.id });
        },
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async refresh(): Promise<void> {
    const { lastRun, nextRun, skipped, missed, lockFailures } = this.#families;
    lastRun.reset();
    nextRun.reset();
    for (const state of await this.#periodic.briefs()) {
      const label = { schedule_id: state.id };
      if (state.lastRun !== null) lastRun.set(label, state.lastRun / 1000);
      if (state.nextRun !== null) nextRun.set(label, state.nextRun / 1000);
      // A series that begins with its first event hides that event from rate().
      for (const counter of [skipped, missed, lockFailures]) counter.inc(label, 0);
    }
    await this.#measure();
  }

  #count(event: ScheduleEvent): void {
    const { runs, skipped, missed, lateness } = this.#families;
    const label = { schedule_id: event.schedule };
    switch (event.type) {
      case 'started':
        if (!event.manual) lateness.observe(label, Math.max(0, event.lateByMs) / 1000);
        return;
      case 'finished':
        runs.inc({ ...label, status: event.outcome });
        if (this.#ended.length < mostPending) this.#ended.push({ id: event.schedule, run: event.runId });
        return;
      case 'slot': {
        const { count } = event;
        if (event.verdict === 'skippedOverlap') skipped.inc(label, count);
        if (missedVerdicts.some((verdict) => verdict === event.verdict)) missed.inc(label, count);
        return;
      }
      default:
        return;
    }
  }

  /** Events say that a job ended; how long it took stands in its row. */
  async #measure(): Promise<void> {
    const ended = this.#ended;
    this.#ended = [];
    for (let from = 0; from < ended.length; from += chunk) {
      const some = new Map(ended.slice(from, from + chunk).map(({ id, run }) => [run, id]));
      const ids = [...some.keys()];
      const { items } = await this.#periodic.carillon.store.runs({ ids, limit: ids.length });
      for (const { id, startedAt, finishedAt } of items) {
        if (startedAt === null || finishedAt === null) continue;
        this.#families.durations.observe(
          { schedule_id: some.get(id) as string },
          secondsOf(startedAt, finishedAt),
        );
      }
    }
  }
}

function secondsOf(from: Instant, to: Instant): number {
  return Math.max(0, to - from) / 1000;
}
