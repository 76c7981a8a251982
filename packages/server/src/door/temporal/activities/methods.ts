/**
 * Activity workers of Temporal's SDKs, as a translation of the one lease protocol for workers. An activity named like the
 * workflow type runs scheduled work; there are no workflow tasks. What each SDK needs of an answer is in `activity-task.ts`.
 */
import { ServiceError } from 'carillon/internal/base';
import type { LeaseKept, Services } from 'carillon/internal/service';
import { demandAccess } from '../../access.ts';
import type { Call, Methods } from '../method.ts';
import { readPayload } from '../payload.ts';
import { badRequest } from '../status.ts';
import { checkQueue } from '../workflow-start.ts';
import { findWorkflow } from '../workflows/find-workflow.ts';
import { startsOf } from '../workflows/start.ts';
import { activityId, activityTask } from './activity-task.ts';
import type { Payloads, WireFailure } from './conclusion.ts';
import { cancelled, completed, failed } from './conclusion.ts';
import type { TaskLease } from './task-token.ts';
import { readTaskToken } from './task-token.ts';
import { cancelCommands, WorkerCommands } from './worker-commands.ts';

export interface ActivityDeps extends Pick<Services, 'workers' | 'runSearch' | 'namespaces' | 'now'> {
  /** Aborts when the server stops, which ends polls. */
  readonly leaving?: AbortSignal;
}

interface PollRequest {
  readonly namespace: string;
  readonly taskQueue?: { readonly name?: string | null } | null;
  readonly identity: string;
  readonly workerInstanceKey: string;
  readonly workerControlTaskQueue: string;
}

/** A task, named by its token, or by the ids of the workflow and its activity. */
interface Named {
  readonly namespace: string;
  readonly taskToken?: Uint8Array | null;
  readonly workflowId?: string;
  readonly runId?: string;
  readonly activityId?: string;
}

interface Heartbeat {
  readonly workerInstanceKey?: string | null;
  readonly workerIdentity?: string | null;
  readonly sdkName?: string | null;
  readonly sdkVersion?: string | null;
  readonly taskQueue?: string | null;
  readonly status?: number | null;
}

/** How long a poll is held: clients wait for 70 seconds, proxies often for 60. */
const longestHoldMs = 55_000;
/** The part of the caller's deadline that is left for the answer. */
const answerMs = 5000;
/** SDKs send a worker heartbeat every minute. A worker that misses three is considered dead. */
const workerLease: LeaseKept = { by: 'worker', ms: 180_000 };
/** Workers of old SDKs send no heartbeats, so their leases last as long as the attempt may. */
const silentLease: LeaseKept = { by: 'attempt' };

const shuttingDown = 2;
const commandService = 'temporal.api.nexusservices.workerservice.v1.WorkerService';

