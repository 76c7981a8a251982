/** Counts what happens, cheaply, while it happens. Labels are few; those per schedule must be asked for and are bounded. */
import type { Clock, Instant } from 'carillon/internal/base';
import type { Carillon, CarillonObserver } from 'carillon/internal/embed';
import { conclusionKinds } from 'carillon/internal/runs';
import { verdicts } from 'carillon/internal/scheduler';
import type { CarillonEvent, ScheduleEvent } from 'carillon/internal/service';
import { isStoreError, runOutcomes, selectionKinds, storeTroubles } from 'carillon/internal/store';
import { Histogram } from './histogram.ts';

export interface TallyOptions {
  readonly clock: Clock;
  /** Label runs by schedule. Default false: a million schedules would be a million series. */
  readonly perSchedule?: boolean;
  /** Schedules told apart at once; what comes beyond is counted together under `other`. Default 1000. */
  readonly mostSchedules?: number;
}

/** What a schedule did; of all of them together unless they are told apart. */
export interface ScheduleCount {
  readonly labels: Readonly<Record<string, string>>;
  /** Runs that ended, by outcome. */
  readonly runs: Map<string, number>;
  skipped: number;
  missed: number;
  lastRun: Instant | null;
}

const latenessBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];
const durationBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const storeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const stepBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const batchBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500];

const defaultMostSchedules = 1000;

/** Skipped: its time was seen, and its own policy was in the way. Missed: nobody was there in its time. */
const skippedVerdicts: ReadonlySet<string> = new Set(['skippedOverlap', 'bufferFull']);
const missedVerdicts: ReadonlySet<string> = new Set(['missedWindow', 'coalesced']);

export class Tally {
  readonly #clock: Clock;
  readonly perSchedule: boolean;
  readonly mostSchedules: number;
  /** Closed lists begin at zero: a rate over a series that appears with its first event would not see that event. */
  readonly slots = zeros(verdicts);
  readonly attempts = zeros(conclusionKinds);
  readonly troubles = zeros([...storeTroubles, 'other']);
  readonly schedules = new Map<string, ScheduleCount>();
  readonly lateness = new Histogram(latenessBounds);
  readonly durations = histograms(runOutcomes, durationBounds);
  readonly transactions = histograms(selectionKinds, storeBounds);
  readonly stepSeconds = new Histogram(stepBounds);
  readonly stepExecutions = new Histogram(batchBounds);
  readonly requests = new Map<number, number>();
  readonly requestSeconds = new Histogram(requestBounds);
  /** gRPC calls by the name of their status. */
  readonly calls = new Map<string, number>();
  readonly callSeconds = new Histogram(requestBounds);
  quarantines = 0;

  constructor({ clock, perSchedule = false, mostSchedules = defaultMostSchedules }: TallyOptions) {
    this.#clock = clock;
    this.perSchedule = perSchedule;
    this.mostSchedules = mostSchedules;
    if (!perSchedule) this.#countOf('', {});
  }

  /** Counts what this Carillon does from now on. Returns the way out. */
  watch(carillon: Carillon): () => void {
    const release = [carillon.subscribe(this.event), carillon.observe(this.#observer)];
    return () => {
      for (const each of release) each();
    };
  }

  readonly event = (event: CarillonEvent): void => {
    // These are counts of schedules; runs that were enqueued by hand are counted by their attempts.
    if (event.schedule === null) return;
    switch (event.type) {
      case 'slot':
        this.#slot(event, event.verdict, event.count);
        return;
      case 'started':
        // What waited for an earlier run, as its policy says, was not late by any fault of ours.
        if (!event.manual && !event.waited) this.lateness.observe(Math.max(0, event.lateByMs) / 1000);
        return;
      case 'finished':
        this.#finish(event);
        return;
      case 'closed':
        this.schedules.delete(keyOf(event));
        return;
      default:
        return;
    }
  };

  trouble(error: unknown): void {
    add(this.troubles, isStoreError(error) ? error.trouble : 'other', 1);
  }

  call(status: string, milliseconds: number): void {
    add(this.calls, status, 1);
    this.callSeconds.observe(milliseconds / 1000);
  }

  request(status: number, milliseconds: number): void {
    add(this.requests, status, 1);
    this.requestSeconds.observe(milliseconds / 1000);
  }

  readonly #observer: Partial<CarillonObserver> = {
    stepped: ({ executions, tookMs }) => {
      this.stepSeconds.observe(tookMs / 1000);
      this.stepExecutions.observe(executions);
    },
    transacted: (kind, tookMs) => this.transactions.get(kind)?.observe(tookMs / 1000),
    concluded: (_, { kind }) => add(this.attempts, kind, 1),
    trouble: (error, schedule) => {
      if (schedule === undefined) this.trouble(error);
      else this.quarantines += 1;
    },
  };

  #slot(event: ScheduleEvent, verdict: string, count: number): void {
    add(this.slots, verdict, count);
    if (skippedVerdicts.has(verdict)) this.#of(event).skipped += count;
    if (missedVerdicts.has(verdict)) this.#of(event).missed += count;
  }

  #finish(event: ScheduleEvent & { readonly type: 'finished' }): void {
    const { outcome, durationMs } = event;
    const counted = this.#of(event);
    add(counted.runs, outcome, 1);
    counted.lastRun = this.#clock.now();
    if (durationMs !== null) this.durations.get(outcome)?.observe(durationMs / 1000);
  }

  #of(event: ScheduleEvent): ScheduleCount {
    if (!this.perSchedule) return this.#countOf('', {});
    const { namespace, schedule } = event;
    const key = keyOf(event);
    const hasRoom = this.schedules.has(key) || this.schedules.size < this.mostSchedules;
    return hasRoom
      ? this.#countOf(key, { namespace, schedule_id: schedule })
      : this.#countOf('', { namespace: '', schedule_id: 'other' });
  }

  #countOf(key: string, labels: ScheduleCount['labels']): ScheduleCount {
    let found = this.schedules.get(key);
    if (found === undefined) {
      found = { labels, runs: zeros(runOutcomes), skipped: 0, missed: 0, lastRun: null };
      this.schedules.set(key, found);
    }
    return found;
  }
}

function keyOf({ namespace, schedule }: ScheduleEvent): string {
  return `${namespace}\0${schedule}`;
}

function zeros(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key) => [key, 0]));
}

function histograms(keys: readonly string[], bounds: readonly number[]): ReadonlyMap<string, Histogram> {
  return new Map(keys.map((key) => [key, new Histogram(bounds)]));
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
