/** What clients and the Web UI ask about the server itself. */
import type { Services } from 'carillon/internal/service';
import type { Methods } from './method.ts';
import { clusterName } from './namespaces/methods.ts';

export type SystemDeps = Pick<Services, 'about' | 'cluster'>;

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

export function systemMethods({ about, cluster }: SystemDeps): Methods {
  const serverVersion = `${followed}+carillon-${about.version}`;
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
      clusterId: await cluster.get(),
      clusterName,
      versionInfo: { current: { version: serverVersion, notes: '' } },
      historyShardCount: 1,
      persistenceStore: about.store,
      visibilityStore: about.store,
    }),
  };
}
