/**
 * The definitions of all schedules of a namespace that will act again, with equal specs joined where equal actions are left: most fleets have few
 * different specs, and what is computed from a spec alone is computed once for all schedules that share it. Paused schedules
 * are kept apart, with their pauses.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { readDocument, readRoot } from '../../engine/document.ts';
import { readStamp } from '../../engine/history.ts';
import type { Pause, ScheduleDefinition } from '../../scheduler/definition.ts';
import { Definition } from '../../scheduler/definition.ts';
import { scheduleArchetype } from '../../scheduler/library.ts';
import { Schedule } from '../../scheduler/schedule.ts';
import type { ListedExecution, PartRef } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { unreadableBy } from '../unreadable.ts';

export interface SpecGroup {
  /** Equal for specs with equal times. */
  readonly key: string;
  readonly definition: ScheduleDefinition;
  readonly ids: readonly string[];
  /** When each of them was created. */
  readonly createdAt: readonly Instant[];
  /** What the jitter of each of them is drawn from. */
  readonly seeds: readonly string[];
  /** The actions that each of them has left; null: unlimited. */
  readonly remaining: number | null;
  /** Their pause ends by itself, so they start from this time on; absent: they are not paused. */
  readonly from?: Instant;
}

export interface PausedSchedule extends Pause, Pick<SpecGroup, 'key' | 'definition'> {
  readonly id: string;
  readonly createdAt: Instant;
}

export interface FleetSpecs {
  readonly groups: readonly SpecGroup[];
  readonly paused: readonly PausedSchedule[];
  /** The paused schedules whose pause ends by itself. */
  readonly resuming: readonly SpecGroup[];
  /** The schedules in all groups, also those that resume. */
  readonly schedules: number;
  /** Whether there are more schedules than were read. */
  readonly truncated: boolean;
}

interface GrowingGroup extends SpecGroup {
  readonly ids: string[];
  readonly createdAt: Instant[];
  readonly seeds: string[];
}

const pageSize = 500;
/** The most schedules that one answer reads. */
const mostSchedules = 100_000;

export async function readFleetSpecs(store: Store, namespace: string): Promise<FleetSpecs> {
  const groups = new Map<string, GrowingGroup>();
  const resuming = new Map<string, GrowingGroup>();
  /** One definition for each key, so that no other stays in memory. */
  const shared = new Map<string, ScheduleDefinition>();
  const paused: PausedSchedule[] = [];
  let seen = 0;
  let after: string | null | undefined;
  while (after !== null && seen < mostSchedules) {
    const page = await store.list({
      namespace,
      archetype: scheduleArchetype,
      status: 'open',
      quarantined: false,
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    // A filter of the store would walk over more rows than a page has.
    const rows = page.items.filter(({ signals }) => signals.$ended === undefined);
    const definitions = await definitionsOf(store, rows);
    for (const [index, read] of definitions.entries()) {
      if (read === undefined) continue;
      const { createdAt, ...row } = rows[index] as ListedExecution;
      const { id } = row.key;
      const key = specKey(read);
      const definition = shared.get(key) ?? read;
      shared.set(key, definition);
      seen += 1;
      if (read.paused !== null) paused.push({ id, createdAt, key, definition, ...read.paused });
      const until = read.paused?.until;
      if (read.paused !== null && until === undefined) continue;
      const remaining = remainingOf(rows[index] as ListedExecution);
      const place = `${remaining ?? ''} ${until ?? ''} ${key}`;
      const group = (until === undefined ? groups : resuming).get(place) ?? {
        key,
        definition,
        remaining,
        // A slot at the end of the pause is still one of it.
        ...(until === undefined ? {} : { from: addTime(until, 1) }),
        ids: [],
        createdAt: [],
        seeds: [],
      };
      (until === undefined ? groups : resuming).set(place, group);
      group.ids.push(id);
      group.seeds.push(read.seed);
      group.createdAt.push(createdAt);
    }
    after = page.next;
  }
  return {
    groups: [...groups.values()],
    paused,
    resuming: [...resuming.values()],
    schedules: sizeOf([...groups.values(), ...resuming.values()]),
    truncated: after !== null,
  };
}

/** The part of a fleet whose ids are among the given ones. */
export function fleetOf(fleet: FleetSpecs, ids: ReadonlySet<string>): FleetSpecs {
  const groups = fleet.groups.flatMap((group) => partOf(group, ids));
  const resuming = fleet.resuming.flatMap((group) => partOf(group, ids));
  return {
    ...fleet,
    groups,
    resuming,
    paused: fleet.paused.filter(({ id }) => ids.has(id)),
    schedules: sizeOf([...groups, ...resuming]),
  };
}

function partOf(group: SpecGroup, ids: ReadonlySet<string>): readonly SpecGroup[] {
  const places = group.ids.flatMap((id, place) => (ids.has(id) ? [place] : []));
  if (places.length === 0) return [];
  const part = {
    ...group,
    ids: places.map((place) => group.ids[place] as string),
    createdAt: places.map((place) => group.createdAt[place] as Instant),
    seeds: places.map((place) => group.seeds[place] as string),
  };
  return [part];
}

function sizeOf(groups: readonly SpecGroup[]): number {
  return groups.reduce((size, { ids }) => size + ids.length, 0);
}

/** The definitions of rows, all in one read; undefined for a row that cannot be read. */
export async function definitionsOf(
  store: Store,
  rows: readonly ListedExecution[],
): Promise<readonly (ScheduleDefinition | undefined)[]> {
  const refs = rows.map(definitionRef);
  const parts = await store.parts({ refs: refs.filter((ref) => ref !== undefined) });
  const byIncarnation = new Map(parts.map((part) => [part.incarnation, part.data]));
  return rows.map(({ incarnation }) => {
    const data = byIncarnation.get(incarnation);
    return data === undefined ? undefined : readable(() => readStamp(Definition, data));
  });
}

/** The part of the definition in force, which the row names by its stamp. */
function definitionRef({ incarnation, state }: ListedExecution): PartRef | undefined {
  const stamp = readable(() => readDocument(state).c[Definition.name]?.[3]);
  return stamp === undefined ? undefined : { incarnation, name: Definition.name, stamp };
}

function remainingOf({ state }: ListedExecution): number | null {
  return readable(() => readRoot(Schedule, state)?.remaining) ?? null;
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (unreadableBy(error) === undefined) throw error;
    return undefined;
  }
}

/** The seed matters only where nominal times come from it, as those of `H` do; a group with jitter has the seed of each member. */
export function specKey({ spec, seed }: Pick<ScheduleDefinition, 'spec' | 'seed'>): string {
  const text = JSON.stringify(spec);
  return /\bH\b/.test(text) ? `${text} ${seed}` : text;
}
