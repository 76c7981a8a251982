/** Starting, reading and changing workflows over REST. */

import { given, isServiceError, ServiceError } from 'carillon/internal/base';
import type { Filter } from 'carillon/internal/service';
import { checkedWorkflow } from '../../../flow/definitions.ts';
import { isEnded } from '../../../flow/flow.ts';
import type { StartFlow } from '../../../flow/flow-starts.ts';
import { jsonText } from '../../../flow/json-text.ts';
import { Reading } from '../../../flow/read-fields.ts';
import { validationFailed } from '../errors.ts';
import type { QueryParameters } from '../query-parameter.ts';
import { flagOf, intOf, refused, textOf } from '../query-parameter.ts';
import { idempotencyStrategies } from '../start-request.ts';
import { checked, invalidValue, objectOf } from './argument.ts';
import { executeWorkflow } from './execute.ts';
import { flowJson, taskJson } from './flow-json.ts';
import { noSuchDefinition } from './metadata-operations.ts';
import type { FlowAnswer, FlowCall, FlowOperation } from './operation.ts';
import { empty, json, none, text } from './operation.ts';
import { testWorkflow } from './test-workflow.ts';

const largestPriority = 99;

export const workflowOperations: readonly FlowOperation[] = [
  {
    method: 'POST',
    path: '/workflow',
    role: 'operator',
    handle: async (call) => text(await startedAs(call, startRequest(call.body()))),
  },
  {
    method: 'POST',
    path: '/workflow/{name}',
    role: 'operator',
    handle: async (call) => {
      const {
        path: { name = '' },
        query,
      } = call;
      const version = intOf(query, 'version');
      const start: StartFlow = {
        name,
        input: objectOf(call),
        priority: priorityParameter(query),
        ...given({ version, correlationId: textOf(query, 'correlationId') }),
      };
      try {
        return text(await startedAs(call, start));
      } catch (error) {
        if (isServiceError(error) && error.reason === 'NO_SUCH_WORKFLOW')
          throw noSuchDefinition(name, version);
        throw error;
      }
    },
  },
  {
    method: 'POST',
    path: '/workflow/execute/{name}/{version}',
    role: 'operator',
    handle: (call) => executeWorkflow(call, startRequest),
  },
  {
    method: 'POST',
    path: '/workflow/test',
    role: 'operator',
    handle: (call) => testWorkflow(call, startRequest),
  },
  {
    method: 'GET',
    path: '/workflow/{id}',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { id = '' }, query }) => {
      const includeTasks = flagOf(query, 'includeTasks') ?? true;
      return json(flowJson(await flows.reads.get(namespace, id), { includeTasks }));
    },
  },
  {
    method: 'GET',
    path: '/workflow/{id}/status',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { id = '' }, query }) => {
      const { flow } = await flows.reads.get(namespace, id);
      return json({
        workflowId: id,
        ...given({ correlationId: flow.origin.correlationId }),
        ...(flagOf(query, 'includeOutput') === true ? { output: flow.output } : {}),
        ...(flagOf(query, 'includeVariables') === true ? { variables: flow.variables } : {}),
        status: flow.status,
      });
    },
  },
  {
    method: 'GET',
    path: '/workflow/{id}/tasks',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { id = '' }, query }) => {
      const seen = await flows.reads.get(namespace, id);
      const wanted = textOf(query, 'status')?.split(',');
      const all = seen.flow.tasks
        .map((task) => taskJson(seen.flow, task, seen.runs.get(task.id)) as { readonly status: string })
        .filter(({ status }) => wanted === undefined || wanted.includes(status));
      const start = intOf(query, 'start') ?? 0;
      return json({
        totalHits: all.length,
        results: all.slice(start, start + (intOf(query, 'count') ?? 15)),
      });
    },
  },
  {
    method: 'GET',
    path: '/workflow/running/{name}',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { name = '' }, query }) => {
      const from = intOf(query, 'startTime');
      const to = intOf(query, 'endTime');
      const conditions: Filter[] = [{ field: '$name', is: '=', value: name }];
      if (from !== undefined) conditions.push({ field: '$startTime', is: '>=', value: from });
      if (to !== undefined) conditions.push({ field: '$startTime', is: '<=', value: to });
      const ids = await flows.reads.ids(namespace, {
        isOpen: true,
        filter: { all: [...conditions, { field: '$status', is: '<=', value: 1 }] },
      });
      return json(ids);
    },
  },
  {
    method: 'GET',
    path: '/workflow/{name}/correlated/{correlationId}',
    role: 'viewer',
    handle: async (call) => json(await correlated(call, call.path.name ?? '', call.path.correlationId ?? '')),
  },
  {
    method: 'POST',
    path: '/workflow/{name}/correlated',
    role: 'viewer',
    handle: async (call) => {
      const ids = call.body();
      if (!Array.isArray(ids)) throw refused('', 'the body must be a list of correlation ids');
      return json(await correlatedAll(call, [call.path.name ?? ''], ids.map(jsonText)));
    },
  },
  {
    method: 'POST',
    path: '/workflow/correlated/batch',
    role: 'viewer',
    handle: async (call) => {
      const reading = new Reading();
      const { correlationIds, workflowNames } = reading.map(call.body(), '') ?? {};
      const ids = reading.texts(correlationIds, 'correlationIds');
      const names = reading.texts(workflowNames, 'workflowNames');
      if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
      return json(await correlatedAll(call, names, ids));
    },
  },
  control('PUT', '/workflow/{id}/pause', empty, ({ flows, namespace, path: { id = '' } }) =>
    flows.changes.pause(namespace, id),
  ),
  control('PUT', '/workflow/{id}/resume', empty, ({ flows, namespace, path: { id = '' } }) =>
    flows.changes.resume(namespace, id),
  ),
  control('PUT', '/workflow/decide/{id}', empty, ({ flows, namespace, path: { id = '' } }) =>
    flows.changes.decide(namespace, id),
  ),
  control(
    'PUT',
    '/workflow/{id}/skiptask/{reference}',
    empty,
    ({ flows, namespace, path: { id = '', reference = '' } }) => flows.changes.skip(namespace, id, reference),
  ),
  control('POST', '/workflow/{id}/retry', none, ({ flows, namespace, path: { id = '' }, query }) =>
    flows.changes.retry(namespace, id, { intoChild: flagOf(query, 'resumeSubworkflowTasks') ?? false }),
  ),
  control('POST', '/workflow/{id}/restart', none, ({ flows, namespace, path: { id = '' }, query }) =>
    flows.changes.restart(namespace, id, { latest: flagOf(query, 'useLatestDefinitions') ?? false }),
  ),
  control('POST', '/workflow/{id}/resetcallbacks', none, async ({ flows, namespace, path: { id = '' } }) => {
    await flows.reads.get(namespace, id);
  }),
  control('POST', '/workflow/{id}/variables', empty, async (call) => {
    await call.flows.changes.setVariables(call.namespace, call.path.id ?? '', objectOf(call));
  }),
  {
    method: 'POST',
    path: '/workflow/{id}/rerun',
    role: 'operator',
    handle: async (call) => {
      const { id = '' } = call.path;
      const reading = new Reading();
      const sent = reading.map(call.body(), '') ?? {};
      const rerun = given({
        fromTask: nonEmpty(reading.text(sent.reRunFromTaskId, 'reRunFromTaskId')),
        correlationId: reading.text(sent.correlationId, 'correlationId'),
        input: reading.map(sent.workflowInput, 'workflowInput') ?? undefined,
        taskInput: reading.map(sent.taskInput, 'taskInput') ?? undefined,
      });
      if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
      await call.flows.changes.rerun(call.namespace, id, rerun);
      return text(id);
    },
  },
  control('DELETE', '/workflow/{id}', empty, ({ flows, namespace, path: { id = '' }, query }) =>
    flows.changes.terminate(namespace, id, textOf(query, 'reason')),
  ),
  control('DELETE', '/workflow/{id}/remove', empty, async (call) => {
    const { id = '' } = call.path;
    if (flagOf(call.query, 'archiveWorkflow') ?? true) await demandEnded(call, id);
    await removeFlow(call, id, 'removed');
  }),
  control('DELETE', '/workflow/{id}/terminate-remove', empty, (call) =>
    removeFlow(call, call.path.id ?? '', textOf(call.query, 'reason')),
  ),
  bulk('PUT', '/workflow/bulk/pause', 'pauseWorkflow', ({ flows, namespace }, id) =>
    flows.changes.pause(namespace, id),
  ),
  bulk('PUT', '/workflow/bulk/resume', 'resumeWorkflow', ({ flows, namespace }, id) =>
    flows.changes.resume(namespace, id),
  ),
  bulk('POST', '/workflow/bulk/restart', 'restart', ({ flows, namespace, query }, id) =>
    flows.changes.restart(namespace, id, { latest: flagOf(query, 'useLatestDefinitions') ?? false }),
  ),
  bulk('POST', '/workflow/bulk/retry', 'retry', ({ flows, namespace }, id) =>
    flows.changes.retry(namespace, id),
  ),
  bulk('POST', '/workflow/bulk/terminate', 'terminate', ({ flows, namespace, query }, id) =>
    flows.changes.terminate(namespace, id, textOf(query, 'reason')),
  ),
  bulk(
    'POST',
    '/workflow/bulk/search',
    'searchWorkflow',
    async ({ flows, namespace, query }, id) => {
      const includeTasks = flagOf(query, 'includeTasks') ?? true;
      return flowJson(await flows.reads.get(namespace, id), { includeTasks });
    },
    (_, found) => found,
  ),
  // The hosted product's name for the removal below.
  bulk('POST', '/workflow/bulk/delete', 'deleteWorkflow', (call, id) => removeFlow(call, id, 'removed')),
  bulk('DELETE', '/workflow/bulk/remove', 'deleteWorkflow', (call, id) => removeFlow(call, id, 'removed')),
  bulk('DELETE', '/workflow/bulk/terminate-remove', 'terminateRemove', (call, id) =>
    removeFlow(call, id, textOf(call.query, 'reason')),
  ),
];

