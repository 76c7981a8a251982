/** The procedures by which clients and the Web UI read information about the server. */
import type { Services } from 'carillon/internal/service';
import type { Methods } from './method.ts';
import { clusterName } from './namespaces/methods.ts';

export type SystemDeps = Pick<Services, 'about' | 'cluster'>;

/** The Temporal release whose behaviour this door follows; the Web UI decides by it which pages to show. */
const followed = '1.32.0';

/** The client versions that the server accepts; every version that speaks this API is accepted. */
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
        // INTERNAL always comes from this server and not from the transport, so clients need not retry.
        internalErrorDifferentiation: true,
        countGroupByExecutionStatus: true,
        // Core warns at every start of a worker without it.
        activityFailureIncludeHeartbeat: true,
      },
    }),

    GetClusterInfo: async () => ({
      supportedClients,
      serverVersion,
      clusterId: await cluster.get(),
      clusterName,
      historyShardCount: 1,
      persistenceStore: about.store,
      visibilityStore: about.store,
    }),
  };
}
