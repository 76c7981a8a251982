/** Starts a workflow and waits: for its end, for the end of one of its tasks, or for the time given. */
import type { Flow } from '../../../flow/flow.ts';
import { isEnded, isOpenTask } from '../../../flow/flow.ts';
import type { StartFlow } from '../../../flow/flow-starts.ts';
import { intOf, refused, textOf } from '../query-parameter.ts';
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
  if (!/^\d+$/.test(version)) throw refused('version', `'${version}' is not a whole number`);
  const sent = call.text.trim() === '' ? { name } : call.body();
  const { version: _, ...request } = startRequest({ ...(sent as object), name });
  // Version 0 means the latest here, and only here.
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
  const shown = flowJson({ flow, runs }) as Readonly<Record<string, unknown>>;
  const { input, output, priority, variables, tasks, createTime, updateTime, status, correlationId } = shown;
  return json({
    responseType: 'TARGET_WORKFLOW',
    targetWorkflowId: id,
    targetWorkflowStatus: status,
    requestId: textOf(query, 'requestId') ?? '',
    workflowId: id,
    ...(correlationId === undefined ? {} : { correlationId }),
    input,
    output,
    signalTimeout: isTimedOut,
    priority,
    variables,
    tasks,
    createTime,
    updateTime,
    status,
  });
}