function control(
  method: FlowOperation['method'],
  path: string,
  answer: FlowAnswer,
  change: (call: FlowCall) => Promise<void>,
): FlowOperation {
  return {
    method,
    path,
    role: 'operator',
    handle: async (call) => {
      await change(call);
      return answer;
    },
  };
}

const mostBulk = 1000;

function bulk(
  method: FlowOperation['method'],
  path: string,
  name: string,
  change: (call: FlowCall, id: string) => Promise<unknown>,
  results: (id: string, result: unknown) => unknown = (id) => id,
): FlowOperation {
  return {
    method,
    path,
    role: 'operator',
    handle: async (call) => {
      const ids = call.body();
      if (!Array.isArray(ids) || ids.includes(null))
        throw refused('', 'the body must be a list of workflow ids');
      const refuse = (message: string) => validationFailed([{ path: `${name}.arg0`, message }]);
      if (ids.length === 0) throw refuse('WorkflowIds list cannot be null.');
      if (ids.length > mostBulk)
        throw refuse(`Cannot process more than ${mostBulk} workflows. Please use multiple requests.`);
      const errors: Record<string, string> = {};
      const successful: unknown[] = [];
      for (const id of ids.map(jsonText)) {
        try {
          successful.push(results(id, await change(call, id)));
        } catch (error) {
          errors[id] = ServiceError.from(error).message;
        }
      }
      return json({ bulkErrorResults: errors, bulkSuccessfulResults: successful });
    },
  };
}

