/** The archetype of workflows on hosts for a runtime. */
import type { Host } from '../../host/host.ts';
import { hostArchetype, hostLibrary } from '../../host/library.ts';
import type { Archetype } from '../../runtime/archetype.ts';
import { HostService } from './host-service.ts';

export const hosts: Archetype<HostService, typeof Host> = {
  name: hostArchetype,
  library: () => hostLibrary(),
  queues: (runtime) => runtime.of(hosts).queues(),
  starting: (runtime) => runtime.of(hosts).deploy(),
  services: ({ engine, store, clock, runs: queue, newId }) =>
    new HostService({ engine, store, clock, queue, newId }),
};
