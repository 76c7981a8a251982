/** Facts about the schedules of a list of runs: the zone of each, and how long its runs usually take. Pure. */
import { zoneOfSpec } from 'carillon/spec';
import type { Usual } from './usual.ts';
import { leastRuns } from './usual.ts';

export interface ScheduleFacts {
  readonly zone: string;
  /** The same number as on the schedule's own page; absent when too few runs were measured. */
  readonly usual?: Usual;
}

export interface Listed {
  readonly id: string;
  readonly spec: { readonly zone?: string };
  readonly strip?: { readonly p50Ms: number | null; readonly measured: number };
}

/** A schedule without a zone is in UTC, as on its own page. */
export function factsOf(schedules: readonly Listed[]): ReadonlyMap<string, ScheduleFacts> {
  return new Map(
    schedules.map(({ id, spec, strip }) => {
      const isKnown = strip !== undefined && strip.p50Ms !== null && strip.measured >= leastRuns;
      const usual = isKnown ? { usual: { ms: strip.p50Ms ?? 0, runs: strip.measured } } : {};
      return [id, { zone: zoneOfSpec(spec), ...usual }];
    }),
  );
}