/** Refuses to archive a workflow that has not ended. */
async function demandEnded({ flows, namespace }: FlowCall, id: string): Promise<void> {
  const { flow } = await flows.reads.get(namespace, id);
  if (isEnded(flow)) return;
  const message = `Cannot archive workflow: ${id} with status: ${flow.status}`;
  throw new ServiceError({ code: 'invalidArgument', reason: 'STILL_RUNNING', message });
}

/** Removes a workflow, after ending it if it is still open. */
async function removeFlow(
  { flows, namespace }: FlowCall,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const { flow } = await flows.reads.get(namespace, id);
  if (!isEnded(flow)) await flows.changes.terminate(namespace, id, reason);
  await flows.changes.remove(namespace, id);
}

/** Starts the workflow with a name. When none is registered, starts the handler of this program with that name. */
async function startedAs(
  { flows, services, namespace, caller }: FlowCall,
  request: StartFlow,
): Promise<string> {
  try {
    return await flows.starts.start(namespace, request);
  } catch (error) {
    const isUnknown = isServiceError(error) && error.reason === 'NO_SUCH_WORKFLOW';
    if (!isUnknown || !flows.isHandler(request.name)) throw error;
  }
  const { name, input = {} } = request;
  const by = { actor: caller.actor, door: caller.door };
  return (await services.runs.enqueue(namespace, { action: { run: name, input } }, by)).id;
}

