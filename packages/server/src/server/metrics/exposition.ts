/** The counters in Prometheus' words. Among them the five names that the periodic door promises (`scheduler_…`). */
import type { Metric } from 'prom-client';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Family } from './family.ts';
import { by, counter, each, gauge, histogram } from './family.ts';
import type { Gauges } from './gauges.ts';
import { mostListed } from './gauges.ts';
import type { Tally } from './tally.ts';

/** Which program answers. */
export interface Build {
  readonly version: string;
  readonly store: string;
}

export class Exposition {
  readonly #registry = new Registry();
  readonly #build: Build;
  #families: readonly Family[] = [];
  #isPrepared = false;

  constructor(build: Build) {
    this.#build = build;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** `active`: handlers under way in this process. */
  async text(tally: Tally, gauges: Gauges, active: number): Promise<string> {
    this.#families = [
      gauge('carillon_build_info', 'Version and store of this server; always 1', [
        { labels: { version: this.#build.version, store: this.#build.store }, value: 1 },
      ]),
      ...slots(tally),
      ...runs(tally, gauges, active),
      ...levels(gauges),
      ...machinery(tally),
    ];
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
      const metric = { name, get: async () => this.#families.find((other) => other.name === name) };
      this.#registry.registerMetric(metric as unknown as Metric);
    }
  }
}

function slots(tally: Tally): readonly Family[] {
  const schedules = [...tally.schedules.values()];
  return [
    counter(
      'carillon_slots_total',
      'Slots by verdict; a buffered one is counted again when it is decided',
      by('verdict', tally.slots),
    ),
    counter(
      'scheduler_skipped_total',
      'Slots skipped because an earlier run was in the way',
      schedules.map(({ labels, skipped }) => ({ labels, value: skipped })),
    ),
    counter(
      'scheduler_missed_total',
      'Slots that nobody was there to start in time',
      schedules.map(({ labels, missed }) => ({ labels, value: missed })),
    ),
    histogram(
      'carillon_start_lateness_seconds',
      'How late automatic starts were; those that waited for an earlier run by their policy are not counted',
      [[{}, tally.lateness]],
    ),
  ];
}

function runs(tally: Tally, gauges: Gauges, active: number): readonly Family[] {
  const schedules = [...tally.schedules.values()];
  return [
    counter(
      'scheduler_runs_total',
      'Runs of schedules that ended, by status',
      schedules.flatMap(({ labels, runs: counts }) =>
        [...counts].map(([status, value]) => ({ labels: { ...labels, status }, value })),
      ),
    ),
    histogram(
      'scheduler_run_duration_seconds',
      'From the start of the first attempt to the end of the run, by status',
      each('status', tally.durations),
    ),
    gauge(
      'scheduler_last_run_timestamp',
      'When a run last ended, in Unix seconds',
      schedules.flatMap(({ labels, lastRun }) =>
        lastRun === null ? [] : [{ labels, value: lastRun / 1000 }],
      ),
    ),
    gauge(
      'scheduler_next_run_timestamp',
      'When a schedule is next due, in Unix seconds',
      gauges.next.map(({ labels, at }) => ({ labels, value: at / 1000 })),
    ),
    counter(
      'carillon_attempts_total',
      'Attempts of runs that ended in this process, retries and queued work included, by how they ended',
      by('conclusion', tally.attempts),
    ),
    gauge('carillon_runs_active', 'Handlers under way in this process', active),
  ];
}

function levels({ schedules, backlog, buffered, lag, nodes, skew }: Gauges): readonly Family[] {
  return [
    gauge('carillon_schedules', 'Open schedules by state', by('state', Object.entries(schedules))),
    gauge(
      'carillon_runs_waiting',
      `Runs that a worker could take now, by queue; over at most ${mostListed} waiting ones`,
      by(
        'queue',
        [...backlog].map(([queue, { waiting }]) => [queue, waiting] as const),
      ),
    ),
    gauge(
      'carillon_runs_waiting_oldest_seconds',
      'For how long the oldest of them could have been taken, by queue',
      by(
        'queue',
        [...backlog].map(([queue, { oldestSeconds }]) => [queue, oldestSeconds] as const),
      ),
    ),
    gauge(
      'carillon_buffered_starts',
      'Starts that wait for an earlier run of their schedule to end',
      buffered ?? [],
    ),
    gauge('carillon_due_lag_seconds', 'Age of the oldest schedule that is due and not handled', lag ?? []),
    gauge(
      'carillon_nodes',
      'Processes that work on the store; silent: not heard of for a while, and not stopped in order',
      by('state', Object.entries(nodes)),
    ),
    gauge(
      'carillon_clock_skew_seconds',
      'Largest difference between the clock of a node and that of the store',
      skew ?? [],
    ),
  ];
}

function machinery(tally: Tally): readonly Family[] {
  const conflicts = tally.troubles.get('conflict') ?? 0;
  return [
    histogram('carillon_step_seconds', 'How long steps took', [[{}, tally.stepSeconds]]),
    histogram('carillon_step_executions', 'Schedules handled by one step', [[{}, tally.stepExecutions]]),
    histogram(
      'carillon_store_transaction_seconds',
      'Time inside the store by kind of transaction: due (steps), keys (changes), runs (reports), claimable, lapsed',
      each('kind', tally.transactions),
    ),
    counter('carillon_store_troubles_total', 'Failures of the store, by kind', by('kind', tally.troubles)),
    counter('scheduler_lock_failures_total', 'Commits lost to another node', conflicts),
    counter('carillon_quarantines_total', 'Schedules set aside because their code failed', tally.quarantines),
    counter('carillon_http_requests_total', 'HTTP requests by status', by('status', tally.requests)),
    histogram('carillon_http_request_seconds', 'How long HTTP requests took', [[{}, tally.requestSeconds]]),
    counter('carillon_grpc_calls_total', 'gRPC calls by status', by('status', tally.calls)),
    histogram('carillon_grpc_call_seconds', 'How long gRPC calls took', [[{}, tally.callSeconds]]),
  ];
}
