/**
 * The definitions of all schedules of a namespace that will act again, with equal specs joined: most fleets have few
 * different specs, and what is computed from a spec alone is computed once for all schedules that share it.
 */
import type { Engine } from '../../engine/engine.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { scheduleArchetype } from '../../scheduler/library.ts';
import { Schedule } from '../../scheduler/schedule.ts';
import type { Store } from '../../store/store.ts';
import { unreadableBy } from '../unreadable.ts';

export interface SpecGroup {
  readonly definition: ScheduleDefinition;
  readonly ids: readonly string[];
}

export interface FleetSpecs {
  readonly groups: readonly SpecGroup[];
  /** The schedules in all groups. */
  readonly schedules: number;
  /** Whether there are more schedules than were read. */
  readonly truncated: boolean;
}

const pageSize = 500;
/** The most schedules that one answer reads. */
const mostSchedules = 100_000;

export async function readFleetSpecs(
  { store, engine }: { readonly store: Store; readonly engine: Engine },
  namespace: string,
): Promise<FleetSpecs> {
  const groups = new Map<string, { readonly definition: ScheduleDefinition; readonly ids: string[] }>();
  let schedules = 0;
  let after: string | null | undefined;
  while (after !== null && schedules < mostSchedules) {
    const page = await store.list({
      namespace,
      archetype: scheduleArchetype,
      status: 'open',
      quarantined: false,
      filter: {
        all: [{ field: '$paused', is: '=', value: false }, { not: { field: '$ended', is: 'present' } }],
      },
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    const definitions = await Promise.all(
      page.items.map(async (row) => {
        try {
          return await engine.view(Schedule, row, row.key, (view) => view.child('definition').state);
        } catch (error) {
          if (unreadableBy(error) === undefined) throw error;
          return undefined;
        }
      }),
    );
    for (const [index, definition] of definitions.entries()) {
      if (definition === undefined) continue;
      const id = page.items[index]?.key.id as string;
      const key = groupKey(definition);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { definition, ids: [id] });
      else group.ids.push(id);
      schedules += 1;
    }
    after = page.next;
  }
  return { groups: [...groups.values()], schedules, truncated: after !== null };
}

/** The seed matters only where times are spread by it: jitter is shorter than a bin, `H` is not. */
function groupKey({ spec, seed }: ScheduleDefinition): string {
  const text = JSON.stringify(spec);
  return /\bH\b/.test(text) ? `${text} ${seed}` : text;
}