/** The most correlation ids of one request. */
const mostCorrelated = 100;

async function correlatedAll(
  call: FlowCall,
  names: readonly string[],
  ids: readonly string[],
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {};
  for (const id of ids.slice(0, mostCorrelated)) {
    const lists = await Promise.all(names.map((name) => correlated(call, name, id)));
    found[id] = lists.flat();
  }
  return found;
}

async function correlated(
  { flows, namespace, query }: FlowCall,
  name: string,
  id: string,
): Promise<readonly unknown[]> {
  const includeTasks = flagOf(query, 'includeTasks') ?? false;
  const isOpen = flagOf(query, 'includeClosed') === true ? {} : { isOpen: true };
  const filter: Filter = {
    all: [
      { field: '$name', is: '=', value: name },
      { field: '$correlationId', is: '=', value: id },
    ],
  };
  const found = await flows.reads.search(namespace, {
    filter,
    order: 'ascending',
    start: 0,
    size: 1000,
    ...isOpen,
  });
  const seen = await Promise.all(
    found.flows.map(({ origin }) => flows.reads.find(namespace, origin.workflowId)),
  );
  return seen.flatMap((each) => (each === undefined ? [] : [flowJson(each, { includeTasks })]));
}

export function startRequest(body: unknown): StartFlow {
  const reading = new Reading();
  const sent = reading.map(body, '');
  if (sent === null || sent === undefined)
    throw refused('', 'the body must be a JSON object: name, version, input, …');
  const name = reading.text(sent.name, 'name') ?? '';
  if (name === '')
    throw validationFailed([
      {
        path: 'startWorkflow.arg0.name',
        message: 'Workflow name cannot be null or empty',
        ...invalidValue(sent, 'name'),
      },
    ]);
  if (name.trim() === '') {
    const message = 'Workflow name must be specified when searching for a definition';
    throw new ServiceError({ code: 'invalidArgument', reason: 'NO_NAME', message });
  }
  if (sent.input === null)
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'NULL_INPUT',
      message: 'NULL input passed when starting workflow',
    });
  const priority = reading.whole(sent.priority, 'priority') ?? 0;
  const domains = reading.map(sent.taskToDomain, 'taskToDomain') ?? {};
  const inline = sent.workflowDef;
  const definition =
    inline === undefined || inline === null
      ? undefined
      : checked(() => checkedWorkflow(inline), 'startWorkflow.arg0.workflowDef', inline);
  reading.oneOf(sent.idempotencyStrategy, 'idempotencyStrategy', idempotencyStrategies);
  const request = {
    name,
    input: reading.map(sent.input, 'input') ?? {},
    priority: checkedPriority(priority, 'startWorkflow.arg0.priority'),
    taskToDomain: Object.fromEntries(
      Object.entries(domains).map(([task, domain]) => [task, jsonText(domain)]),
    ),
    ...given({
      version: reading.whole(sent.version, 'version'),
      correlationId: reading.text(sent.correlationId, 'correlationId'),
      createdBy: reading.text(sent.createdBy, 'createdBy'),
      definition,
    }),
  };
  if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
  return request;
}

/** Reads the priority from the query. This route has its own message for an invalid priority. */
function priorityParameter(query: QueryParameters): number {
  const priority = intOf(query, 'priority') ?? 0;
  if (priority >= 0 && priority <= largestPriority) return priority;
  const bound = priority < 0 ? '0 is the minimum' : `${largestPriority} is the maximum`;
  const message = `${bound} priority value`;
  throw validationFailed([{ path: 'startWorkflow.arg3', message, invalidValue: String(priority) }]);
}

function checkedPriority(priority: number, path: string): number {
  if (priority >= 0 && priority <= largestPriority) return priority;
  const bound = priority < 0 ? 'minimum 0' : `maximum ${largestPriority}`;
  const message = `priority: ${priority} should be ${bound}`;
  throw validationFailed([{ path, message, invalidValue: String(priority) }]);
}

function nonEmpty(word: string | undefined): string | undefined {
  return word === '' ? undefined : word;
}
