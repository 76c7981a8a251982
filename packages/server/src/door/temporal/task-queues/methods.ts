/**
 * Task queues and their pollers: the nodes that have handlers for a queue, and the workers behind this door. Clients and the Web
 * UI ask for them before they show a workflow.
 */
import type { Instant } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { Services, WorkerView } from 'carillon/internal/service';
import { largestPage } from 'carillon/internal/service';
import type { Methods } from '../method.ts';
import { toTimestamp } from '../proto-time.ts';
import { sdkOf, workerFilter } from '../visibility/worker-query.ts';
import { checkQueue } from '../workflow-start.ts';

export type TaskQueueDeps = Pick<Services, 'nodes' | 'workers' | 'namespaces' | 'runs'>;

interface QueueRequest {
  readonly namespace: string;
  readonly taskQueue?: { readonly name?: string | null } | null;
}

interface DescribeRequest extends QueueRequest {
  readonly taskQueueType: number;
  readonly taskQueueTypes?: readonly number[] | null;
  readonly apiMode: number;
  readonly includeTaskQueueStatus: boolean;
  readonly reportStats: boolean;
}

interface WorkersRequest {
  readonly namespace: string;
  readonly query: string;
}

const workflowTasks = 1;
const activityTasks = 2;
const nexusTasks = 3;
const enhanced = 1;
const mostPollers = 1000;
/** The rate that SDKs send when they have no limit. */
const noLimit = 100_000;

const running = 1;
const shuttingDown = 2;
const shutDown = 3;

export function taskQueueMethods({ nodes, workers, namespaces, runs }: TaskQueueDeps): Methods {
  const pollersOf = async (namespace: string, queue: string): Promise<readonly object[]> => {
    const here = (await nodes.list()).filter(
      ({ state, queues }) => state === 'alive' && queues.includes(queue),
    );
    const elsewhere = (await workers.list(namespace)).filter(
      ({ state, queues }) => state === 'alive' && queues.includes(queue),
    );
    return [...here, ...elsewhere].slice(0, mostPollers).map(({ name, seenAt }) => poller(name, seenAt));
  };
  /** The number of runs that wait in the queue; at most one page is counted. */
  const backlogOf = async (namespace: string, queue: string): Promise<number> =>
    (await runs.list({ namespace, queue, states: ['waiting'], limit: largestPage })).items.length;
  const workersOf = async ({ namespace, query }: WorkersRequest): Promise<readonly WorkerView[]> => {
    await namespaces.require(namespace);
    return (await workers.list(namespace)).filter(workerFilter(query));
  };
  return {
    DescribeTaskQueue: async (request: DescribeRequest) => {
      const { namespace, taskQueue, taskQueueType, apiMode } = request;
      await namespaces.require(namespace);
      const queue = taskQueue?.name ?? '';
      checkQueue(taskQueue === null || taskQueue === undefined ? undefined : queue);
      const pollers = await pollersOf(namespace, queue);
      // A handler does the work of a workflow and of an activity; there are no Nexus services.
      const shown = (type: number) => (type === nexusTasks ? [] : pollers);
      const isCounted = request.includeTaskQueueStatus || request.reportStats;
      const backlog = isCounted ? await backlogOf(namespace, queue) : 0;
      const stats = request.reportStats ? { stats: { approximateBacklogCount: backlog } } : {};
      if (apiMode !== enhanced) {
        const taskQueueStatus = { backlogCountHint: backlog, ratePerSecond: noLimit };
        // Temporal's command line crashes when it asked for the status and the answer has none.
        const asked = request.includeTaskQueueStatus ? { taskQueueStatus } : {};
        return { pollers: shown(taskQueueType), versioningInfo: {}, ...asked, ...stats };
      }
      const asked = request.taskQueueTypes ?? [];
      const types = asked.length === 0 ? [workflowTasks, activityTasks] : asked;
      const typesInfo = Object.fromEntries(types.map((type) => [type, { pollers: shown(type), ...stats }]));
      return { versionsInfo: { '': { typesInfo } }, versioningInfo: {} };
    },

    ListTaskQueuePartitions: async (request: QueueRequest) => {
      await namespaces.require(request.namespace);
      const partitions = [{ key: request.taskQueue?.name ?? '', ownerHostName: '' }];
      return { activityTaskQueuePartitions: partitions, workflowTaskQueuePartitions: partitions };
    },

    ListWorkers: async (request: WorkersRequest) => {
      const found = await workersOf(request);
      return {
        workersInfo: found.map((worker) => ({ workerHeartbeat: heartbeatOf(worker) })),
        workers: found.map(listed),
      };
    },
    CountWorkers: async (request: WorkersRequest) => ({ count: (await workersOf(request)).length }),
    DescribeWorker: async (request: { readonly namespace: string; readonly workerInstanceKey: string }) => {
      const { namespace, workerInstanceKey } = request;
      const found = (await workersOf({ namespace, query: '' })).find(({ id }) => id === workerInstanceKey);
      if (found === undefined) throw notFound(`there is no worker '${workerInstanceKey}'`);
      return { workerInfo: { workerHeartbeat: heartbeatOf(found) } };
    },

    /** There are no versions of workers, so no deployments of them. */
    ListWorkerDeployments: async ({ namespace }: { readonly namespace: string }) => {
      await namespaces.require(namespace);
      return {};
    },
    DescribeWorkerDeployment: async () => {
      throw notFound('there are no worker deployments on this server');
    },
  };
}

function poller(identity: string, seenAt: Instant): object {
  return { identity, lastAccessTime: toTimestamp(seenAt), ratePerSecond: noLimit };
}

function listed(worker: WorkerView): object {
  const { id, name, queues, startedAt } = worker;
  return {
    workerInstanceKey: id,
    workerIdentity: name,
    taskQueue: queues[0] ?? '',
    ...sdkOf(worker),
    status: statusOf(worker),
    startTime: toTimestamp(startedAt),
  };
}

function heartbeatOf(worker: WorkerView): object {
  return { ...listed(worker), heartbeatTime: toTimestamp(worker.seenAt) };
}

function statusOf({ state }: WorkerView): number {
  if (state === 'leaving') return shuttingDown;
  return state === 'silent' ? shutDown : running;
}

function notFound(message: string): ServiceError {
  return new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message });
}
