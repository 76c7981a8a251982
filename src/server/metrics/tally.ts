/** Counts what happens, cheaply, while it happens. Labels are few; those per schedule must be asked for and are bounded. */
import type { Clock } from '../../base/clock.ts';
import type { Instant } from '../../base/time.ts';
import type { CarillonEvent } from '../../embed/carillon.ts';
import { StoreError } from '../../store/error.ts';
import { Histogram } from './histogram.ts';

export interface TallyOptions {
  readonly clock: Clock;
  /** Label runs by schedule. Default false: a million schedules would be a million series. */
  readonly perSchedule?: boolean;
}

/** Of one status, and of one schedule when asked for. */
export interface RunCount {
  readonly schedule: string;
  readonly status: string;
  count: number;
}

const latenessBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];
const durationBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Schedules told apart; what comes beyond is counted together under `other`. */
const mostSchedules = 10_000;

/** Finished runs whose durations are still to be looked up; beyond it the oldest are left out of the histogram. */
const mostPending = 10_000;

export class Tally {
  readonly #clock: Clock;
  readonly #perSchedule: boolean;
  readonly slots = new Map<string, number>();
  readonly runs = new Map<string, RunCount>();
  readonly lateness = new Histogram(latenessBounds);
  readonly durations = new Map<string, Histogram>();
  readonly requests = new Map<number, number>();
  readonly requestSeconds = new Histogram(requestBounds);
  readonly troubles = new Map<string, number>();
  readonly lastRun = new Map<string, Instant>();
  /** Ids of runs that finished since they were last taken. */
  #finished: string[] = [];

  constructor({ clock, perSchedule = false }: TallyOptions) {
    this.#clock = clock;
    this.#perSchedule = perSchedule;
  }

  /** Listens to a Carillon. */
  readonly event = (event: CarillonEvent): void => {
    switch (event.type) {
      case 'slot':
        add(this.slots, String(event.verdict), typeof event.count === 'number' ? event.count : 1);
        return;
      case 'started':
        if (event.manual !== true) this.lateness.observe(Math.max(0, Number(event.lateByMs)) / 1000);
        return;
      case 'finished':
        this.#finish(this.#label(event.schedule), String(event.outcome), String(event.runId));
        return;
      default:
        return;
    }
  };

  trouble(error: unknown): void {
    add(this.troubles, error instanceof StoreError ? error.trouble : 'other', 1);
  }

  request(status: number, milliseconds: number): void {
    add(this.requests, status, 1);
    this.requestSeconds.observe(milliseconds / 1000);
  }

  duration(outcome: string, seconds: number): void {
    const histogram = this.durations.get(outcome) ?? new Histogram(durationBounds);
    this.durations.set(outcome, histogram);
    histogram.observe(seconds);
  }

  /** Hands over what finished since it was last asked. */
  takeFinished(): readonly string[] {
    const taken = this.#finished;
    this.#finished = [];
    return taken;
  }

  #finish(schedule: string, status: string, run: string): void {
    const key = `${status} ${schedule}`;
    const count = this.runs.get(key) ?? { schedule, status, count: 0 };
    count.count += 1;
    this.runs.set(key, count);
    this.lastRun.set(schedule, this.#clock.now());
    if (this.#finished.length < mostPending) this.#finished.push(run);
  }

  #label(schedule: string): string {
    if (!this.#perSchedule) return '';
    return this.lastRun.has(schedule) || this.lastRun.size < mostSchedules ? schedule : 'other';
  }
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
