/** Changes of workflows by people and by workers. Each is one transaction, including its consequences. */

import type { RunRow, Runtime } from 'carillon/internal/archetype';
import { extend, failAttempt, failureTypes, finish, saveRun } from 'carillon/internal/archetype';
import { addTime, given, isServiceError, ServiceError } from 'carillon/internal/base';
import { advance } from './advance.ts';
import {
  failedChild,
  pauseFlow,
  rejoinFlow,
  restartFlow,
  resumeFlow,
  retryFlow,
  skipTask,
  terminateFlow,
} from './controls.ts';
import type { Parameters } from './definition.ts';
import type { Flow, FlowOrigin, FlowParent, FlowTask } from './flow.ts';
import { isEnded, isOpenTask, workflowOfTask } from './flow.ts';
import { noSuchFlow } from './flow-reads.ts';
import { startJob } from './flow-runs.ts';
import type { FlowStarts } from './flow-starts.ts';
import type { FlowNode } from './flow-tree.ts';
import { FlowRoot, flowKey, loadFlow, newState, writeNewFlow } from './flow-tree.ts';
import type { Rerun } from './rerun.ts';
import { rerunFlow } from './rerun.ts';
import { msOf } from './seconds.ts';
import type { TaskEndStatus } from './task-end.ts';
import { endTask, noteProgress } from './task-end.ts';

/** A worker's report about a task. */
export interface TaskResult {
  readonly taskId: string;
  readonly status: 'IN_PROGRESS' | TaskEndStatus;
  readonly output?: Parameters;
  readonly reason?: string;
  readonly workerId?: string;
  readonly callbackAfterSeconds?: number;
  /** Whether the report only extends the time in which the worker must report again. */
  readonly extendLease?: boolean;
}

export class FlowChanges {
  readonly #runtime: Runtime;
  readonly #starts: FlowStarts;

  constructor(runtime: Runtime, starts: FlowStarts) {
    this.#runtime = runtime;
    this.#starts = starts;
  }

  async pause(namespace: string, id: string): Promise<void> {
    await this.#control(namespace, id, (flow, { now }) => pauseFlow(flow, now));
  }

  async resume(namespace: string, id: string): Promise<void> {
    await this.#control(namespace, id, (flow, { now }) => resumeFlow(flow, now));
  }

  /** Decides the workflow again now. */
  async decide(namespace: string, id: string): Promise<void> {
    await this.#control(namespace, id, (flow) => flow);
  }

  async skip(namespace: string, id: string, reference: string): Promise<void> {
    await this.#control(namespace, id, (flow, { now }) => skipTask(flow, reference, now));
  }

  async terminate(namespace: string, id: string, reason?: string): Promise<void> {
    await this.#control(namespace, id, (flow, { now }) => terminateFlow(flow, reason, now));
    await this.#settle(namespace, id);
  }

  /** `intoChild` repeats the failed tasks of the failed sub-workflow, instead of starting another sub-workflow. */
  async retry(
    namespace: string,
    id: string,
    { intoChild = false }: { readonly intoChild?: boolean } = {},
  ): Promise<void> {
    const child = intoChild ? failedChild((await this.#read(namespace, id)).flow) : undefined;
    if (child !== undefined) await this.retry(namespace, child, { intoChild });
    else await this.#reopen(namespace, id, (flow, { now }) => retryFlow(flow, now));
  }

  async restart(namespace: string, id: string, { latest }: { readonly latest: boolean }): Promise<void> {
    const { flow } = await this.#read(namespace, id);
    const { definition } = flow.origin;
    const now = latest ? await this.#starts.definition(namespace, definition.name) : definition;
    const taskDefinitions = latest
      ? await this.#starts.taskDefinitions(namespace, now)
      : flow.origin.taskDefinitions;
    await this.#reopen(namespace, id, (before, root) =>
      restartFlow(before, {
        ...before.origin,
        definition: now,
        taskDefinitions,
        startedAt: root.now,
      } satisfies FlowOrigin),
    );
  }

  /** Reruns the workflow. The first task may also be one of a sub-workflow, at any depth. */
  async rerun(namespace: string, id: string, rerun: Rerun): Promise<void> {
    const below = rerun.fromTask === undefined ? undefined : workflowOfTask(rerun.fromTask);
    const chain = below === undefined || below === id ? [] : await this.#chain(namespace, below);
    if (below === undefined || !chain.includes(id)) {
      await this.#reopen(namespace, id, (flow, { now }) => rerunFlow(flow, rerun, now));
      return;
    }
    const { fromTask, taskInput, ...top } = rerun;
    await this.#reopen(
      namespace,
      below,
      (flow, { now }) => rerunFlow(flow, given({ fromTask, taskInput }), now),
      (flow, { taskId }, { child, now }) => {
        const own = flow.origin.workflowId === id ? top : {};
        const isBelow = chain.indexOf(flow.origin.workflowId) <= chain.indexOf(id);
        return isBelow ? rerunFlow(flow, { ...own, child, ...given({ fromTask: taskId }) }, now) : undefined;
      },
    );
  }

