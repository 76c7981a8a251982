/** Tasks as stored: only the parts of their schedules that the registry needs, so that thousands can be read quickly. */
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { Present } from '../service/declaration.ts';
import { aboutOf } from '../service/schedule-fields.ts';
import type { ListedExecution } from '../store/records.ts';

export interface StoredPeriodicTask extends Present {
  readonly definition: ScheduleDefinition;
  /** The number of jobs so far. */
  readonly actions: number;
  /** Occurrences that may still run; null for no limit. */
  readonly remaining: number | null;
}

export interface UnreadableTask {
  readonly id: string;
  readonly error: unknown;
}

/** Returns undefined when no open schedule has the id. */
export async function storedTask(carillon: Carillon, id: string): Promise<StoredPeriodicTask | undefined> {
  const key = { namespace: carillon.namespace, archetype: scheduleArchetype, id };
  const [row] = await internalsOf(carillon).runtime.store.read({ keys: [key] });
  return row === undefined || row.status === 'closed' ? undefined : await viewTask(carillon, row);
}

const pageSize = 1000;

/** The open schedules of an owner, by id, of any declaration. A schedule that cannot be read does not hide the others. */
export async function storedTasks(
  carillon: Carillon,
  owner: string,
): Promise<{
  readonly tasks: readonly StoredPeriodicTask[];
  readonly unreadable: readonly UnreadableTask[];
}> {
  const tasks: StoredPeriodicTask[] = [];
  const unreadable: UnreadableTask[] = [];
  const { store } = internalsOf(carillon).runtime;
  const canFilter = store.capabilities.filters === 'all';
  let after: string | null = null;
  do {
    const page = await store.list({
      namespace: carillon.namespace,
      archetype: scheduleArchetype,
      status: 'open',
      limit: pageSize,
      ...(canFilter ? { filter: { field: ownerField, is: '=', value: owner } as const } : {}),
      ...(after === null ? {} : { after }),
    });
    for (const row of page.items) {
      if (row.attributes[ownerField] !== owner) continue;
      try {
        tasks.push(await viewTask(carillon, row));
      } catch (error) {
        unreadable.push({ id: row.key.id, error });
      }
    }
    after = page.next;
  } while (after !== null);
  return { tasks, unreadable };
}

async function viewTask(carillon: Carillon, row: ListedExecution): Promise<StoredPeriodicTask> {
  const { engine } = internalsOf(carillon).runtime;
  return await engine.view(Schedule, row, row.key, (view) => {
    const definition = view.child('definition').state;
    const { spec, action, policy } = definition;
    const { token, counters, remaining } = view.state;
    return {
      id: row.key.id,
      definition,
      ...{ spec, action, policy, ...aboutOf(definition) },
      token,
      actions: counters.actions,
      remaining,
    };
  });
}

/** The attribute under which schedules can be found by their owner. */
const ownerField = '$owner';
