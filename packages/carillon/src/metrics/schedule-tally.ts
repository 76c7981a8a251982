/**
 * Counts the events of schedules as they happen, at little cost. It counts all schedules together, or each under its
 * own labels; then the number of schedules is bounded, and the rest is counted under `other`.
 */
import type { Instant } from '../base/time.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { ScheduleEvent } from '../service/event.ts';
import type { RunOutcome } from '../store/records.ts';
import { runOutcomes } from '../store/records.ts';
import type { Labels } from './family.ts';
import { Histogram } from './histogram.ts';

export interface ScheduleTallyOptions {
  /** The clock for the time of the latest run. Absent: that time is not kept. */
  readonly now?: () => Instant;
  /** The labels of one schedule. Absent: all schedules are counted together, without labels. */
  readonly labels?: (schedule: Named) => Labels;
  /** The most schedules with their own labels. */
  readonly most: number;
}

/** A schedule's namespace and id. */
export interface Named {
  readonly namespace: string;
  readonly schedule: string;
}

/** The counts of one schedule, or of all of them together. */
export interface ScheduleCount {
  readonly labels: Labels;
  /** Runs that ended, by outcome. */
  readonly runs: Map<RunOutcome, number>;
  readonly durations: Histogram;
  readonly lateness: Histogram;
  /** The time from the end of an earlier run to the first attempt of a run that had to wait for it. */
  readonly handovers: Histogram;
  skipped: number;
  missed: number;
  /** Commits lost to another node. */
  conflicts: number;
  /** Searches for the next time that did not fit into one step. */
  longSearches: number;
  /** When the latest run was started. */
  lastRun: Instant | null;
}

const latenessBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];
const durationBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];

/** Verdicts of slots that the schedule's own policy skipped. */
const skippedVerdicts: ReadonlySet<Verdict> = new Set<Verdict>(['skippedOverlap', 'bufferFull']);
/** Verdicts of slots at whose time no node was running. */
const missedVerdicts: ReadonlySet<Verdict> = new Set<Verdict>(['missedWindow', 'coalesced']);

/** The counts of all schedules beyond the bound. */
const other: Named = { namespace: '', schedule: 'other' };

export class ScheduleTally {
  readonly #now: (() => Instant) | undefined;
  readonly #labels: ((schedule: Named) => Labels) | undefined;
  readonly #most: number;
  readonly #counts = new Map<string, ScheduleCount>();

  constructor({ now, labels, most }: ScheduleTallyOptions) {
    this.#now = now;
    this.#labels = labels;
    this.#most = most;
    if (labels === undefined) this.#countOf('', {});
  }

  get counts(): Iterable<ScheduleCount> {
    return this.#counts.values();
  }

  /**
   * Creates the counts of a schedule before its first event, because a rate over a new series would not see that
   * event.
   */
  know(schedule: Named): ScheduleCount {
    return this.#of(schedule);
  }

  count(event: ScheduleEvent): void {
    switch (event.type) {
      case 'slot':
        if (skippedVerdicts.has(event.verdict)) this.#of(event).skipped += event.count;
        if (missedVerdicts.has(event.verdict)) this.#of(event).missed += event.count;
        return;
      case 'started': {
        const counted = this.#of(event);
        if (this.#now !== undefined) counted.lastRun = this.#now();
        // A start that waited for an earlier run, as its policy says, was not late because of Carillon.
        if (!event.manual && !event.waited) counted.lateness.observe(Math.max(0, event.lateByMs) / 1000);
        return;
      }
      case 'finished': {
        const counted = this.#of(event);
        counted.runs.set(event.outcome, (counted.runs.get(event.outcome) ?? 0) + 1);
        if (event.durationMs !== null) counted.durations.observe(event.durationMs / 1000);
        if (event.sinceFreedMs !== undefined) counted.handovers.observe(event.sinceFreedMs / 1000);
        return;
      }
      case 'specSearchLong':
        this.#of(event).longSearches += 1;
        return;
      case 'closed':
        this.#counts.delete(keyOf(event));
        return;
      default:
        return;
    }
  }

  /** Counts a commit that lost to another node; `schedule` is undefined when the commit held several schedules. */
  conflict(schedule: Named | undefined): void {
    this.#of(schedule).conflicts += 1;
  }

  #of(schedule: Named | undefined): ScheduleCount {
    if (this.#labels === undefined) return this.#countOf('', {});
    if (schedule === undefined) return this.#countOf('', this.#labels(other));
    const key = keyOf(schedule);
    return this.#counts.has(key) || this.#counts.size < this.#most
      ? this.#countOf(key, this.#labels(schedule))
      : this.#countOf('', this.#labels(other));
  }

  #countOf(key: string, labels: Labels): ScheduleCount {
    let found = this.#counts.get(key);
    if (found === undefined) {
      found = {
        labels,
        runs: new Map(runOutcomes.map((outcome) => [outcome, 0])),
        durations: new Histogram(durationBounds),
        lateness: new Histogram(latenessBounds),
        handovers: new Histogram(latenessBounds),
        skipped: 0,
        missed: 0,
        conflicts: 0,
        longSearches: 0,
        lastRun: null,
      };
      this.#counts.set(key, found);
    }
    return found;
  }
}

function keyOf({ namespace, schedule }: Named): string {
  return `${namespace}\0${schedule}`;
}
