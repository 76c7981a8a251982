/**
 * Reruns an ended workflow with other input: from the first task, or from a task that ran. That task keeps its id and its
 * position. Tasks that were scheduled after it are dropped; tasks of other branches that failed or were cancelled before it are
 * repeated. Loops around it continue in its iteration, and joins wait for it again.
 */
import type { Instant } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import { refusal, shownName, withoutReason } from './controls.ts';
import type { Parameters, WorkflowTask } from './definition.ts';
import { innerLists } from './definition.ts';
import type { Flow, FlowOrigin, FlowTask } from './flow.ts';
import { isEnded, isSuccessful } from './flow.ts';
import { newTask } from './new-task.ts';

export interface Rerun {
  readonly input?: Parameters;
  readonly correlationId?: string;
  readonly fromTask?: string;
  readonly taskInput?: Parameters;
  /** For a SUB_WORKFLOW task: the restarted workflow that the task waits for. */
  readonly child?: string;
}

export function rerunFlow(flow: Flow, rerun: Rerun, now: Instant): Flow {
  if (!isEnded(flow)) {
    throw refusal(
      'alreadyExists',
      'STILL_RUNNING',
      `Workflow: ${shownName(flow)} is not in terminal state, unable to rerun.`,
    );
  }
  const { fromTask } = rerun;
  const from = fromTask === undefined ? undefined : flow.tasks.find(({ id }) => id === fromTask);
  if (fromTask !== undefined && from === undefined)
    throw refusal('invalidArgument', 'NO_SUCH_TASK', `Task ${fromTask} not found`);
  const origin: FlowOrigin = {
    ...flow.origin,
    startedAt: now,
    ...given({ input: rerun.input, correlationId: rerun.correlationId }),
  };
  const { reason: _, ...kept } = flow;
  const begun: Flow = { ...kept, origin, status: 'RUNNING', updatedAt: now, failedReferences: [] };
  if (from === undefined) return { ...begun, tasks: [], variables: origin.definition.variables };
  const { child, taskInput: input } = rerun;
  const again: FlowTask = { ...notBegun(from, now), retryCount: 0, ...given({ input, child }) };
  const waiting = waitingFor(from, origin.definition.tasks);
  const before = flow.tasks.filter(({ seq }) => seq < from.seq);
  const newest = new Map(before.map((task) => [task.reference, task.id]));
  const reopened = before.map((task): FlowTask => {
    if (newest.get(task.reference) !== task.id || task.reference === from.reference) return task;
    const iteration = waiting.get(task.reference);
    if (iteration === 'join') return goingOn({ ...task, output: {} });
    if (iteration !== undefined) return inIteration(task, iteration);
    if (isSuccessful(task)) return task;
    return task.type === 'JOIN' || task.type === 'DO_WHILE' ? goingOn(task) : notBegun(task, now);
  });
  return { ...begun, tasks: [...reopened, again] };
}

/** The same instance in the state in which it has not begun. */
function notBegun(task: FlowTask, now: Instant): FlowTask {
  const { id, ordinal, seq, retryCount } = task;
  return { ...newTask(task, now), id, ordinal, seq, retryCount };
}

/** The loop in the state in which it waits for an iteration, with the outputs of the earlier iterations. */
function inIteration(loop: FlowTask, iteration: number): FlowTask {
  const earlier = Object.entries(loop.output).filter(
    ([word]) => !/^\d+$/.test(word) || Number(word) < iteration,
  );
  return goingOn({ ...loop, iteration, output: { ...Object.fromEntries(earlier), iteration } });
}

function goingOn(task: FlowTask): FlowTask {
  return { ...withoutReason(task), status: 'IN_PROGRESS', endedAt: null, run: null };
}

/**
 * The tasks that wait for a task, by reference name: the loops around it, each with the iteration that the task belongs to, and
 * the joins of the forks around it.
 */
function waitingFor(
  { reference, written }: FlowTask,
  tasks: readonly WorkflowTask[],
): ReadonlyMap<string, number | 'join'> {
  const iterations = reference.slice(written.length).split('__').slice(1).map(Number);
  const waiting = new Map<string, number | 'join'>();
  let suffix = '';
  for (const { type, taskReferenceName } of pathTo(tasks, written) ?? []) {
    const iteration = type === 'DO_WHILE' ? (iterations.shift() ?? 1) : 'join';
    waiting.set(`${taskReferenceName}${suffix}`, iteration);
    if (iteration !== 'join') suffix += `__${iteration}`;
  }
  return waiting;
}

/** The loops around a task of the definition and the joins of the forks around it, outermost first; undefined when not found. */
function pathTo(tasks: readonly WorkflowTask[], written: string): readonly WorkflowTask[] | undefined {
  for (const [index, task] of tasks.entries()) {
    if (task.taskReferenceName === written) return [];
    for (const list of innerLists(task)) {
      const inner = pathTo(list, written);
      if (inner === undefined) continue;
      // A fork is followed by its join.
      const next = tasks[index + 1];
      if (task.type === 'FORK_JOIN' && next !== undefined) return [next, ...inner];
      return task.type === 'DO_WHILE' ? [task, ...inner] : inner;
    }
  }
  return undefined;
}
