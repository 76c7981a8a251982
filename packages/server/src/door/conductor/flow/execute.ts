/** Starts a workflow and waits: for its end, for the end of one of its tasks, or for the time given. */
import { given } from 'carillon/internal/base';
import type { Flow } from '../../../flow/flow.ts';
import { isEnded, isOpenTask } from '../../../flow/flow.ts';
import type { SeenFlow } from '../../../flow/flow-reads.ts';
import type { StartFlow } from '../../../flow/flow-starts.ts';
import type { Fields } from '../../../flow/read-fields.ts';
import { intOf, refused, textOf } from '../query-parameter.ts';
import { objectOf } from './argument.ts';
import { flowJson } from './flow-json.ts';
import type { FlowAnswer, FlowCall } from './operation.ts';
import { json } from './operation.ts';

const defaultSeconds = 10;
const longestSeconds = 60;

export async function executeWorkflow(
  call: FlowCall,
  startRequest: (body: unknown) => StartFlow,
): Promise<FlowAnswer> {
  const { flows, namespace, path, query } = call;
  const { name = '', version = '' } = path;
  if (!/^-?\d+$/.test(version)) throw refused('version', `'${version}' is not a whole number`);
  const { version: _, ...request } = startRequest({ ...objectOf(call), name });
  // In this operation only, version 0 means the latest.
  const id = await flows.starts.start(namespace, {
    ...request,
    ...(version === '0' ? {} : { version: Number(version) }),
  });
  const reference = textOf(query, 'waitUntilTaskRef');
  const seconds = Math.min(intOf(query, 'waitForSeconds') ?? defaultSeconds, longestSeconds);
  const isReached = (flow: Flow) =>
    isEnded(flow) ||
    (reference !== undefined && flow.tasks.some((task) => task.reference === reference && !isOpenTask(task)));
  const { flow, runs, isTimedOut } = await flows.reads.wait(namespace, id, isReached, {
    forMs: Math.max(0, seconds) * 1000,
    signals: [call.signal, call.leaving],
  });
  return json(signalJson({ flow, runs }, { requestId: textOf(query, 'requestId') ?? '', isTimedOut }));
}

/** A workflow as the answer to a caller that waited for it. */
export function signalJson(
  seen: SeenFlow,
  { requestId, isTimedOut }: { readonly requestId?: string; readonly isTimedOut: boolean },
): object {
  const { workflowId } = seen.flow.origin;
  const { input, output, priority, variables, tasks, createTime, updateTime, status, correlationId } =
    flowJson(seen) as Fields;
  return {
    responseType: 'TARGET_WORKFLOW',
    targetWorkflowId: workflowId,
    targetWorkflowStatus: status,
    ...given({ requestId, correlationId }),
    workflowId,
    input,
    output,
    signalTimeout: isTimedOut,
    priority,
    variables,
    tasks,
    createTime,
    updateTime,
    status,
  };
}
