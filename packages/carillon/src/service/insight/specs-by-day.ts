/**
 * Which specs with exclusions were in force for which schedules on which days. A schedule has one spec on a day: the
 * newest one that came into force before the day ended by the clock of that spec. So an edit counts for the day on
 * which it is made, and no day counts twice or left out when an edit changes the zone. A schedule that is paused when
 * the day ends has none: it is kept from running by its pause.
 */
import type { Instant } from '../../base/time.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import { findZone } from '../../spec/index.ts';
import { localDay } from './bin-edges.ts';
import type { SearchedSpec } from './exclusion-days.ts';
import type { FleetSpecs, SpecGroup } from './fleet-specs.ts';
import type { PastSpec } from './known-changes.ts';
import type { KnownPast } from './past-changes.ts';

/** A spec that is in force, or one that was. */
type Version = PastSpec | (Pick<PastSpec, 'key' | 'zone' | 'hasExclusions'> & Pick<SpecGroup, 'definition'>);

export interface SpecDays {
  readonly version: Version;
  readonly stretches: readonly DayStretch[];
}

/** Days of one schedule as local midnights, as if they were UTC. */
export interface DayStretch {
  readonly id: string;
  readonly first: number;
  /** The first day that does not belong to it. */
  readonly end: number;
}

export interface SchedulePause {
  readonly id: string;
  readonly from: Instant;
  /** Null: until a person resumes. */
  readonly to: Instant | null;
}

export interface SpecDaysMaterial {
  readonly fleet: FleetSpecs;
  readonly changes: KnownPast['changes'];
  readonly pauses: readonly SchedulePause[];
  /** Days that ended before this are not asked for. */
  readonly from: Instant;
}

/** What is in force today comes first, then what changed last. */
export function specsByDay({ fleet, changes, pauses, from }: SpecDaysMaterial): readonly SpecDays[] {
  const found = new Map<string, SpecDays & { readonly stretches: DayStretch[]; last: number }>();
  const pausesOf = new Map<string, SchedulePause[]>();
  for (const pause of pauses) pausesOf.set(pause.id, [...(pausesOf.get(pause.id) ?? []), pause]);
  const dayOf = (at: number, zone: string | undefined) =>
    at < from ? Number.NEGATIVE_INFINITY : localDay(at, findZone(zone ?? 'UTC'));

  const add = (version: Version, stretch: DayStretch) => {
    const days = found.get(version.key) ?? { version, stretches: [], last: stretch.end };
    found.set(version.key, days);
    days.stretches.push(stretch);
    days.last = Math.max(days.last, stretch.end);
  };
  const addVersion = (version: Version, { id, first, end }: DayStretch) => {
    if (!version.hasExclusions || first >= end) return;
    const { zone } = version;
    const holes = pausesOf.get(id)?.map((pause) => ({
      first: dayOf(pause.from, zone),
      end: pause.to === null ? Number.POSITIVE_INFINITY : dayOf(pause.to, zone),
    }));
    if (holes === undefined) add(version, { id, first, end });
    else for (const part of without({ first, end }, holes)) add(version, { id, ...part });
  };
  const addSchedule = (id: string, createdAt: Instant, current: Version) => {
    let version = current;
    let end = Number.POSITIVE_INFINITY;
    for (const { at, zoneAfter, before } of changes.get(id) ?? []) {
      // What is older belongs to another schedule of that name.
      if (at < createdAt) break;
      const first = dayOf(at, zoneAfter);
      addVersion(version, { id, first, end });
      end = Math.min(end, first);
      version = before;
    }
    addVersion(version, { id, first: dayOf(createdAt, version.zone), end });
  };

  for (const group of fleet.groups) {
    const version = inForce(group);
    for (const [place, id] of group.ids.entries()) {
      if (version.hasExclusions || changes.has(id)) {
        addSchedule(id, group.createdAt[place] as Instant, version);
      }
    }
  }
  for (const paused of fleet.paused) addSchedule(paused.id, paused.createdAt, inForce(paused));
  return [...found.values()].sort((a, b) => (a.last === b.last ? 0 : a.last > b.last ? -1 : 1));
}

export function readSpec(version: Version): SearchedSpec {
  if ('definition' in version) return version.definition;
  const { text, seed } = version;
  return { spec: JSON.parse(text) as ScheduleSpec, seed };
}

function inForce({ key, definition }: Pick<SpecGroup, 'key' | 'definition'>): Version {
  const { zone, exclude } = definition.spec;
  return { key, zone, hasExclusions: exclude !== undefined, definition };
}

type DayRange = Omit<DayStretch, 'id'>;

/** The parts of a range of days that none of the others covers. */
function without(range: DayRange, others: readonly DayRange[]): readonly DayRange[] {
  let parts = [range];
  for (const other of others.filter(isSome)) {
    parts = parts
      .flatMap((part) => [
        { first: part.first, end: Math.min(part.end, other.first) },
        { first: Math.max(part.first, other.end), end: part.end },
      ])
      .filter(isSome);
  }
  return parts;
}

function isSome({ first, end }: DayRange): boolean {
  return first < end;
}
