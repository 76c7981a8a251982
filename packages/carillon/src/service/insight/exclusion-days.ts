/**
 * The days of a range on which exclusions remove times of a spec. A search goes from the next time of the spec to the next
 * excluded second and back, so that a schedule of every second costs as little as one of every day.
 */
import type { Instant } from '../../base/time.ts';
import { addTime, day } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { CompiledSpec, ScheduleSpec, Zone } from '../../spec/index.ts';
import { compileSpec, findZone } from '../../spec/index.ts';
import type { SlicedWork } from '../spec-search.ts';
import { instantOf, localDay } from './bin-edges.ts';
import type { Span } from './history-material.ts';

export type SearchedSpec = Pick<ScheduleDefinition, 'spec' | 'seed'>;

export interface ExclusionDay {
  /** Local midnight as if it were UTC, by the clock of the spec. */
  readonly local: number;
  /** The comment of the exclusion; empty without one. */
  readonly label: string;
  /** Whether no time of the day is left. */
  readonly isWhole: boolean;
}

export interface ExclusionDays {
  readonly days: readonly ExclusionDay[];
  /** Whether all days were found within the bound of the work. */
  readonly isComplete: boolean;
}

export async function exclusionDays(
  definition: SearchedSpec,
  span: Span,
  work: SlicedWork,
): Promise<ExclusionDays> {
  const { spec } = definition;
  const { exclude, ...unexcluded } = spec;
  if (exclude === undefined) return { days: [], isComplete: true };
  const zone = findZone(spec.zone ?? 'UTC');
  const raw = compileSpec(unexcluded, { seed: definition.seed });
  const real = compiledOf(definition);
  const found = new Map<string, ExclusionDay>();
  let isComplete = true;
  /** Whether the spec has a time within the day; undefined when that could not be found out. */
  const hasTime = async (compiled: CompiledSpec, { from, to }: Span) => {
    const walk = compiled.walk(addTime(from, -1), { last: to });
    const { kind } = await work.finish((budget) => walk.next(budget));
    if (kind === 'unfinished') isComplete = false;
    return kind === 'found';
  };
  const note = async (local: number, label: string) => {
    const whole = dayOf(local, zone);
    const isWhole = !(await hasTime(real, whole));
    found.set(`${local} ${label}`, { local, label, isWhole });
  };
  for (const date of exclude.dates ?? []) {
    const local = Date.parse(`${date}T00:00:00Z`);
    const whole = dayOf(local, zone);
    if (whole.to < span.from || whole.from > span.to) continue;
    if (await hasTime(raw, whole)) await note(local, '');
  }
  for (const [label, alone] of exclusionSpecs(spec)) {
    const excluded = compileSpec(alone, { seed: definition.seed });
    for (let at = addTime(span.from, -1); ; ) {
      const start = await work.finish((budget) => raw.search(at, { budget }));
      if (start.kind === 'unfinished') isComplete = false;
      if (start.kind !== 'found' || start.nominal > span.to) break;
      const { nominal } = start;
      const hit = await work.finish((budget) => excluded.search(addTime(nominal, -1), { budget }));
      if (hit.kind === 'unfinished') isComplete = false;
      if (hit.kind !== 'found' || hit.nominal > span.to) break;
      if (hit.nominal !== nominal) {
        at = addTime(hit.nominal, -1);
        continue;
      }
      const local = localDay(nominal, zone);
      await note(local, label);
      at = dayOf(local, zone).to;
    }
  }
  return { days: [...found.values()], isComplete };
}

function dayOf(local: number, zone: Zone | undefined): Span {
  return {
    from: instantOf(local, zone) as Instant,
    to: (instantOf(local + day, zone) - 1) as Instant,
  };
}

/** The excluded seconds as specs of their own, one for each comment. Exclusions compare the wall clock, also around its changes. */
function exclusionSpecs({ exclude = {}, zone, zoneData }: ScheduleSpec): ReadonlyMap<string, ScheduleSpec> {
  const { cron = [], calendars = [], structuredCalendars = [] } = exclude;
  const place: ScheduleSpec = {
    ...(zone === undefined ? {} : { zone }),
    ...(zoneData === undefined ? {} : { zoneData }),
    dst: { gap: 'skip', fold: 'both' },
  };
  const specs = new Map<string, ScheduleSpec>();
  const of = (label = '') => specs.get(label) ?? place;
  for (const entry of cron) {
    const before = of();
    specs.set('', { ...before, cron: [...(before.cron ?? []), entry] });
  }
  for (const calendar of calendars) {
    const before = of(calendar.comment);
    specs.set(calendar.comment ?? '', { ...before, calendars: [...(before.calendars ?? []), calendar] });
  }
  for (const calendar of structuredCalendars) {
    const before = of(calendar.comment);
    specs.set(calendar.comment ?? '', {
      ...before,
      structuredCalendars: [...(before.structuredCalendars ?? []), calendar],
    });
  }
  return specs;
}
