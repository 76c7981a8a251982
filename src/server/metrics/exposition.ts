/** The counters in Prometheus' words. Among them the five names that the periodic door promises (`scheduler_…`). */
import type { Metric } from 'prom-client';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Gauges } from './gauges.ts';
import { mostWaiting } from './gauges.ts';
import type { Histogram } from './histogram.ts';
import type { Tally } from './tally.ts';

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Value[];
}

export class Exposition {
  readonly #registry = new Registry();
  #families: readonly Family[] = [];
  #isPrepared = false;

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(tally: Tally, gauges: Gauges): Promise<string> {
    this.#families = [...counters(tally), ...levels(tally, gauges), ...histograms(tally)];
    this.#prepare();
    return await this.#registry.metrics();
  }

  /** Measuring the process costs a little for ever, so it begins when somebody wants to know. */
  #prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    collectDefaultMetrics({ register: this.#registry });
    for (const { name } of this.#families) {
      // Prom-client only ever asks a metric for its name and for its values.
      const metric = { name, get: async () => this.#families.find((each) => each.name === name) };
      this.#registry.registerMetric(metric as unknown as Metric);
    }
  }
}

function counters(tally: Tally): readonly Family[] {
  const runs = [...tally.runs.values()].map(({ status, schedule, count }) => ({
    labels: { ...ofSchedule(schedule), status },
    value: count,
  }));
  return [
    family(
      'counter',
      'carillon_slots_total',
      'Slots by verdict; a buffered one is counted again when it is decided',
      [...[...tally.slots].map(([verdict, value]) => ({ labels: { verdict }, value }))],
    ),
    family('counter', 'scheduler_runs_total', 'Runs that ended, by status', runs),
    family('counter', 'scheduler_lock_failures_total', 'Commits lost to another node', [
      { labels: {}, value: tally.troubles.get('conflict') ?? 0 },
    ]),
    family(
      'counter',
      'carillon_store_troubles_total',
      'Failures of the store, by kind',
      [...tally.troubles].map(([kind, value]) => ({ labels: { kind }, value })),
    ),
    family(
      'counter',
      'carillon_http_requests_total',
      'HTTP requests by status',
      [...tally.requests].map(([status, value]) => ({ labels: { status }, value })),
    ),
  ];
}

function levels(tally: Tally, gauges: Gauges): readonly Family[] {
  const seconds = (milliseconds: number) => milliseconds / 1000;
  return [
    family(
      'gauge',
      'scheduler_last_run_timestamp',
      'When a run last ended, in Unix seconds',
      [...tally.lastRun].map(([schedule, at]) => ({ labels: ofSchedule(schedule), value: seconds(at) })),
    ),
    family(
      'gauge',
      'scheduler_next_run_timestamp',
      'When something is next due, in Unix seconds',
      gauges.nextDue === null ? [] : [{ labels: {}, value: seconds(gauges.nextDue) }],
    ),
    family(
      'gauge',
      'carillon_schedules',
      'Open schedules by state',
      Object.entries(gauges.schedules).map(([state, value]) => ({ labels: { state }, value })),
    ),
    family('gauge', 'carillon_runs_waiting', `Runs that wait for a worker, up to ${mostWaiting}`, [
      { labels: {}, value: gauges.waiting },
    ]),
    family('gauge', 'carillon_runs_active', 'Handlers under way in this process', [
      { labels: {}, value: gauges.active },
    ]),
    family('gauge', 'carillon_due_lag_seconds', 'Age of the oldest thing that is due and not handled', [
      { labels: {}, value: gauges.lag },
    ]),
  ];
}

function histograms(tally: Tally): readonly Family[] {
  const name = 'scheduler_run_duration_seconds';
  return [
    histogram('carillon_start_lateness_seconds', 'How late automatic starts were', [[{}, tally.lateness]]),
    histogram(
      name,
      'From the start of the first attempt to the end, by status',
      [...tally.durations].map(([status, each]) => [{ status }, each]),
    ),
    histogram('carillon_http_request_seconds', 'How long HTTP requests took', [[{}, tally.requestSeconds]]),
  ];
}

function histogram(
  name: string,
  help: string,
  series: readonly (readonly [labels: Readonly<Record<string, string>>, values: Histogram])[],
): Family {
  const values = series.flatMap(([labels, each]) => [
    ...each.buckets().map(({ le, count }) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: le === Number.POSITIVE_INFINITY ? '+Inf' : le },
      value: count,
    })),
    { metricName: `${name}_sum`, labels, value: each.sum },
    { metricName: `${name}_count`, labels, value: each.count },
  ]);
  return { name, help, type: 'histogram', values };
}

function family(type: 'counter' | 'gauge', name: string, help: string, values: readonly Value[]): Family {
  return { name, help, type, values };
}

function ofSchedule(schedule: string): Readonly<Record<string, string>> {
  return schedule === '' ? {} : { schedule_id: schedule };
}
