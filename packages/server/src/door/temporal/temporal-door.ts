/** Composes the Temporal door: its procedures and the services they use. */
import { setMaxListeners } from 'node:events';
import type { Clock } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import { activityMethods } from './activities/methods.ts';
import { batchMethods } from './batch/methods.ts';
import type { GrpcDoorOptions } from './grpc-door.ts';
import { GrpcDoor } from './grpc-door.ts';
import { Health } from './health.ts';
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

export interface TemporalDoorOptions extends Pick<GrpcDoorOptions, 'admit' | 'answered' | 'tls'> {
  readonly services: Services;
  readonly clock: Clock;
  readonly newRequestId: () => string;
}

const workflowService = 'temporal.api.workflowservice.v1.WorkflowService';
const operatorService = 'temporal.api.operatorservice.v1.OperatorService';

export function temporalDoor(options: TemporalDoorOptions): GrpcDoor {
  const { services, clock, admit, answered, tls } = options;
  const health = new Health([workflowService, operatorService]);
  const leaving = new AbortController();
  // Every open poll listens to it.
  setMaxListeners(0, leaving.signal);
  health.watch('', { write: () => {}, end: () => leaving.abort() });
  return new GrpcDoor({
    clock,
    newId: options.newRequestId,
    admit,
    health,
    services: {
      [workflowService]: {
        ...systemMethods(services),
        ...namespaceMethods(services),
        ...searchAttributeMethods(services),
        ...scheduleMethods(services),
        ...workflowMethods({ ...services, leaving: leaving.signal }),
        ...activityMethods({ ...services, leaving: leaving.signal }),
        ...workflowPollMethods({ ...services, leaving: leaving.signal }),
        ...queryMethods(services),
        ...startMethods(services),
        ...taskQueueMethods(services),
        ...batchMethods(services),
      },
      [operatorService]: { ...operatorMethods(services), ...namespaceOperatorMethods(services) },
    },
    ...(answered === undefined ? {} : { answered }),
    ...(tls === undefined ? {} : { tls }),
  });
}
