/**
 * The definition under which each run was started: the version of its schedule that was in force at that time, read
 * through its upgrade. It is found by time: a change in the same millisecond as a start counts as earlier. Runs
 * without a schedule, and versions that retention has removed, have no definition.
 */
import { nextTurn } from '../../base/next-turn.ts';
import { readStamp } from '../../engine/history.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { Definition } from '../../scheduler/definition.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/** The definitions by run id. Runs of one version share one object. */
export async function definitionsOf(
  store: Store,
  runs: readonly RunRow[],
): Promise<ReadonlyMap<string, ScheduleDefinition>> {
  const found = new Map<string, ScheduleDefinition>();
  for (const [incarnation, own] of byOwner(runs)) {
    const versions = await store.parts({ incarnation, name: Definition.name });
    const read = new Map<number, ScheduleDefinition>();
    for (const run of own) {
      const version = versions.findLast(({ at }) => at <= run.createdAt);
      if (version === undefined) continue;
      const definition = read.get(version.stamp) ?? readStamp(Definition, version.data);
      read.set(version.stamp, definition);
      found.set(run.id, definition);
    }
    // Definitions may be large, and every run may have another owner, so other work gets a turn in between.
    await nextTurn();
  }
  return found;
}

function byOwner(runs: readonly RunRow[]): ReadonlyMap<string, readonly RunRow[]> {
  const owners = new Map<string, RunRow[]>();
  for (const run of runs) {
    if (run.owner === null) continue;
    const own = owners.get(run.owner);
    if (own === undefined) owners.set(run.owner, [run]);
    else own.push(run);
  }
  return owners;
}
