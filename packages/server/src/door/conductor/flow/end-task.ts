/** Ends tasks from outside, by their name or id, for clients and operators. */
import { given, ServiceError } from 'carillon/internal/base';
import type { FlowTask } from '../../../flow/flow.ts';
import { isOpenTask } from '../../../flow/flow.ts';
import type { TaskResult } from '../../../flow/flow-changes.ts';
import { refused, textOf } from '../query-parameter.ts';
import { objectOf } from './argument.ts';
import type { FlowCall } from './operation.ts';

const statuses = [
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'FAILED_WITH_TERMINAL_ERROR',
  'CANCELED',
  'TIMED_OUT',
] as const;

export function taskStatusOf(word: string): TaskResult['status'] {
  const status = statuses.find((each) => each === word);
  if (status === undefined)
    throw refused('status', `'${word}' is not a status of a task; use ${statuses.join(', ')}`);
  return status;
}

/** Returns the id of the ended task; undefined when no open task has the reference name. */
export async function endByReference(call: FlowCall): Promise<string | undefined> {
  const { reference = '' } = call.path;
  return await endNamed(call, (task) => task.reference === reference || task.written === reference);
}

/** Returns the id of the ended task; undefined when the task is not open. */
export async function endById(call: FlowCall): Promise<string | undefined> {
  const { taskId = '' } = call.path;
  return await endNamed(call, ({ id }) => id === taskId);
}

async function endNamed(call: FlowCall, matches: (task: FlowTask) => boolean): Promise<string | undefined> {
  const { flows, namespace, query } = call;
  const { workflowId = '', status: word = '' } = call.path;
  const status = taskStatusOf(word);
  const output = objectOf(call);
  const seen = await flows.reads.find(namespace, workflowId);
  const task = seen?.flow.tasks.findLast((each) => isOpenTask(each) && matches(each));
  if (task === undefined) return undefined;
  const workerId = textOf(query, 'workerid');
  await flows.changes.update(namespace, { taskId: task.id, status, output, ...given({ workerId }) });
  return task.id;
}

/** Ends the first open WAIT task of the workflow. Returns false when there is none. */
export async function endWaiting(call: FlowCall): Promise<boolean> {
  const { flows, namespace } = call;
  const { workflowId = '', status: word = '' } = call.path;
  const status = taskStatusOf(word);
  const output = objectOf(call);
  const { flow } = await flows.reads.get(namespace, workflowId);
  const task = flow.tasks.find((each) => isOpenTask(each) && each.type === 'WAIT');
  if (task === undefined) return false;
  await flows.changes.update(namespace, { taskId: task.id, status, output });
  return true;
}

export function notFound(message: string): ServiceError {
  return new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message });
}
