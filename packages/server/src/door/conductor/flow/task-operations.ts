/** Tasks over REST: polling, results, logs and queues, as workers call them. Polling is a claim of the one lease protocol. */

import { given, ServiceError } from 'carillon/internal/base';
import { workflowOfTask } from '../../../flow/flow.ts';
import type { TaskResult } from '../../../flow/flow-changes.ts';
import { noSuchTask } from '../../../flow/flow-changes.ts';
import { noSuchFlow } from '../../../flow/flow-reads.ts';
import { taskQueue } from '../../../flow/flow-runs.ts';
import type { Fields } from '../../../flow/read-fields.ts';
import { Reading } from '../../../flow/read-fields.ts';
import { validationFailed } from '../errors.ts';
import { intOf, refused, textOf } from '../query-parameter.ts';
import { invalidValue } from './argument.ts';
import { endByReference, endWaiting, notFound, taskStatusOf } from './end-task.ts';
import { signalJson } from './execute.ts';
import { flowJson, taskJson } from './flow-json.ts';
import type { FlowCall, FlowOperation } from './operation.ts';
import { empty, json, none, text } from './operation.ts';
import { polledTasks } from './polled-task.ts';

const largestBatch = 100;
const longestPollMs = 5000;
const defaultPollMs = 100;

export const taskOperations: readonly FlowOperation[] = [
  {
    method: 'GET',
    path: '/tasks/poll/{type}',
    role: 'operator',
    handle: async (call) => {
      const [task] = await poll(call, { type: call.path.type ?? '', count: 1, forMs: 0 });
      return task === undefined ? none : json(task);
    },
  },
  {
    method: 'GET',
    path: '/tasks/poll/batch/{type}',
    role: 'operator',
    handle: async (call) => {
      const count = Math.min(intOf(call.query, 'count') ?? 1, largestBatch);
      const forMs = intOf(call.query, 'timeout') ?? defaultPollMs;
      if (forMs > longestPollMs) {
        const message = 'Long Poll Timeout value cannot be more than 5 seconds';
        throw new ServiceError({ code: 'invalidArgument', reason: 'POLL_TOO_LONG', message });
      }
      if (count <= 0) return json([]);
      return json(await poll(call, { type: call.path.type ?? '', count, forMs: Math.max(0, forMs) }));
    },
  },
  {
    method: 'POST',
    path: '/tasks',
    role: 'operator',
    handle: async (call) => {
      const result = await takeResult(call, 'updateTask');
      return text(result.taskId);
    },
  },
  {
    // Answers the next task of the same type, so that a busy worker need not poll.
    method: 'POST',
    path: '/tasks/update-v2',
    role: 'operator',
    handle: async (call) => {
      const { taskId, workerId } = await takeResult(call, 'updateTaskV2');
      const { flow } = await call.flows.reads.get(call.namespace, workflowOfTask(taskId) ?? '');
      const ended = flow.tasks.find(({ id }) => id === taskId);
      if (ended === undefined || ended.type !== 'SIMPLE') return none;
      const wanted = { type: ended.name, count: 1, forMs: 0, ...given({ workerId, domain: ended.domain }) };
      const [task] = await poll(call, wanted);
      return task === undefined ? none : json(task);
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { id = '' } }) => {
      const seen = await flows.reads.find(namespace, workflowOfTask(id) ?? '');
      const task = seen?.flow.tasks.find((each) => each.id === id);
      if (seen === undefined || task === undefined) throw notFound(`Task not found for taskId: ${id}`);
      return json(taskJson(seen.flow, task, seen.runs.get(id)));
    },
  },
  {
    method: 'POST',
    path: '/tasks/{id}/log',
    role: 'operator',
    handle: async (call) => {
      if (call.text === '') throw refused('', 'the request has no body: it is the line of the log');
      await call.flows.logs.add(call.namespace, call.path.id ?? '', [call.text]);
      return empty;
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}/log',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { id = '' } }) => {
      const lines = await flows.logs.list(namespace, id);
      return lines.length === 0
        ? none
        : json(lines.map(({ text: log, at }) => ({ log, taskId: id, createdTime: at })));
    },
  },
  {
    method: 'POST',
    path: '/tasks/{workflowId}/{reference}/{status}',
    role: 'operator',
    handle: async (call) => {
      const id = await endByReference(call);
      return id === undefined ? empty : text(id);
    },
  },
  {
    method: 'POST',
    path: '/tasks/{workflowId}/{reference}/{status}/sync',
    role: 'operator',
    handle: async (call) => {
      const { workflowId = '', reference = '' } = call.path;
      if ((await endByReference(call)) === undefined)
        throw notFound(`Found no running task ${reference} of workflow ${workflowId} to update`);
      return json(flowJson(await call.flows.reads.get(call.namespace, workflowId)));
    },
  },
  {
    method: 'POST',
    path: '/tasks/{workflowId}/{status}/signal',
    role: 'operator',
    handle: async (call) => {
      await endWaiting(call);
      return empty;
    },
  },
  {
    method: 'POST',
    path: '/tasks/{workflowId}/{status}/signal/sync',
    role: 'operator',
    handle: async (call) => {
      const { workflowId = '' } = call.path;
      if (!(await endWaiting(call)))
        throw notFound(`Found no blocked task in workflow ${workflowId} to signal`);
      const seen = await call.flows.reads.get(call.namespace, workflowId);
      return json(signalJson(seen, { isTimedOut: false }));
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/size',
    role: 'viewer',
    handle: async (call) => {
      const { taskType: type } = call.query;
      if (typeof type !== 'string') throw refused('taskType', 'name the type of the task');
      return json(await call.flows.waiting(call.namespace, taskQueue(type, textOf(call.query, 'domain'))));
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/sizes',
    role: 'viewer',
    handle: async (call) => {
      const given_ = call.query.taskType;
      const types = (Array.isArray(given_) ? given_ : [given_]).flatMap((each) =>
        typeof each === 'string' ? each.split(',') : [],
      );
      if (types.length === 0) throw refused('taskType', 'name at least one type of task');
      const sizes: Record<string, number> = {};
      for (const type of types.filter((each) => each !== ''))
        sizes[type] = await call.flows.waiting(call.namespace, taskQueue(type));
      return json(sizes);
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/polldata',
    role: 'viewer',
    handle: async ({ query, polls }) => {
      const { taskType: type } = query;
      if (typeof type !== 'string') throw refused('taskType', 'name the type of the task');
      if (type === '') {
        const message = 'TaskType cannot be null or empty.';
        throw validationFailed([{ path: 'getPollData.arg0', message, invalidValue: '' }]);
      }
      return json(polls.list(type));
    },
  },
  {
    method: 'GET',
    path: '/tasks/queue/polldata/all',
    role: 'viewer',
    handle: async ({ polls }) => json(polls.list()),
  },
  {
    // Tasks never get lost from a queue here, so none are put back.
    method: 'POST',
    path: '/tasks/queue/requeue/{type}',
    role: 'operator',
    handle: async () => text('0'),
  },
];

interface Poll {
  readonly type: string;
  readonly count: number;
  readonly forMs: number;
  readonly workerId?: string;
  readonly domain?: string;
}

async function poll(call: FlowCall, { type, count, forMs, ...wanted }: Poll): Promise<readonly object[]> {
  const { flows, services, namespace, query, polls, signal: gone, leaving } = call;
  const workerId = wanted.workerId ?? textOf(query, 'workerid') ?? 'unknown';
  const domain = wanted.domain ?? textOf(query, 'domain');
  polls.note(type, { domain, at: services.now() });
  const runs = await services.workers.claim(
    { namespace, id: workerId },
    {
      queues: [taskQueue(type, domain)],
      limit: count,
      lease: { by: 'attempt' },
      about: { client: 'conductor' },
    },
    { forMs, signal: gone, leaving },
  );
  return polledTasks(await flows.reads.owning(runs), runs);
}

async function takeResult(call: FlowCall, operation: string): Promise<TaskResult> {
  const reading = new Reading();
  const sent = reading.map(call.body(), '') ?? {};
  const taskId = reading.text(sent.taskId, 'taskId') ?? '';
  const workflowId = reading.text(sent.workflowInstanceId, 'workflowInstanceId') ?? '';
  const missing = [
    ...(taskId === ''
      ? [{ ...lacking(sent, 'taskId', operation), message: 'Task ID cannot be null or empty' }]
      : []),
    ...(workflowId === ''
      ? [
          {
            ...lacking(sent, 'workflowInstanceId', operation),
            message: 'Workflow Id cannot be null or empty',
          },
        ]
      : []),
  ];
  if (missing.length > 0) throw validationFailed(missing);
  const word = reading.text(sent.status, 'status') ?? 'IN_PROGRESS';
  const result: TaskResult = {
    taskId,
    status: taskStatusOf(word),
    extendLease: reading.flag(sent.extendLease, 'extendLease'),
    callbackAfterSeconds: Math.max(0, reading.whole(sent.callbackAfterSeconds, 'callbackAfterSeconds') ?? 0),
    ...given({
      output: reading.map(sent.outputData, 'outputData') ?? undefined,
      reason: reading.text(sent.reasonForIncompletion, 'reasonForIncompletion'),
      workerId: nonEmpty(reading.text(sent.workerId, 'workerId')),
    }),
  };
  const lines = (reading.list(sent.logs, 'logs') ?? []).flatMap((line) => logText(line));
  if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
  if ((await call.flows.reads.find(call.namespace, workflowId)) === undefined) throw noSuchFlow(workflowId);
  if (workflowOfTask(taskId) !== workflowId) throw noSuchTask(taskId);
  if (lines.length > 0) await call.flows.logs.add(call.namespace, taskId, lines);
  await call.flows.changes.update(call.namespace, result);
  return result;
}

function lacking(sent: Fields, field: string, operation: string) {
  return { path: `${operation}.arg0.${field}`, ...invalidValue(sent, field) };
}

function logText(line: unknown): readonly string[] {
  if (typeof line === 'string') return [line];
  const log = (line as { readonly log?: unknown } | null)?.log;
  return typeof log === 'string' ? [log] : [];
}

function nonEmpty(word: string | undefined): string | undefined {
  return word === '' ? undefined : word;
}
