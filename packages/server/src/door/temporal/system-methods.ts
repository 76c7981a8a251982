/** What clients and the Web UI ask about the server itself. */
import { Documents } from 'carillon/internal/service';
import type { Store } from 'carillon/internal/store';
import type { Methods } from './method.ts';
import { clusterName } from './namespaces/methods.ts';
import { defaultNamespace, namespaceId } from './namespaces/namespaces.ts';

export interface SystemDeps {
  readonly store: Store;
  readonly newId: () => string;
  /** Of Carillon. */
  readonly version: string;
}

/** The release whose behaviour this door follows; the Web UI shows pages by it. */
const followed = '1.32.0';

/** What others must be: all that speak this API do. */
const supportedClients = {
  'temporal-cli': '<2.0.0',
  'temporal-dotnet': '<2.0.0',
  'temporal-go': '<2.0.0',
  'temporal-java': '<2.0.0',
  'temporal-php': '<3.0.0',
  'temporal-python': '<2.0.0',
  'temporal-ruby': '<2.0.0',
  'temporal-server': '<2.0.0',
  'temporal-typescript': '<2.0.0',
  'temporal-ui': '<3.0.0',
};

export function systemMethods({ store, newId, version }: SystemDeps): Methods {
  const serverVersion = `${followed}+carillon-${version}`;
  const clusters = new Documents<{ readonly id: string }>({ store, kind: 'cluster', newId });
  let clusterId: string | undefined;
  /** Given once for ever, to whichever node is asked first. */
  const idOfCluster = async (): Promise<string> => {
    clusterId ??= (
      await clusters.change(defaultNamespace, 'cluster', (before) => before ?? { id: namespaceId(newId()) })
    )?.id;
    return clusterId ?? '';
  };
  return {
    GetSystemInfo: async () => ({
      serverVersion,
      capabilities: {
        supportsSchedules: true,
        // Our INTERNAL is no transport's: clients need not try again.
        internalErrorDifferentiation: true,
        countGroupByExecutionStatus: true,
      },
    }),

    GetClusterInfo: async () => ({
      supportedClients,
      serverVersion,
      clusterId: await idOfCluster(),
      clusterName,
      versionInfo: { current: { version: serverVersion, notes: '' } },
      historyShardCount: 1,
      persistenceStore: store.name,
      visibilityStore: store.name,
    }),
  };
}
