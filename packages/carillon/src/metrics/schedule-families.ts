/**
 * The metrics that begin with `scheduler_`: five names that the original periodic-task registry documents, and five
 * more. The server and `carillon/periodic` share them, so that each name has one meaning.
 */
import type { Instant } from '../base/time.ts';
import type { Family, Labels } from './family.ts';
import { counter, gauge, histogram } from './family.ts';
import type { ScheduleCount } from './schedule-tally.ts';

/** A time with the labels of its schedule. */
export interface Timed {
  readonly labels: Labels;
  readonly at: Instant;
}

export function scheduleFamilies(
  counts: Iterable<ScheduleCount>,
  times: {
    readonly next: readonly Timed[];
    /** When the latest run of each schedule was started. Absent: the times that the tally has seen. */
    readonly last?: readonly Timed[];
  },
): readonly Family[] {
  const schedules = [...counts];
  const last =
    times.last ??
    schedules.flatMap(({ labels, lastRun }) => (lastRun === null ? [] : [{ labels, at: lastRun }]));
  const each = (value: (count: ScheduleCount) => number) =>
    schedules.map((count) => ({ labels: count.labels, value: value(count) }));
  return [
    counter(
      'scheduler_runs_total',
      'Runs of schedules that ended, by status',
      schedules.flatMap(({ labels, runs }) =>
        [...runs].map(([status, value]) => ({ labels: { ...labels, status }, value })),
      ),
    ),
    histogram(
      'scheduler_run_duration_seconds',
      'From the start of the first attempt of a run to its end',
      schedules.map(({ labels, durations }) => [labels, durations]),
    ),
    gauge('scheduler_last_run_timestamp', 'When the latest run was started, in Unix seconds', seconds(last)),
    gauge('scheduler_next_run_timestamp', 'When the next run is due, in Unix seconds', seconds(times.next)),
    counter(
      'scheduler_lock_failures_total',
      'Commits lost to another node, and decided again',
      each(({ conflicts }) => conflicts),
    ),
    counter(
      'scheduler_skipped_total',
      'Slots skipped because an earlier run was in the way, or the buffer was full',
      each(({ skipped }) => skipped),
    ),
    counter(
      'scheduler_missed_total',
      'Slots past their catch-up window, or made up for by a later one',
      each(({ missed }) => missed),
    ),
    histogram(
      'scheduler_lateness_seconds',
      'How late automatic runs were started; those that waited for an earlier run by their policy are not counted',
      schedules.map(({ labels, lateness }) => [labels, lateness]),
    ),
    histogram(
      'scheduler_start_after_end_seconds',
      'Of runs that had to wait for an earlier one of their schedule: from its end to their own start',
      schedules.map(({ labels, handovers }) => [labels, handovers]),
    ),
    counter(
      'scheduler_long_searches_total',
      'Searches for the next time that did not fit into one step and went on in slices',
      each(({ longSearches }) => longSearches),
    ),
  ];
}

function seconds(times: readonly Timed[]) {
  return times.map(({ labels, at }) => ({ labels, value: at / 1000 }));
}
