/** Definitions of workflows and task types over REST. */

import { ServiceError } from 'carillon/internal/base';
import type { DocumentChange } from 'carillon/internal/service';
import type { RegisteredWorkflowDefinition } from '../../../flow/definitions.ts';
import { checkedTask, checkedWorkflow } from '../../../flow/definitions.ts';
import { validationFailed } from '../errors.ts';
import { flagOf, intOf, refused } from '../query-parameter.ts';
import { checked, objectOf } from './argument.ts';
import { taskDefinitionJson, workflowDefinitionJson } from './definition-json.ts';
import type { FlowCall, FlowOperation } from './operation.ts';
import { empty, json } from './operation.ts';

/** The most definitions of one request. */
const mostAtOnce = 1000;

export const metadataOperations: readonly FlowOperation[] = [
  {
    method: 'POST',
    path: '/metadata/workflow',
    role: 'operator',
    handle: async (call) => {
      const sent = objectOf(call);
      const overwrite = flagOf(call.query, 'overwrite') ?? false;
      const argument = overwrite ? 'updateWorkflowDef.arg0' : 'registerWorkflowDef.arg0';
      const definition = checked(() => checkedWorkflow(sent), argument, sent);
      await call.flows.definitions.register(call.namespace, definition, {
        overwrite,
        by: by(call, 'register'),
      });
      return empty;
    },
  },
  {
    method: 'PUT',
    path: '/metadata/workflow',
    role: 'operator',
    handle: async (call) => {
      const list = listOf(call);
      if (list.length === 0)
        throw validationFailed([
          { path: 'updateWorkflowDef.arg0', message: 'WorkflowDef list cannot be empty' },
        ]);
      // All of them are checked before the first one is stored.
      const definitions = list.map((item, index) =>
        checked(() => checkedWorkflow(item), `updateWorkflowDef.arg0[${index}]`, item),
      );
      for (const definition of definitions)
        await call.flows.definitions.register(call.namespace, definition, {
          overwrite: true,
          by: by(call, 'update'),
        });
      return json({ bulkErrorResults: {}, bulkSuccessfulResults: definitions.map(({ name }) => name) });
    },
  },
  {
    method: 'POST',
    path: '/metadata/workflow/validate',
    role: 'viewer',
    handle: async (call) => {
      const sent = objectOf(call);
      checked(() => checkedWorkflow(sent), 'validateWorkflowDef.arg0', sent);
      return empty;
    },
  },
  {
    method: 'GET',
    path: '/metadata/workflow',
    role: 'viewer',
    handle: async ({ flows, namespace }) =>
      json((await flows.definitions.all(namespace)).map(workflowDefinitionJson)),
  },
  {
    method: 'GET',
    path: '/metadata/workflow/latest-versions',
    role: 'viewer',
    handle: async ({ flows, namespace }) => {
      const latest = new Map(
        (await flows.definitions.all(namespace)).map((stored) => [stored.definition.name, stored]),
      );
      return json([...latest.values()].map(workflowDefinitionJson));
    },
  },
  {
    method: 'GET',
    path: '/metadata/workflow/names-and-versions',
    role: 'viewer',
    handle: async ({ flows, namespace }) => {
      const names: Record<string, object[]> = {};
      for (const stored of await flows.definitions.all(namespace)) {
        const { name } = stored.definition;
        names[name] = [...(names[name] ?? []), versionJson(stored)];
      }
      return json(names);
    },
  },
  {
    method: 'GET',
    path: '/metadata/workflow/names',
    role: 'viewer',
    handle: async ({ flows, namespace }) => {
      const all = await flows.definitions.all(namespace);
      return json([...new Set(all.map(({ definition }) => definition.name))].sort());
    },
  },
  {
    method: 'GET',
    path: '/metadata/workflow/{name}/versions',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { name } }) => {
      const all = await flows.definitions.all(namespace);
      return json(all.filter(({ definition }) => definition.name === name).map(versionJson));
    },
  },
  {
    method: 'GET',
    path: '/metadata/workflow/{name}',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { name = '' }, query }) => {
      const version = intOf(query, 'version');
      const found = await flows.definitions.find(namespace, name, version);
      if (found === undefined) throw noSuchDefinition(name, version);
      return json(workflowDefinitionJson(found));
    },
  },
  {
    method: 'DELETE',
    path: '/metadata/workflow/{name}/{version}',
    role: 'operator',
    handle: async (call) => {
      const { name = '', version: word = '' } = call.path;
      if (!/^\d+$/.test(word)) throw refused('version', `'${word}' is not a whole number`);
      if (await call.flows.definitions.remove(call.namespace, name, Number(word), by(call, 'remove')))
        return empty;
      throw notFound(`No such workflow definition: ${name} version: ${word}`);
    },
  },
  {
    method: 'POST',
    path: '/metadata/taskdefs',
    role: 'operator',
    handle: async (call) => {
      const list = listOf(call);
      if (list.length === 0)
        throw validationFailed([{ path: 'registerTaskDef.arg0', message: 'TaskDefList is empty' }]);
      const definitions = list.map((item, index) =>
        checked(() => checkedTask(item), `registerTaskDef.arg0[${index}]`, item),
      );
      for (const definition of definitions)
        await call.flows.definitions.registerTask(call.namespace, definition, by(call, 'register'));
      return empty;
    },
  },
  {
    method: 'PUT',
    path: '/metadata/taskdefs',
    role: 'operator',
    handle: async (call) => {
      const item = objectOf(call);
      const definition = checked(() => checkedTask(item), 'updateTaskDef.arg0', item);
      if (await call.flows.definitions.updateTask(call.namespace, definition, by(call, 'update')))
        return empty;
      throw notFound(`No such task by name ${definition.name}`);
    },
  },
  {
    method: 'GET',
    path: '/metadata/taskdefs',
    role: 'viewer',
    handle: async ({ flows, namespace }) =>
      json((await flows.definitions.allTasks(namespace)).map(taskDefinitionJson)),
  },
  {
    method: 'GET',
    path: '/metadata/taskdefs/{name}',
    role: 'viewer',
    handle: async ({ flows, namespace, path: { name = '' } }) => {
      const found = await flows.definitions.findTask(namespace, name);
      if (found === undefined) throw notFound(`No such taskType found by name: ${name}`);
      return json(taskDefinitionJson(found));
    },
  },
  {
    method: 'DELETE',
    path: '/metadata/taskdefs/{name}',
    role: 'operator',
    handle: async (call) => {
      const { name = '' } = call.path;
      if (await call.flows.definitions.removeTask(call.namespace, name, by(call, 'remove'))) return empty;
      throw notFound('No such task definition');
    },
  },
];

function versionJson({ definition, createTime, updateTime }: RegisteredWorkflowDefinition): object {
  const { name, version } = definition;
  return { name, version, createTime, ...(updateTime === 0 ? {} : { updateTime }) };
}

export function noSuchDefinition(name: string, version: number | undefined): ServiceError {
  return notFound(`No such workflow found by name: ${name}, version: ${version ?? 'null'}`);
}

function notFound(message: string): ServiceError {
  return new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message });
}

function by({ caller }: FlowCall, action: string): DocumentChange {
  return { actor: caller.actor, door: caller.door, action };
}

function listOf({ body }: FlowCall): readonly unknown[] {
  const value = body();
  if (!Array.isArray(value)) throw refused('', 'the body must be a list of definitions');
  if (value.length > mostAtOnce) throw refused('', `at most ${mostAtOnce} definitions are taken at once`);
  return value;
}
