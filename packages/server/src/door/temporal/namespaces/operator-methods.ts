/** The OperatorService's procedures about namespaces, clusters and Nexus endpoints. */
import type { Services } from 'carillon/internal/service';
import { largestPage } from 'carillon/internal/service';
import { demandAccess } from '../../access.ts';
import { changedBy } from '../changed-by.ts';
import type { Call, Methods } from '../method.ts';
import { originDoor } from '../origin.ts';
import { clusterName } from './methods.ts';

export type OperatorDeps = Pick<Services, 'namespaces' | 'schedules' | 'runs' | 'cluster'>;

interface DeleteRequest {
  readonly namespace: string;
  readonly namespaceId: string;
}

/** The number of concurrent changes. */
const atOnce = 20;

export function namespaceOperatorMethods(deps: OperatorDeps): Methods {
  const { namespaces, cluster } = deps;
  return {
    /** Ends everything in the namespace, then removes the namespace. Finished runs stay until retention removes them. */
    DeleteNamespace: async (request: DeleteRequest, call) => {
      const { namespace: asked, namespaceId } = request;
      const { name, id } =
        asked === '' ? await namespaces.requireById(namespaceId) : await namespaces.require(asked);
      demandAccess(call.identity, 'admin', name);
      namespaces.demandRemovable(name);
      await endAll(deps, name, call);
      await namespaces.remove(name, changedBy(call, 'delete'));
      return { deletedNamespace: `${name}-deleted-${id.slice(0, 5)}` };
    },

    ListClusters: async () => ({
      clusters: [
        {
          clusterName,
          clusterId: await cluster.get(),
          initialFailoverVersion: 1,
          historyShardCount: 1,
          isConnectionEnabled: true,
        },
      ],
    }),

    ListNexusEndpoints: async () => ({}),
  };
}

async function endAll(
  { schedules, runs }: OperatorDeps,
  namespace: string,
  { identity }: Call,
): Promise<void> {
  const by = { actor: identity.actor, door: originDoor };
  for (;;) {
    const { items } = await schedules.list({ namespace, limit: largestPage });
    if (items.length === 0) break;
    await inPieces(items, ({ id }) => schedules.delete({ namespace, id }, by));
  }
  for (;;) {
    const { items } = await runs.list({ namespace, states: ['waiting', 'leased'], limit: largestPage });
    if (items.length === 0) return;
    await inPieces(items, ({ id }) => runs.terminate({ namespace, id }, 'the namespace was deleted', by));
  }
}

async function inPieces<T>(items: readonly T[], change: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    await Promise.all(items.slice(from, from + atOnce).map(change));
  }
}
