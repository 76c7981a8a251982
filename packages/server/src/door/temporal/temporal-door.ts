/** The Temporal door, put together: which procedures it has, and the services they are made of. */
import type { Clock } from 'carillon/internal/base';
import type { RunService, ScheduleService } from 'carillon/internal/service';
import type { Store } from 'carillon/internal/store';
import type { GrpcDoorOptions } from './grpc-door.ts';
import { GrpcDoor } from './grpc-door.ts';
import { Health } from './health.ts';
import { namespaceMethods } from './namespaces/methods.ts';
import { Namespaces } from './namespaces/namespaces.ts';
import { scheduleMethods } from './schedule-methods.ts';
import { operatorMethods, searchAttributeMethods } from './search-attributes/methods.ts';
import { AttributeRegistry } from './search-attributes/registry.ts';
import { systemMethods } from './system-methods.ts';
import { workflowMethods } from './workflows/methods.ts';

export interface TemporalDoorOptions extends Pick<GrpcDoorOptions, 'admit' | 'answered' | 'tls'> {
  readonly services: { readonly schedules: ScheduleService; readonly runs: RunService };
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly newRequestId: () => string;
  /** Of Carillon. */
  readonly version: string;
}

const workflowService = 'temporal.api.workflowservice.v1.WorkflowService';
const operatorService = 'temporal.api.operatorservice.v1.OperatorService';

export function temporalDoor(options: TemporalDoorOptions): GrpcDoor {
  const { services, store, clock, newId, version } = options;
  const namespaces = new Namespaces({ store, clock, newId });
  const attributes = new AttributeRegistry({ store, clock, newId });
  const { admit, answered, tls } = options;
  const health = new Health([workflowService, operatorService]);
  const leaving = new AbortController();
  health.watch('', { write: () => {}, end: () => leaving.abort() });
  return new GrpcDoor({
    clock,
    newId: options.newRequestId,
    admit,
    health,
    services: {
      [workflowService]: {
        ...systemMethods({ store, newId, version }),
        ...namespaceMethods({ namespaces }),
        ...searchAttributeMethods({ namespaces, attributes }),
        ...scheduleMethods({ schedules: services.schedules, namespaces, attributes }),
        ...workflowMethods({
          store,
          clock,
          runs: services.runs,
          namespaces,
          attributes,
          leaving: leaving.signal,
        }),
      },
      [operatorService]: operatorMethods({ namespaces, attributes }),
    },
    ...(answered === undefined ? {} : { answered }),
    ...(tls === undefined ? {} : { tls }),
  });
}
