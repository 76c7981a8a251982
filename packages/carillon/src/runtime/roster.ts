/**
 * The living workers and the names that they know: the nodes of the store, this one included, and workers behind doors. It is a
 * snapshot for people and for runs that wait; a worker may come or go at any moment.
 */
import { nearNames } from '../base/near-names.ts';
import type { KnowsRun } from '../runs/lapsed-runs.ts';
import type { WorkerRecords } from '../runs/worker-records.ts';
import type { Nodes } from './nodes.ts';

export type Sought = Parameters<KnowsRun>[0];

export interface Roster {
  /** Whether a living worker knows the name of the run on its queue. */
  readonly knows: KnowsRun;
  /** A known name on the same queue that is written nearly like this one; undefined when there is none. */
  readonly near: (run: Sought) => string | undefined;
}

interface Known {
  /** The namespace of its runs; null: it takes runs of every namespace. */
  readonly namespace: string | null;
  readonly queue: string;
  readonly names: readonly string[] | null;
}

export async function readRoster(
  nodes: Pick<Nodes, 'list'>,
  workers: Pick<WorkerRecords, 'list'>,
): Promise<Roster> {
  const [ofStore, outside] = await Promise.all([nodes.list(), workers.list()]);
  const known: Known[] = [];
  for (const { state, handlers } of ofStore) {
    if (state !== 'alive') continue;
    for (const [queue, names] of Object.entries(handlers)) known.push({ namespace: null, queue, names });
  }
  for (const { state, namespace, queues, names } of outside) {
    if (state === 'silent') continue;
    for (const queue of queues) known.push({ namespace, queue, names });
  }
  const ofQueue = ({ namespace, queue }: Sought) =>
    known.filter((each) => each.queue === queue && (each.namespace ?? namespace) === namespace);
  const namesOf = (run: Sought) => ofQueue(run).flatMap(({ names }) => names ?? []);
  return {
    knows: (run) => ofQueue(run).some(({ names }) => names === null || names.includes(run.name)),
    near: (run) => nearNames(run.name, namesOf(run))[0],
  };
}
