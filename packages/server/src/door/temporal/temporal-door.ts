/** Composes the Temporal door: its procedures, and the two transports that serve them. */
import { setMaxListeners } from 'node:events';
import type { Services } from 'carillon/internal/service';
import { activityMethods } from './activities/methods.ts';
import { batchMethods } from './batch/methods.ts';
import type { ClusterTargets } from './cluster-target.ts';
import type { GrpcDoorOptions } from './grpc-door.ts';
import { GrpcDoor } from './grpc-door.ts';
import { Health } from './health.ts';
import type { HttpApiOptions } from './http-api/http-api-door.ts';
import { httpApiDoor } from './http-api/http-api-door.ts';
import type { Methods } from './method.ts';
import { namespaceMethods } from './namespaces/methods.ts';
import { namespaceOperatorMethods } from './namespaces/operator-methods.ts';
import { scheduleMethods } from './schedule-methods.ts';
import { operatorMethods, searchAttributeMethods } from './search-attributes/methods.ts';
import { systemMethods } from './system-methods.ts';
import { taskQueueMethods } from './task-queues/methods.ts';
import { workflowMethods } from './workflows/methods.ts';
import { queryMethods } from './workflows/query-methods.ts';
import { startMethods } from './workflows/start-methods.ts';
import { workflowPollMethods } from './workflows/workflow-polls.ts';

const workflowService = 'temporal.api.workflowservice.v1.WorkflowService';
const operatorService = 'temporal.api.operatorservice.v1.OperatorService';

/** The procedures, once for both transports: workers that wait in one are reached by requests of the other. */
export interface TemporalProcedures {
  /** Tables of procedures by the full name of their service. */
  readonly services: Readonly<Record<string, Methods>>;
  /** Ends the calls that wait for something. */
  leave(): void;
}

export function temporalProcedures(services: Services, targets: ClusterTargets = {}): TemporalProcedures {
  const leaving = new AbortController();
  // Every open poll listens to it.
  setMaxListeners(0, leaving.signal);
  const waiting = { ...services, leaving: leaving.signal };
  return {
    services: {
      [workflowService]: {
        ...systemMethods(services),
        ...namespaceMethods(services),
        ...searchAttributeMethods(services),
        ...scheduleMethods({ ...services, targets }),
        ...workflowMethods(waiting),
        ...activityMethods(waiting),
        ...workflowPollMethods(waiting),
        ...queryMethods(services),
        ...startMethods({ ...services, targets }),
        ...taskQueueMethods(services),
        ...batchMethods(services),
      },
      [operatorService]: { ...operatorMethods(services), ...namespaceOperatorMethods(services) },
    },
    leave: () => leaving.abort(),
  };
}

export type TemporalDoorOptions = Omit<GrpcDoorOptions, 'health' | 'services'>;

export function temporalDoor(procedures: TemporalProcedures, options: TemporalDoorOptions): GrpcDoor {
  const health = new Health([workflowService, operatorService]);
  // Waiting calls end when the door announces that it closes.
  health.watch('', { write: () => {}, end: () => procedures.leave() });
  return new GrpcDoor({ ...options, services: procedures.services, health });
}

export function temporalHttpDoor(
  procedures: TemporalProcedures,
  options: Omit<HttpApiOptions, 'services'>,
): ReturnType<typeof httpApiDoor> {
  return httpApiDoor({ ...options, services: procedures.services });
}