  /** Removes a workflow with everything stored about it. An open one must be ended first. */
  async remove(namespace: string, id: string): Promise<void> {
    const { flow } = await this.#read(namespace, id);
    if (!isEnded(flow)) {
      const message = `Workflow ${id} is ${flow.status}; terminate it first`;
      throw new ServiceError({ code: 'alreadyExists', reason: 'STILL_RUNNING', message });
    }
    await this.#settle(namespace, id);
    await this.#runtime.engine.delete(flowKey(namespace, id));
  }

  /** Changes variables of a running workflow. */
  async setVariables(namespace: string, id: string, variables: Parameters): Promise<void> {
    await this.#control(namespace, id, (flow, { now }) => ({
      ...flow,
      variables: { ...flow.variables, ...variables },
      updatedAt: now,
    }));
  }

  /** Applies a report of a worker, or of a person, about a task. A task that has ended does not change. */
  async update(namespace: string, result: TaskResult): Promise<void> {
    const { engine } = this.#runtime;
    const { flow, incarnation } = await this.#taskOwner(namespace, result.taskId);
    const task = flow.tasks.find(({ id }) => id === result.taskId);
    if (task === undefined) throw noSuchTask(result.taskId);
    if (task.run === null) {
      await engine.update(
        FlowRoot,
        flowKey(namespace, flow.origin.workflowId),
        (root) => {
          applyResult(root, result, undefined);
        },
        { evenClosed: true },
      );
      return;
    }
    await engine.transact({ kind: 'runs', ids: [task.run] }, (batch) => {
      const [run] = batch.runs;
      const row = batch.rows.find((each) => each.incarnation === incarnation);
      if (row === undefined) return;
      const root = batch.open(row).root as unknown as FlowNode;
      const changed = applyResult(root, result, run?.state === 'done' ? undefined : run);
      if (changed !== undefined) saveRun(batch, changed);
    });
    if (result.status === 'IN_PROGRESS') this.#runtime.examineRunsBy(this.#runtime.clock.now());
  }

  async #taskOwner(namespace: string, taskId: string) {
    const workflowId = workflowOfTask(taskId);
    if (workflowId === undefined) throw noSuchTask(taskId);
    const [row] = await this.#runtime.store.read({ keys: [flowKey(namespace, workflowId)] });
    if (row === undefined) throw noSuchTask(taskId);
    const flow = await this.#runtime.engine.view(FlowRoot, row, row.key, loadFlow);
    return { flow, incarnation: row.incarnation };
  }

  async #read(namespace: string, id: string): Promise<{ readonly flow: Flow; readonly isStopping: boolean }> {
    return await mustExist(
      id,
      this.#runtime.engine.read(FlowRoot, flowKey(namespace, id), (root) => ({
        flow: loadFlow(root),
        isStopping: root.state.stopping !== null,
      })),
    );
  }

  async #control(namespace: string, id: string, change: (flow: Flow, root: FlowNode) => Flow): Promise<void> {
    const { engine } = this.#runtime;
    await mustExist(
      id,
      engine.update(
        FlowRoot,
        flowKey(namespace, id),
        (root) => {
          advance(root, (flow) => change(flow, root));
        },
        { evenClosed: true },
      ),
    );
  }

  /** Stops the runs of a workflow that has ended, so that it can be removed or restarted. */
  async #settle(namespace: string, id: string): Promise<void> {
    const { engine, runs } = this.#runtime;
    const key = flowKey(namespace, id);
    const stopping = await engine.read(FlowRoot, key, ({ incarnation, state }) => ({
      incarnation,
      upTo: state.stopping,
    }));
    if (stopping.upTo === null) return;
    await runs.stopOwned({
      incarnation: stopping.incarnation,
      upTo: stopping.upTo,
      how: 'terminate',
      reason: 'the workflow has ended',
    });
    await engine.update(
      FlowRoot,
      key,
      (root) => {
        if (root.state.stopping !== null) root.set({ ...root.state, stopping: null });
      },
      { evenClosed: true },
    );
  }

  /**
   * Restarts a workflow under its id, together with those that failed because of it: its parent, the parent's parent, and so
   * on. A closed execution never opens again, so each workflow becomes a new incarnation, which takes over the tasks, and the
   * old one is removed, all in one commit.
   */
  async #reopen(
    namespace: string,
    id: string,
    change: (flow: Flow, root: { readonly now: FlowNode['now'] }) => Flow,
    rejoining: Rejoining = () => undefined,
  ): Promise<void> {
    const { engine, newId } = this.#runtime;
    const chain = await this.#chain(namespace, id);
    if (chain.length === 0) throw noSuchFlow(id);
    await engine.transact({ kind: 'keys', keys: chain.map((each) => flowKey(namespace, each)) }, (batch) => {
      const begin = (of: string, next: (before: Flow) => Flow | undefined): Flow | undefined => {
        const key = flowKey(namespace, of);
        const row = batch.rowOf(key);
        if (row === undefined) return undefined;
        const old = batch.open(row).root as unknown as FlowNode;
        const before = loadFlow(old);
        const changed = next(before);
        if (changed === undefined) return undefined;
        // A workflow that still runs stays the same incarnation; only its task waits again, with another run.
        if (!isEnded(before)) return waitAgain(old, before, changed);
        // The parent comes first, because this workflow reports its end to the run that waits there.
        const { parent } = changed.origin;
        const joined = parent === undefined ? undefined : rejoin(parent, of);
        const root = batch.create(key, newId(), newState(changed)).root as unknown as FlowNode;
        writeNewFlow(
          root,
          joined === undefined ? changed : { ...changed, origin: { ...changed.origin, parent: joined } },
        );
        batch.remove(row.incarnation);
        return advance(root);
      };
      const rejoin = (parent: FlowParent, child: string): FlowParent | undefined => {
        const { workflowId, taskId } = parent;
        if (workflowId === undefined || !chain.includes(workflowId)) return undefined;
        const { now } = batch;
        const after = begin(
          workflowId,
          (before) => rejoining(before, parent, { child, now }) ?? rejoinFlow(before, parent, child, now),
        );
        const run = after?.tasks.find((task) => task.id === taskId)?.run ?? null;
        return run === null ? undefined : { ...parent, run };
      };
      const begun = begin(id, (before) => change(before, { now: batch.now }));
      if (begun === undefined) throw noSuchFlow(id);
    });
  }

  /** The workflow and its parents that wait for it, each ready to be restarted; empty when no workflow has this id. */
  async #chain(namespace: string, id: string): Promise<readonly string[]> {
    const chain: string[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < deepestChain; ) {
      const [row] = await this.#runtime.store.read({ keys: [flowKey(namespace, next)] });
      // A parent that was removed no longer waits.
      if (row === undefined) break;
      const { flow, isStopping }: { readonly flow: Flow; readonly isStopping: boolean } = await this.#read(
        namespace,
        next,
      );
      if (isEnded(flow) && isStopping) await this.#settle(namespace, next);
      chain.push(next);
      next = flow.origin.parent?.workflowId;
    }
    return chain;
  }
}

