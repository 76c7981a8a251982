/** The queries of the run table that together cover a narrowed search; no run is in two of them. */
import { scheduleArchetype } from '../../scheduler/library.ts';
import type { RunQuery, Store } from '../../store/store.ts';
import type { Narrowing } from './narrowing.ts';

export interface RunSource {
  /** The name of the source within its search; it stays the same on later pages. */
  readonly key: string;
  readonly query: Omit<RunQuery, 'after' | 'limit'>;
}

const pageSize = 1000;

export async function sourcesOf(
  store: Store,
  namespace: string,
  narrowing: Narrowing,
): Promise<readonly RunSource[]> {
  const { isEmpty, ...rest } = narrowing;
  if (isEmpty === true) return [];
  const found = await narrowed(store, namespace, narrowing);
  if (rest.states !== undefined || rest.outcomes !== undefined) return found;
  // Unfinished runs come first, as they do in Temporal.
  return [
    ...found.map(({ key, query }) => ({ key: `open/${key}`, query: { ...query, states: unfinished } })),
    ...found.map(({ key, query }) => ({ key: `done/${key}`, query: { ...query, states: finished } })),
  ];
}

const unfinished = ['waiting', 'leased'] as const;
const finished = ['done'] as const;

async function narrowed(
  store: Store,
  namespace: string,
  narrowing: Narrowing,
): Promise<readonly RunSource[]> {
  const { runIds, workflowIds, scheduleIds, isEmpty: _, ...rest } = narrowing;
  const query = { namespace, ...rest };
  if (runIds !== undefined) return [{ key: 'ids', query: { ...query, ids: runIds } }];
  if (scheduleIds !== undefined) {
    const owners = await incarnationsOf(store, namespace, scheduleIds);
    return owners.map((owner) => ({ key: owner, query: { ...query, owner } }));
  }
  if (workflowIds !== undefined) {
    return workflowIds.map((alias) => ({ key: alias, query: { ...query, alias } }));
  }
  return [{ key: 'all', query }];
}

/** Every stored incarnation of these schedules, including closed ones; the newest comes first. */
async function incarnationsOf(
  store: Store,
  namespace: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found: { readonly incarnation: string; readonly createdAt: number }[] = [];
  let after: string | null = null;
  do {
    const page = await store.list({
      namespace,
      archetype: scheduleArchetype,
      filter: { field: 'id', is: 'in', values: ids },
      limit: pageSize,
      ...(after === null ? {} : { after }),
    });
    found.push(...page.items);
    after = page.next;
  } while (after !== null);
  return found.sort((a, b) => b.createdAt - a.createdAt).map(({ incarnation }) => incarnation);
}
