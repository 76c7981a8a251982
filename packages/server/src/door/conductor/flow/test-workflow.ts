/**
 * Runs a workflow with answers from the request instead of workers (`POST /workflow/test`). Its tasks wait in a domain of
 * their own, so no worker receives them; an HTTP task with an answer makes no request.
 */
import { randomUUID } from 'node:crypto';
import type { WorkflowDefinition, WorkflowTask } from '../../../flow/definition.ts';
import type { Flow, FlowTask } from '../../../flow/flow.ts';
import { isEnded, isOpenTask } from '../../../flow/flow.ts';
import type { StartFlow } from '../../../flow/flow-starts.ts';
import type { Fields } from '../../../flow/read-fields.ts';
import { isFields } from '../../../flow/read-fields.ts';
import { refused } from '../query-parameter.ts';
import { objectOf } from './argument.ts';
import { flowJson } from './flow-json.ts';
import type { FlowAnswer, FlowCall } from './operation.ts';
import { json } from './operation.ts';

/** The answers of a workflow's tasks, by reference name, and of its sub-workflows. */
interface Script {
  readonly answers: Map<string, TaskAnswer[]>;
  readonly children: ReadonlyMap<string, Script>;
}

interface TaskAnswer {
  readonly status:
    | 'COMPLETED'
    | 'FAILED'
    | 'FAILED_WITH_TERMINAL_ERROR'
    | 'IN_PROGRESS'
    | 'TIMED_OUT'
    | 'CANCELED';
  readonly output: Fields;
}

const statuses: readonly TaskAnswer['status'][] = [
  'COMPLETED',
  'FAILED',
  'FAILED_WITH_TERMINAL_ERROR',
  'IN_PROGRESS',
  'TIMED_OUT',
  'CANCELED',
];

/** How long a test waits for a step without an answer of the request: a script, a short WAIT, a sub-workflow. */
const longestStepMs = 10_000;
/** Steps of one test; a workflow has at most 2,000 tasks. */
const mostSteps = 10_000;

export async function testWorkflow(
  call: FlowCall,
  startRequest: (body: unknown) => StartFlow,
): Promise<FlowAnswer> {
  const { flows, namespace } = call;
  const sent = objectOf(call);
  const request = startRequest(sent);
  const script = readScript(sent, '');
  const found =
    request.definition ?? (await flows.starts.definition(namespace, request.name, request.version));
  const domain = `test-${randomUUID()}`;
  const id = await flows.starts.start(namespace, {
    ...request,
    definition: withoutRequests(found, script.answers),
    taskToDomain: { ...request.taskToDomain, '*': domain },
  });
  await play(call, id, script);
  return json(flowJson(await flows.reads.get(namespace, id)));
}

function readScript(sent: Fields, at: string): Script {
  const { taskRefToMockOutput: mocks = {}, subWorkflowTestRequest: inner = {} } = sent;
  if (!isFields(mocks)) throw refused(`${at}taskRefToMockOutput`, 'must be an object');
  if (!isFields(inner)) throw refused(`${at}subWorkflowTestRequest`, 'must be an object');
  const answers = Object.entries(mocks).map(([reference, list]) => {
    const path = `${at}taskRefToMockOutput.${reference}`;
    if (!Array.isArray(list)) throw refused(path, 'must be a list of answers');
    return [reference, list.map((each) => readAnswer(each, path))] as const;
  });
  const children = Object.entries(inner).map(
    ([reference, request]) =>
      [
        reference,
        readScript(isFields(request) ? request : {}, `${at}subWorkflowTestRequest.${reference}.`),
      ] as const,
  );
  return { answers: new Map(answers), children: new Map(children) };
}

function readAnswer(given: unknown, path: string): TaskAnswer {
  const { status: word = 'COMPLETED', output = {} } = isFields(given) ? given : {};
  const status = statuses.find((each) => each === word);
  if (status === undefined) throw refused(`${path}.status`, `must be one of ${statuses.join(', ')}`);
  return { status, output: isFields(output) ? output : {} };
}

/** HTTP tasks with an answer become tasks that wait for it. */
function withoutRequests(definition: WorkflowDefinition, answers: Script['answers']): WorkflowDefinition {
  const changed = (task: WorkflowTask): WorkflowTask => ({
    ...task,
    type: task.type === 'HTTP' && answers.has(task.taskReferenceName) ? 'SIMPLE' : task.type,
    decisionCases: Object.fromEntries(
      Object.entries(task.decisionCases).map(([word, tasks]) => [word, tasks.map(changed)]),
    ),
    defaultCase: task.defaultCase.map(changed),
    forkTasks: task.forkTasks.map((tasks) => tasks.map(changed)),
    loopOver: task.loopOver.map(changed),
  });
  return { ...definition, tasks: definition.tasks.map(changed) };
}

/** Gives the answers one after the other, until the workflow has ended or a task without an answer waits. */
async function play(call: FlowCall, id: string, script: Script): Promise<void> {
  const { flows, namespace } = call;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const { flow } = await flows.reads.get(namespace, id);
    const open = flow.tasks.filter(isOpenTask);
    if (isEnded(flow)) return;
    const next = open.find((task) => (answersOf(task, script)?.length ?? 0) > 0);
    const answer = next === undefined ? undefined : answersOf(next, script)?.shift();
    if (next !== undefined && answer !== undefined) {
      const { status, output } = answer;
      await flows.changes.update(namespace, { taskId: next.id, status, output });
      continue;
    }
    for (const { type, run, child = run, reference } of open) {
      const inner = script.children.get(reference);
      if (type !== 'SUB_WORKFLOW' || inner === undefined || child === null) continue;
      if (await flows.reads.waitForStart(namespace, child, { forMs: longestStepMs }))
        await play(call, child, inner);
    }
    if (open.some(({ type }) => type === 'SIMPLE')) return;
    const { isTimedOut } = await flows.reads.wait(namespace, id, (now) => hasMoved(flow, now), {
      forMs: longestStepMs,
      signals: [call.signal, call.leaving],
    });
    if (isTimedOut) return;
  }
}

function answersOf({ reference, written }: FlowTask, { answers }: Script): TaskAnswer[] | undefined {
  return answers.get(reference) ?? answers.get(written);
}

function hasMoved(before: Flow, now: Flow): boolean {
  return isEnded(now) || now.updatedAt !== before.updatedAt || now.tasks.length !== before.tasks.length;
}
