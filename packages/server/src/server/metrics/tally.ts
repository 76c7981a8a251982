/** Counts events as they happen, at low cost. Labels are few; labels per schedule are optional and bounded. */
import type { Clock } from 'carillon/internal/base';
import type { Carillon, CarillonObserver } from 'carillon/internal/embed';
import {
  blockKinds,
  conclusionKinds,
  Histogram,
  hostRunResults,
  hostVerdicts,
  isStoreError,
  ScheduleTally,
  selectionKinds,
  storeTroubles,
} from 'carillon/internal/metrics';
import type { CarillonEvent, HostEvent } from 'carillon/internal/service';
import { verdicts } from 'carillon/internal/service';

export interface TallyOptions {
  readonly clock: Clock;
  /** Label runs by schedule. Default false: a million schedules would be a million series. */
  readonly perSchedule?: boolean;
  /** Number of schedules with their own labels; further ones are counted together as `other`. Default 1000. */
  readonly mostSchedules?: number;
}

const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const storeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const stepBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const batchBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500];

const defaultMostSchedules = 1000;

export class Tally {
  readonly perSchedule: boolean;
  readonly mostSchedules: number;
  /** Series of closed lists begin at zero: a rate over a series that appears with its first event would miss that event. */
  readonly slots = zeros(verdicts);
  readonly attempts = zeros(conclusionKinds);
  readonly troubles = zeros([...storeTroubles, 'other']);
  /** Runs of workflows on hosts by result, due times of their producers by verdict, and stops that wait for a person. */
  readonly hostRuns = zeros(hostRunResults);
  readonly hostSlots = zeros(hostVerdicts);
  readonly hostBlocks = zeros(blockKinds);
  hostEvents = 0;
  readonly schedules: ScheduleTally;
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
    this.perSchedule = perSchedule;
    this.mostSchedules = mostSchedules;
    this.schedules = new ScheduleTally({
      now: () => clock.now(),
      ...(perSchedule ? { labels: scheduleLabels } : {}),
      most: mostSchedules,
    });
  }

  /** Counts what this Carillon does from now on. Returns an unsubscribe function. */
  watch(carillon: Carillon): () => void {
    const release = [
      carillon.subscribe(this.event),
      carillon.hosts.subscribe(this.hostEvent),
      carillon.observe(this.#observer),
    ];
    return () => {
      for (const each of release) each();
    };
  }

  readonly event = (event: CarillonEvent): void => {
    // These metrics count schedules; runs enqueued by hand are counted by their attempts.
    if (event.schedule === null) return;
    if (event.type === 'slot') add(this.slots, event.verdict, event.count);
    this.schedules.count(event);
  };

  readonly hostEvent = (event: HostEvent): void => {
    if (event.type === 'hostRunEnded') add(this.hostRuns, event.result, 1);
    else if (event.type === 'producerSlot') add(this.hostSlots, event.verdict, event.count);
    else if (event.type === 'hostBlocked') add(this.hostBlocks, event.kind, 1);
    else if (event.type === 'eventsPublished') this.hostEvents += event.count;
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
    conflicted: (key) => this.schedules.conflict(key && { namespace: key.namespace, schedule: key.id }),
    concluded: (_, { kind }) => add(this.attempts, kind, 1),
    trouble: (error, schedule) => {
      if (schedule === undefined) this.trouble(error);
      else this.quarantines += 1;
    },
  };
}

/** The labels of a schedule in per-schedule metrics. */
export function scheduleLabels({ namespace, schedule }: { namespace: string; schedule: string }) {
  return { namespace, schedule_id: schedule };
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
