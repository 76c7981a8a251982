/** The answer of `/metrics`: Carillon's metric families, and the process metrics of prom-client. */
import type { Family } from 'carillon/internal/metrics';
import {
  by,
  counter,
  each,
  expositionText,
  expositionType,
  gauge,
  histogram,
  scheduleFamilies,
} from 'carillon/internal/metrics';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Gauges } from './gauges.ts';
import { mostListed } from './gauges.ts';
import { hostLevelFamilies } from './host-levels.ts';
import type { Tally } from './tally.ts';

/** The build of the server. */
export interface Build {
  readonly version: string;
  readonly store: string;
}

export class Exposition {
  readonly contentType = expositionType;
  readonly #build: Build;
  #process: Registry | undefined;

  constructor(build: Build) {
    this.#build = build;
  }

  /** `active` is the number of handlers running in this process. */
  async text(tally: Tally, gauges: Gauges, active: number): Promise<string> {
    const ours = expositionText([
      gauge('carillon_build_info', 'Version and store of this server; always 1', [
        { labels: { version: this.#build.version, store: this.#build.store }, value: 1 },
      ]),
      counter(
        'carillon_slots_total',
        'Slots by verdict; a buffered one is counted again when it is decided',
        by('verdict', tally.slots),
      ),
      ...scheduleFamilies(tally.schedules.counts, { next: gauges.next }),
      ...work(tally, active),
      ...hosts(tally),
      ...hostLevelFamilies(gauges.hosts, gauges.now),
      ...levels(gauges),
      ...machinery(tally),
    ]);
    return `${ours}${await this.#ofProcess()}`;
  }

  /** Measuring the process has a permanent cost, so it begins with the first scrape. */
  async #ofProcess(): Promise<string> {
    if (this.#process === undefined) {
      this.#process = new Registry();
      collectDefaultMetrics({ register: this.#process });
    }
    return await this.#process.metrics();
  }
}

function work(tally: Tally, active: number): readonly Family[] {
  return [
    counter(
      'carillon_attempts_total',
      'Attempts of runs that ended in this process, retries and queued work included, by how they ended',
      by('conclusion', tally.attempts),
    ),
    gauge('carillon_runs_active', 'Handlers under way in this process', active),
  ];
}

function hosts(tally: Tally): readonly Family[] {
  return [
    counter(
      'carillon_host_runs_total',
      'Runs of workflows on hosts by how they ended',
      by('result', tally.hostRuns),
    ),
    counter('carillon_host_slots_total', 'Due times of producers by verdict', by('verdict', tally.hostSlots)),
    counter('carillon_host_events_published_total', 'New events in topics', tally.hostEvents),
    counter(
      'carillon_host_blocks_total',
      'Workflows that were stopped until a person acts, by reason',
      by('reason', tally.hostBlocks),
    ),
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
  return [
    histogram('carillon_step_seconds', 'How long steps took', [[{}, tally.stepSeconds]]),
    histogram('carillon_step_executions', 'Schedules handled by one step', [[{}, tally.stepExecutions]]),
    histogram(
      'carillon_store_transaction_seconds',
      'Time inside the store by kind of transaction: due (steps), keys (changes), runs (reports), claimable, lapsed',
      each('kind', tally.transactions),
    ),
    counter('carillon_store_troubles_total', 'Failures of the store, by kind', by('kind', tally.troubles)),
    counter('carillon_quarantines_total', 'Schedules set aside because their code failed', tally.quarantines),
    counter('carillon_http_requests_total', 'HTTP requests by status', by('status', tally.requests)),
    histogram('carillon_http_request_seconds', 'How long HTTP requests took', [[{}, tally.requestSeconds]]),
    counter('carillon_grpc_calls_total', 'gRPC calls by status', by('status', tally.calls)),
    histogram('carillon_grpc_call_seconds', 'How long gRPC calls took', [[{}, tally.callSeconds]]),
  ];
}