/** Applies a change to a running workflow, and stops the runs that its tasks no longer wait for. */
function waitAgain(root: FlowNode, before: Flow, changed: Flow): Flow {
  const kept = new Set(changed.tasks.map(({ run }) => run));
  const runs = before.tasks.flatMap(({ run }) => (run === null || kept.has(run) ? [] : [run]));
  if (runs.length > 0) startJob(root, 'stopOverdue', { runs });
  return advance(root, () => changed);
}

/** Changes a workflow whose sub-workflow was restarted. Returns undefined to change it as after a retry. */
type Rejoining = (
  flow: Flow,
  waiting: FlowParent,
  around: { readonly child: string; readonly now: FlowNode['now'] },
) => Flow | undefined;

/** The most levels of sub-workflows that are restarted together; parents above them do not change. */
const deepestChain = 20;

/** Applies a report to the tree. Returns the changed run. */
function applyResult(root: FlowNode, result: TaskResult, run: RunRow | undefined): RunRow | undefined {
  const { taskId, status, output, reason, workerId } = result;
  const task = loadFlow(root).tasks.find(({ id }) => id === taskId);
  if (task === undefined || !isOpenTask(task)) return undefined;
  const seen = {
    startedAt: run?.startedAt ?? task.startedAt,
    ...given({ workerId, reason }),
    ...(output === undefined ? {} : { output }),
  };
  if (status === 'IN_PROGRESS') return keepOpen(root, task, result, run);
  const pollCount = task.pollCount + (run?.attempt ?? 0);
  advance(
    root,
    (flow) => endTask(flow, taskId, { status, ...seen, pollCount, fromOutside: true }, root.now),
    run,
  );
  return run === undefined ? undefined : endedRun(run, result, root);
}

