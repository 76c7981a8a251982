/** Definitions as Conductor shows them: every field is there, also those that only other servers use. */

import type { TaskDefinition, WorkflowDefinition, WorkflowTask } from '../../../flow/definition.ts';
import type {
  RegisteredTaskDefinition,
  RegisteredWorkflowDefinition,
  Stamps,
} from '../../../flow/definitions.ts';

export function workflowDefinitionJson({ definition, ...stamps }: RegisteredWorkflowDefinition): object {
  return definitionJson(definition, stamps);
}

/** `tasks` adds the definitions of its task types, by name, as a running workflow shows them. */
export function definitionJson(
  definition: WorkflowDefinition,
  { createTime, updateTime }: Stamps = { createTime: 0, updateTime: 0 },
  taskDefinitions: Readonly<Record<string, TaskDefinition>> = {},
): object {
  return {
    createTime,
    updateTime,
    ...definition,
    tasks: definition.tasks.map((task) => workflowTaskJson(task, taskDefinitions)),
    enforceSchema: true,
    metadata: {},
    maskedFields: [],
  };
}

export function workflowTaskJson(
  task: WorkflowTask,
  definitions: Readonly<Record<string, TaskDefinition>> = {},
): object {
  const inner = (tasks: readonly WorkflowTask[]) => tasks.map((each) => workflowTaskJson(each, definitions));
  const { subWorkflowParam: sub } = task;
  const defined = Object.hasOwn(definitions, task.name) ? definitions[task.name] : undefined;
  return {
    ...task,
    decisionCases: Object.fromEntries(
      Object.entries(task.decisionCases).map(([word, tasks]) => [word, inner(tasks)]),
    ),
    defaultCase: inner(task.defaultCase),
    forkTasks: task.forkTasks.map(inner),
    loopOver: inner(task.loopOver),
    ...(sub?.workflowDefinition === undefined
      ? {}
      : { subWorkflowParam: { ...sub, workflowDefinition: definitionJson(sub.workflowDefinition) } }),
    ...(defined === undefined
      ? {}
      : { taskDefinition: taskDefinitionJson({ definition: defined, createTime: 0, updateTime: 0 }) }),
    defaultExclusiveJoinTask: [],
    onStateChange: {},
    permissive: false,
    metadata: {},
  };
}

export function taskDefinitionJson({ definition, createTime, updateTime }: RegisteredTaskDefinition): object {
  const { pollTimeoutSeconds, ...shown } = definition;
  return {
    createTime,
    updateTime,
    createdBy: '',
    ...(updateTime === 0 ? {} : { updatedBy: '' }),
    ...shown,
    ...(pollTimeoutSeconds === 0 ? {} : { pollTimeoutSeconds }),
    runtimeMetadata: [],
    taskStatusListenerEnabled: true,
    enforceSchema: false,
  };
}
