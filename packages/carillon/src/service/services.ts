/**
 * The port that doors are made of: every use case there is, as one value. A door translates between its wire and these
 * calls; it knows no store, no engine and no component.
 */
import type { Instant } from '../base/time.ts';
import { version } from '../base/version.ts';
import type { Engine } from '../engine/engine.ts';
import { AttributeRegistry } from './attribute-registry.ts';
import { AuditService } from './audit-service.ts';
import { BackupService } from './backup-service.ts';
import { ClusterId } from './cluster-id.ts';
import { Namespaces } from './namespaces.ts';
import type { Nodes } from './nodes.ts';
import { RunSearch } from './run-search/run-search.ts';
import { RunService } from './run-service.ts';
import type { ScheduleService } from './schedule-service.ts';

export interface Services {
  readonly schedules: ScheduleService;
  readonly runs: RunService;
  /** Runs by a filter, and the wait for their end. */
  readonly runSearch: RunSearch;
  readonly audit: AuditService;
  readonly backups: BackupService;
  readonly nodes: Pick<Nodes, 'list'>;
  readonly namespaces: Namespaces;
  /** The custom search attributes of each namespace. */
  readonly attributes: AttributeRegistry;
  readonly cluster: Pick<ClusterId, 'get'>;
  readonly about: About;
  now(): Instant;
}

/** What a client may want to know of a server before anything else. */
export interface About {
  readonly version: string;
  /** The kind of store, for example `sqlite`. */
  readonly store: string;
}

export interface ServicesParts {
  readonly engine: Engine;
  readonly newId: () => string;
  readonly schedules: ScheduleService;
  readonly nodes: Nodes;
}

export function openServices({ engine, newId, schedules, nodes }: ServicesParts): Services {
  const { store, clock } = engine;
  return {
    schedules,
    runs: new RunService({ engine, newId }),
    runSearch: new RunSearch({ store, clock }),
    audit: new AuditService(store),
    backups: new BackupService({ store, newId }),
    nodes,
    namespaces: new Namespaces({ store, clock, newId }),
    attributes: new AttributeRegistry({ store, clock, newId }),
    cluster: new ClusterId({ store, newId }),
    about: { version, store: store.name },
    now: () => clock.now(),
  };
}
