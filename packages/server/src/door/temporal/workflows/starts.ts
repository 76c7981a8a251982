/**
 * How workflows were asked for: the action, in the client's own bytes, of the version of the schedule that started them.
 * Found by the time of the start; nothing is found for schedules made through other doors, and for versions that
 * retention has taken.
 */
import { nextTurn } from 'carillon/internal/base';
import type { ScheduleDefinition } from 'carillon/internal/scheduler';
import { Definition } from 'carillon/internal/scheduler';
import type { RunRow, Store } from 'carillon/internal/store';
import { contentOf } from '../fields.ts';
import { originDoor } from '../origin.ts';
import type { WorkflowStart } from '../protocol.ts';
import { decode, workflowStartType } from '../protocol.ts';

/** By run id. */
export async function startsOf(
  store: Store,
  runs: readonly RunRow[],
): Promise<ReadonlyMap<string, WorkflowStart>> {
  const found = new Map<string, WorkflowStart>();
  for (const [incarnation, own] of byOwner(runs)) {
    const versions = await store.parts({ incarnation, name: Definition.name });
    const read = new Map<number, WorkflowStart | undefined>();
    for (const run of own) {
      const version = versions.findLast(({ at }) => at <= run.createdAt);
      if (version === undefined) continue;
      const { stamp, data } = version;
      if (!read.has(stamp)) read.set(stamp, startOf(JSON.parse(data) as ScheduleDefinition));
      const start = read.get(stamp);
      if (start !== undefined) found.set(run.id, start);
    }
    // Definitions may be large, and there may be as many owners as runs.
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

/** The field of a `ScheduleAction` that says which workflow to start. */
const startWorkflow = 1;

function startOf({ origin }: ScheduleDefinition): WorkflowStart | undefined {
  const action = origin?.door === originDoor ? origin.data.action : undefined;
  const bytes = action === undefined ? undefined : contentOf(Buffer.from(action, 'base64'), startWorkflow);
  return bytes === undefined ? undefined : decode<WorkflowStart>(workflowStartType, bytes);
}