export function activityMethods(deps: ActivityDeps): Methods {
  const { workers, runSearch, namespaces, leaving } = deps;
  const commands = new WorkerCommands(workers);
  const waiting = (call: Call) => ({
    forMs: Math.min(longestHoldMs, Math.max(0, call.remainingMs - answerMs)),
    signal: call.signal,
    ...(leaving === undefined ? {} : { leaving }),
  });

  const leaseOf = async (request: Named, { identity }: Call): Promise<TaskLease> => {
    if ((request.taskToken?.length ?? 0) > 0) {
      const lease = readTaskToken(request.taskToken);
      // The namespace inside the token counts, not the one beside it.
      demandAccess(identity, 'operator', lease.namespace);
      return lease;
    }
    const { namespace, workflowId = '', runId = '', activityId: asked } = request;
    if (workflowId === '') throw badRequest('Task token not set on request.');
    const { run } = await findWorkflow(runSearch, namespace, { workflowId, runId });
    if (asked !== activityId || run.state !== 'leased') throw activityNotFound();
    return { namespace, runId: run.id, token: run.leaseToken };
  };

  const report = async (request: Named, call: Call, ended: Ended): Promise<object> => {
    const lease = await leaseOf(request, call);
    const { namespace, runId, token } = lease;
    const [outcome] = await workers.report(namespace, [{ runId, token, ...ended }]);
    commands.ended(lease);
    if (outcome === 'stale') throw activityNotFound();
    return {};
  };
  const complete = (request: Named & { readonly result?: Payloads | null }, call: Call) =>
    report(request, call, { conclusion: completed(request.result) });
  const fail = (
    request: Named & {
      readonly failure?: WireFailure | null;
      readonly lastHeartbeatDetails?: Payloads | null;
    },
    call: Call,
  ) =>
    report(request, call, {
      conclusion: failed(request.failure),
      ...progressOf(request.lastHeartbeatDetails),
    });
  const cancel = (request: Named & { readonly details?: Payloads | null }, call: Call) =>
    report(request, call, { conclusion: cancelled(request.details) });
  const beat = async (request: Named & { readonly details?: Payloads | null }, call: Call) => {
    const { namespace, runId, token } = await leaseOf(request, call);
    const [held] = await workers.heartbeat(namespace, [{ runId, token, ...progressOf(request.details) }]);
    if (held === undefined || held.state === 'lost' || held.state === 'terminated') throw activityNotFound();
    return held.state === 'cancel' ? { cancelRequested: true } : {};
  };

  return {
    PollActivityTaskQueue: async (request: PollRequest, call) => {
      const { namespace, identity, workerInstanceKey: key, workerControlTaskQueue: control } = request;
      await namespaces.require(namespace);
      const queue = request.taskQueue?.name ?? '';
      checkQueue(queue);
      const id = key === '' ? identity : key;
      if (id === '') throw badRequest('Identity is not set on request.');
      const lease = key === '' ? silentLease : workerLease;
      const about = { name: identity, ...clientOf(call) };
      if (commands.isNew(control)) {
        for (const { id: runId, leaseToken: token } of await workers.beat({ namespace, id }, about)) {
          commands.handedOut({ queue: control, identity }, { namespace, runId, token });
        }
      }
      const [run] = await workers.claim({ namespace, id }, { queues: [queue], lease, about }, waiting(call));
      // An empty message means that there is no task. SDKs treat a message with other fields but no token as a broken task.
      if (run === undefined) return {};
      commands.handedOut({ queue: control, identity }, { namespace, runId: run.id, token: run.leaseToken });
      const definitions = await startsOf(runSearch, [{ run }]);
      return activityTask(run, definitions({ run }));
    },

    RespondActivityTaskCompleted: complete,
    RespondActivityTaskCompletedById: complete,
    RespondActivityTaskFailed: fail,
    RespondActivityTaskFailedById: fail,
    RespondActivityTaskCanceled: cancel,
    RespondActivityTaskCanceledById: cancel,
    RecordActivityTaskHeartbeat: beat,
    RecordActivityTaskHeartbeatById: beat,

    RecordWorkerHeartbeat: async (request: {
      readonly namespace: string;
      readonly workerHeartbeat?: readonly Heartbeat[] | null;
    }) => {
      const { namespace } = request;
      await namespaces.require(namespace);
      for (const each of request.workerHeartbeat ?? []) {
        const id = each.workerInstanceKey ?? '';
        if (id === '') continue;
        await workers.beat(
          { namespace, id },
          {
            ...(each.workerIdentity ? { name: each.workerIdentity } : {}),
            ...(each.sdkName ? { client: `${each.sdkName}/${each.sdkVersion ?? ''}` } : {}),
            ...(each.taskQueue ? { queues: [each.taskQueue] } : {}),
            isLeaving: each.status === shuttingDown,
          },
        );
      }
      return {};
    },

    /** The worker takes no new tasks; its current tasks continue. */
    ShutdownWorker: async (request: { readonly namespace: string; readonly workerInstanceKey: string }) => {
      const { namespace, workerInstanceKey: id } = request;
      await namespaces.require(namespace);
      if (id !== '') await workers.leave({ namespace, id });
      return {};
    },

    /** The queue of commands to one worker process. There are no Nexus services of users. */
    PollNexusTaskQueue: async (request: PollRequest, call) => {
      const { namespace } = request;
      await namespaces.require(namespace);
      const wait = { ...waiting(call), now: deps.now };
      const leases = await commands.next(
        { namespace, queue: request.taskQueue?.name ?? '', identity: request.identity },
        wait,
      );
      const [first] = leases;
      if (first === undefined) return {};
      return {
        taskToken: Buffer.from(first.runId),
        request: {
          startOperation: {
            service: commandService,
            operation: 'ExecuteCommands',
            requestId: first.token,
            payload: { data: cancelCommands(leases) },
          },
        },
      };
    },
    RespondNexusTaskCompleted: async () => ({}),
    RespondNexusTaskFailed: async () => ({}),
  };
}

interface Ended {
  readonly conclusion: ReturnType<typeof completed>;
  readonly progress?: string;
}

/** Details of a heartbeat are kept as a list of values; opaque payloads keep their bytes. */
function progressOf(details: Payloads | null | undefined): { readonly progress?: string } {
  const payloads = details?.payloads ?? [];
  return payloads.length === 0 ? {} : { progress: JSON.stringify(payloads.map(readPayload)) };
}

function clientOf({ metadata }: Call): { readonly client?: string } {
  const name = metadata.get('client-name');
  return name === undefined ? {} : { client: `${name}/${metadata.get('client-version') ?? ''}` };
}

function activityNotFound(): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: 'invalid activityID or activity already timed out or invoking workflow is completed',
  });
}