/** Applies a report of a worker that has returned the task for a while, or still works on it. */
function keepOpen(
  root: FlowNode,
  task: FlowTask,
  result: TaskResult,
  run: RunRow | undefined,
): RunRow | undefined {
  const { taskId, output, workerId, reason, callbackAfterSeconds = 0, extendLease = false } = result;
  if (extendLease) return run?.state === 'leased' ? extend(run, { now: root.now }) : undefined;
  advance(root, (flow) =>
    noteProgress(
      flow,
      taskId,
      {
        callbackAfterSeconds,
        startedAt: run?.startedAt ?? task.startedAt,
        pollCount: task.pollCount + (run?.attempt ?? 0),
        ...given({ output, workerId, reason }),
      },
      root.now,
    ),
  );
  if (run === undefined) return undefined;
  return {
    ...run,
    state: 'waiting',
    attempt: 0,
    availableAt: addTime(root.now, msOf(callbackAfterSeconds)),
    checkAt: null,
    worker: '',
    leaseToken: '',
  };
}

/** Ends the run of a reported task. The output is stored with the task, so the run has only the outcome. */
function endedRun(run: RunRow, { status, reason = '' }: TaskResult, { now }: FlowNode): RunRow {
  switch (status) {
    case 'COMPLETED':
      return finish(run, 'completed', null, now);
    case 'CANCELED':
      return finish(run, 'cancelled', JSON.stringify({ message: reason, type: failureTypes.cancelled }), now);
    default:
      return failAttempt(
        { ...run, cancel: 'none' },
        { message: reason, type: status, nonRetryable: true },
        now,
      );
  }
}

export function noSuchTask(id: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NO_SUCH_TASK',
    message: `No such task found by id: ${id}`,
  });
}

async function mustExist<T>(id: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error) && error.code === 'notFound' && error.reason === 'NOT_FOUND')
      throw noSuchFlow(id);
    throw error;
  }
}
