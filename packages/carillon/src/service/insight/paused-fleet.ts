/**
 * The paused schedules of a namespace, for counts over all of them: since when their slots have no row in the ledger, and by
 * which spec those come. Only schedules that were changed since the last question are read.
 */
import type { Instant } from '../../base/time.ts';
import { readDocument } from '../../engine/document.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { Generator } from '../../scheduler/generator.ts';
import type { ListedExecution } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { keyOf } from '../schedule-reads.ts';
import { unreadableBy } from '../unreadable.ts';
import type { FleetEntry } from './fleet-index.ts';
import { definitionsOf, specKey } from './fleet-specs.ts';

/** Paused schedules with the same times. */
export interface PausedGroup {
  readonly definition: ScheduleDefinition;
  /** For each of them: its slots after this time have no row. In order. */
  readonly since: readonly Instant[];
}

interface Known {
  readonly version: number;
  readonly key: string;
  readonly definition: ScheduleDefinition;
  readonly since: Instant;
}

interface Fleet {
  readonly known: ReadonlyMap<string, Known | undefined>;
  readonly groups: readonly PausedGroup[];
}

const readAtOnce = 500;

export class PausedFleet {
  readonly #store: Store;
  readonly #known = new Map<string, Fleet>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The same object as long as nothing has changed. */
  async of(namespace: string, entries: readonly FleetEntry[]): Promise<readonly PausedGroup[]> {
    const before = this.#known.get(namespace);
    const known = new Map<string, Known | undefined>();
    const changed: FleetEntry[] = [];
    for (const entry of entries) {
      // No verdict is known of a schedule in quarantine.
      if (!entry.isPaused || entry.incident !== null) continue;
      const earlier = before?.known.get(entry.incarnation);
      if (earlier?.version === entry.version) known.set(entry.incarnation, earlier);
      else changed.push(entry);
    }
    if (before !== undefined && changed.length === 0 && known.size === before.known.size)
      return before.groups;
    for (let from = 0; from < changed.length; from += readAtOnce) {
      const keys = changed.slice(from, from + readAtOnce).map(({ id }) => keyOf({ namespace, id }));
      const rows = await this.#store.read({ keys });
      const definitions = await definitionsOf(this.#store, rows);
      for (const [index, row] of rows.entries()) known.set(row.incarnation, knownOf(row, definitions[index]));
    }
    const groups = groupsOf(known.values());
    this.#known.set(namespace, { known, groups });
    return groups;
  }
}

/** Undefined when the schedule was resumed meanwhile, or cannot be read. */
function knownOf(row: ListedExecution, definition: ScheduleDefinition | undefined): Known | undefined {
  if (definition === undefined || definition.paused === null || row.status === 'closed') return undefined;
  try {
    const node = readDocument(row.state).c[Generator.name];
    if (node === undefined) return undefined;
    const [packed, version] = node;
    const { cursor } =
      version === Generator.version ? Generator.packing.unpack(packed) : Generator.upgrade(packed, version);
    const since = Math.max(cursor, definition.paused.at) as Instant;
    return { version: row.version, key: specKey(definition), definition, since };
  } catch (error) {
    if (unreadableBy(error) === undefined) throw error;
    return undefined;
  }
}

function groupsOf(known: Iterable<Known | undefined>): readonly PausedGroup[] {
  const groups = new Map<string, { readonly definition: ScheduleDefinition; readonly since: Instant[] }>();
  for (const each of known) {
    if (each === undefined) continue;
    const group = groups.get(each.key) ?? { definition: each.definition, since: [] };
    groups.set(each.key, group);
    group.since.push(each.since);
  }
  for (const { since } of groups.values()) since.sort((a, b) => a - b);
  return [...groups.values()];
}
