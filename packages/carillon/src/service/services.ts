/**
 * The port for doors: all use cases as one value. A door translates between its protocol and these calls; it uses no
 * store, engine or component.
 */
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { version } from '../base/version.ts';
import type { Archetype } from '../runtime/archetype.ts';
import type { Nodes } from '../runtime/nodes.ts';
import type { RetentionPolicy } from '../runtime/retention-policy.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Silences } from '../runtime/silences.ts';
import { AttributeRegistry } from './attribute-registry.ts';
import { AuditService } from './audit-service.ts';
import { BackupService } from './backup-service.ts';
import { BatchJobs } from './batch-jobs.ts';
import { ClusterEvents } from './cluster-events.ts';
import { ClusterId } from './cluster-id.ts';
import { NodeEvents } from './events.ts';
import { Fleet } from './fleet.ts';
import { Hold } from './hold.ts';
import { hosts } from './hosts/host-archetype.ts';
import { HostEvents } from './hosts/host-events.ts';
import type { HostService } from './hosts/host-service.ts';
import { Insight } from './insight/insight.ts';
import { SlotTally } from './insight/slot-tally.ts';
import { Namespaces } from './namespaces.ts';
import { RunSearch } from './run-search/run-search.ts';
import { RunService } from './run-service.ts';
import { SavedViews } from './saved-views.ts';
import { schedules } from './schedule-archetype.ts';
import type { ScheduleService } from './schedule-service.ts';
import { StoredKeys } from './stored-keys.ts';
import { WorkerService } from './workers/worker-service.ts';
import { WriteProof } from './write-proof.ts';

export interface Services {
  readonly schedules: ScheduleService;
  readonly runs: RunService;
  /** Workflows on hosts. */
  readonly hosts: HostService;
  readonly hostEvents: HostEvents;
  /** Searches of runs by a filter, and waits for their end. */
  readonly runSearch: RunSearch;
  /** The protocol of workers outside the nodes: claims, heartbeats, reports. */
  readonly workers: WorkerService;
  /** Jobs that change many runs one by one. */
  readonly batches: BatchJobs;
  readonly audit: AuditService;
  readonly backups: BackupService;
  readonly nodes: Pick<Nodes, 'list'>;
  /** The spans of time in which no node was alive. */
  readonly silences: Pick<Silences, 'list'>;
  readonly namespaces: Namespaces;
  /** The custom search attributes of each namespace. */
  readonly attributes: AttributeRegistry;
  readonly events: NodeEvents;
  readonly fleet: Fleet;
  /** The switch that holds all schedules of a namespace. */
  readonly hold: Hold;
  /** Events of all processes of the store. The Carillon starts and stops it. */
  readonly clusterEvents: Service & Pick<ClusterEvents, 'subscribe'>;
  /** What pages read besides schedules and runs themselves. */
  readonly insight: Insight;
  /** Counts over time, for `insight.series`. The server starts and stops it. */
  readonly tally: Service & Pick<SlotTally, 'add' | 'flush'>;
  /** Named queries. */
  readonly views: SavedViews;
  /** API keys that were made while the server runs. */
  readonly keys: StoredKeys;
  readonly cluster: Pick<ClusterId, 'get'>;
  readonly about: About;
  /** The retention policy: as it was given, and as it is in force with the defaults. */
  readonly retention: { readonly given: Partial<RetentionPolicy>; readonly inForce: RetentionPolicy };
  readonly now: () => Instant;
  /** Rejects when the store does not answer or accepts no writes. */
  readonly check: () => Promise<void>;
  /** The use cases of a further archetype that the runtime was given. */
  of<S>(archetype: Archetype<S>): S;
}

/** What a client may need to know about a server first. */
export interface About {
  readonly version: string;
  /** The kind of store, for example `sqlite`. */
  readonly store: string;
}

export function openServices(runtime: Runtime): Services {
  const { engine, store, clock, newId, nodes, silences } = runtime;
  const writeProof = new WriteProof({ store, clock, newId });
  const events = new NodeEvents(runtime);
  const tally = new SlotTally({
    store,
    clock,
    newId,
    subscribe: (listener) => events.subscribe(listener),
    trouble: (error) => runtime.report(error),
  });
  return {
    insight: new Insight({
      ...{ store, engine, clock, silences, tally },
      schedules: runtime.of(schedules),
      auditKeptMs: runtime.retention.inForce.audit,
    }),
    tally,
    views: new SavedViews({ store, newId }),
    keys: new StoredKeys({ store, newId }),
    schedules: runtime.of(schedules),
    runs: new RunService({ engine, newId }),
    hosts: runtime.of(hosts),
    hostEvents: new HostEvents(runtime),
    runSearch: new RunSearch({ store, clock }),
    workers: new WorkerService({
      store,
      queue: runtime.runs,
      clock,
      records: runtime.workers,
      examineRunsBy: (at) => runtime.examineRunsBy(at),
      adjustLeasesToClock: () => runtime.adjustLeasesToClock(),
      trouble: (error) => runtime.report(error),
    }),
    batches: new BatchJobs({ store, clock, newId, trouble: (error) => runtime.report(error) }),
    audit: new AuditService(store),
    backups: new BackupService({ store, newId }),
    nodes,
    silences,
    namespaces: new Namespaces({ store, clock, newId, archetypes: engine.archetypes }),
    attributes: new AttributeRegistry({ store, clock, newId }),
    events,
    clusterEvents: new ClusterEvents({
      store,
      clock,
      events,
      name: runtime.name,
      newId,
      trouble: (error) => runtime.report(error),
    }),
    fleet: new Fleet(store),
    hold: new Hold({ store, newId }),
    cluster: new ClusterId({ store, newId }),
    about: { version, store: store.name },
    retention: runtime.retention,
    now: () => clock.now(),
    check: () => writeProof.demand(),
    of: (archetype) => runtime.of(archetype),
  };
}
