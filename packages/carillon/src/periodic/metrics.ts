/**
 * The metrics of tasks for programs that embed the registry without a Carillon server to scrape. They are the metrics
 * that the server has for schedules, with the same meanings. Counters count what this process decided; gauges are
 * read on request.
 */
import { expositionText, expositionType } from '../metrics/exposition.ts';
import type { Timed } from '../metrics/schedule-families.ts';
import { scheduleFamilies } from '../metrics/schedule-families.ts';
import { ScheduleTally } from '../metrics/schedule-tally.ts';
import type { Periodic } from './periodic.ts';

export interface PeriodicMetrics {
  readonly contentType: string;
  /** The metrics in Prometheus' text format; other texts may be appended. */
  text(): Promise<string>;
  /** Stops counting. */
  stop(): void;
}

/** Starts counting; call it before `start`. */
export function periodicMetrics(periodic: Periodic): PeriodicMetrics {
  const { carillon } = periodic;
  const { namespace } = carillon;
  const tally = new ScheduleTally({
    labels: ({ schedule }) => ({ schedule_id: schedule }),
    // The code that declares the tasks bounds their number.
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
