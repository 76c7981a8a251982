/**
 * The definitions of all schedules of a namespace that will act again, with equal specs joined: most fleets have few
 * different specs, and what is computed from a spec alone is computed once for all schedules that share it.
 */
import { readDocument } from '../../engine/document.ts';
import { readStamp } from '../../engine/history.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { Definition } from '../../scheduler/definition.ts';
import { scheduleArchetype } from '../../scheduler/library.ts';
import type { ListedExecution, PartRef } from '../../store/records.ts';
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

export async function readFleetSpecs(store: Store, namespace: string): Promise<FleetSpecs> {
  const groups = new Map<string, { readonly definition: ScheduleDefinition; readonly ids: string[] }>();
  let schedules = 0;
  let after: string | null | undefined;
  while (after !== null && schedules < mostSchedules) {
    const page = await store.list({
      namespace,
      archetype: scheduleArchetype,
      status: 'open',
      quarantined: false,
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    // A filter of the store would walk over more rows than a page has.
    const rows = page.items.filter(willAct);
    const definitions = await definitionsOf(store, rows);
    for (const [index, definition] of definitions.entries()) {
      if (definition === undefined) continue;
      const id = rows[index]?.key.id as string;
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

function willAct({ attributes, signals }: ListedExecution): boolean {
  return attributes.$paused !== true && signals.$ended === undefined;
}

/** The definitions of rows, all in one read; undefined for a row that cannot be read. */
async function definitionsOf(
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

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (unreadableBy(error) === undefined) throw error;
    return undefined;
  }
}

/** The seed matters only where times are spread by it: jitter is shorter than a bin, `H` is not. */
function groupKey({ spec, seed }: ScheduleDefinition): string {
  const text = JSON.stringify(spec);
  return /\bH\b/.test(text) ? `${text} ${seed}` : text;
}
