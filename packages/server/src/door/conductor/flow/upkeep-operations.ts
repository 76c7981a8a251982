/** Operations for operators' consoles and scripts: queues in detail, configuration, repairs, ending a task by a message. */
import { version } from 'carillon/internal/base';
import { taskQueue } from '../../../flow/flow-runs.ts';
import { intOf } from '../query-parameter.ts';
import { endById, endByReference, notFound } from './end-task.ts';
import type { FlowAnswer, FlowCall, FlowOperation } from './operation.ts';
import { empty, json, text } from './operation.ts';
import { polledTasks } from './polled-task.ts';

/** The version of Conductor that clients may expect of these routes. */
export const compatibleVersion = '3.32.3';

/** The name of the only part of a queue; the original divides queues into parts and shows their names. */
const part = 'a';

/** The most tasks of one type in one list. */
const mostListed = 1000;

export const upkeepOperations: readonly FlowOperation[] = [
  { method: 'GET', path: '/version', role: 'viewer', handle: async () => text(compatibleVersion) },
  {
    method: 'GET',
    path: '/admin/config',
    role: 'viewer',
    handle: async () => json({ version: compatibleVersion, 'carillon.version': version }),
  },
  {
    method: 'GET',
    path: '/admin/task/{type}',
    role: 'viewer',
    handle: async (call) => json(await pending(call)),
  },
  { method: 'GET', path: '/admin/queues', role: 'viewer', handle: async () => json({}) },
  {
    // Workflows never get lost here, so this one is only decided again.
    method: 'POST',
    path: '/admin/sweep/requeue/{id}',
    role: 'operator',
    handle: async ({ flows, namespace, path: { id = '' } }) => {
      await flows.changes.decide(namespace, id);
      return text(`true.${id}`);
    },
  },
  {
    // Queue and workflow change in one commit, so there is nothing to repair.
    method: 'POST',
    path: '/admin/consistency/verifyAndRepair/{id}',
    role: 'operator',
    handle: async ({ flows, namespace, path: { id = '' } }) => {
      await flows.reads.get(namespace, id);
      return text('false');
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/all',
    role: 'viewer',
    handle: async ({ flows, namespace }) => {
      const sizes: Record<string, number> = {};
      for (const { definition } of await flows.definitions.allTasks(namespace))
        sizes[definition.name] = await flows.waiting(namespace, taskQueue(definition.name));
      return json(sizes);
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/all/verbose',
    role: 'viewer',
    handle: async ({ flows, namespace }) => {
      const queues: Record<string, unknown> = {};
      for (const { definition } of await flows.definitions.allTasks(namespace)) {
        const queue = taskQueue(definition.name);
        const size = await flows.waiting(namespace, queue);
        const uacked = await flows.working(namespace, queue);
        queues[definition.name] = { [part]: { size, uacked } };
      }
      return json(queues);
    },
  },
  // There are no queues of events here.
  { method: 'GET', path: '/queue/', role: 'viewer', handle: async () => json({}) },
  { method: 'GET', path: '/queue/size', role: 'viewer', handle: async () => json({}) },
  {
    method: 'POST',
    path: '/queue/update/{workflowId}/{reference}/{status}',
    role: 'operator',
    handle: async (call) => ended(call, await endByReference(call)),
  },
  {
    method: 'POST',
    path: '/queue/update/{workflowId}/task/{taskId}/{status}',
    role: 'operator',
    handle: async (call) => ended(call, await endById(call)),
  },
  // There are no secrets and no environment variables here.
  { method: 'GET', path: '/secrets', role: 'viewer', handle: async () => json([]) },
  { method: 'GET', path: '/environment', role: 'viewer', handle: async () => json([]) },
  // There are no event handlers here; clients that list them find none.
  { method: 'GET', path: '/event', role: 'viewer', handle: async () => json([]) },
  { method: 'GET', path: '/event/{name}', role: 'viewer', handle: async () => json([]) },
];

function ended({ path }: FlowCall, id: string | undefined): FlowAnswer {
  const { workflowId, reference, taskId } = path;
  if (id === undefined) throw notFound(`No task ${reference ?? taskId} is open in workflow ${workflowId}`);
  return empty;
}

/** The tasks of a type that wait for a worker, oldest first. */
async function pending({ flows, namespace, path: { type = '' }, query }: FlowCall): Promise<unknown> {
  const start = Math.max(0, intOf(query, 'start') ?? 0);
  const count = Math.max(0, intOf(query, 'count') ?? 100);
  const limit = Math.min(start + count, mostListed);
  const runs = await flows.queued(namespace, taskQueue(type), limit);
  return polledTasks(await flows.reads.owning(runs), runs).slice(start);
}
