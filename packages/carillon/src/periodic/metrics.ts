/**
 * The metrics of tasks for programs that embed the registry and have no server of ours to scrape: the same metrics, with the
 * same meanings, as the server has for schedules. Counters count what this process decided; gauges are read on request.
 */
import { expositionText, expositionType } from '../metrics/exposition.ts';
import type { Timed } from '../metrics/schedule-families.ts';
import { scheduleFamilies } from '../metrics/schedule-families.ts';
import { ScheduleTally } from '../metrics/schedule-tally.ts';
import type { Periodic } from './periodic.ts';

export interface PeriodicMetrics {
  readonly contentType: string;
  /** Prometheus' text format; texts of other sources may be appended to it. */
  text(): Promise<string>;
  /** Counts no more. */
  stop(): void;
}

/** Counts from now on; call it before `start`. */
export function periodicMetrics(periodic: Periodic): PeriodicMetrics {
  const { carillon } = periodic;
  const { namespace } = carillon;
  const tally = new ScheduleTally({
    labels: ({ schedule }) => ({ schedule_id: schedule }),
    // The tasks are declared in code, which bounds them.
    most: Number.POSITIVE_INFINITY,
  });
  const stops = [
    periodic.subscribe((event) => tally.count(event)),
    carillon.observe({
      conflicted: (key) => {
        if (key?.namespace === namespace && periodic.registry.get(key.id) !== undefined)
          tally.conflict({ namespace, schedule: key.id });
      },
    }),
  ];
  return {
    contentType: expositionType,
    text: async () => {
      const next: Timed[] = [];
      const last: Timed[] = [];
      for (const { id, lastRunAt, nextRun } of await periodic.briefs()) {
        const { labels } = tally.know({ namespace, schedule: id });
        if (lastRunAt !== null) last.push({ labels, at: lastRunAt });
        if (nextRun !== null) next.push({ labels, at: nextRun });
      }
      return expositionText(scheduleFamilies(tally.counts, { next, last }));
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
