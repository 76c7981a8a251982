/** The handlers of the workflow queue: requests, scripts, sub-workflows, and the work after the end of a workflow. */
import type { Handler, RunContext, Runtime, WorkerQueue } from 'carillon/internal/archetype';
import { failAttempt, finish, NonRetryable, park, saveRun } from 'carillon/internal/archetype';
import { given, isServiceError } from 'carillon/internal/base';
import { endReportOf, pollTimedOut } from './advance.ts';
import type { Parameters, SubWorkflow } from './definition.ts';
import type { EndReport } from './flow.ts';
import { isEnded } from './flow.ts';
import type { Flows } from './flow-archetype.ts';
import type { FlowChanges } from './flow-changes.ts';
import type { FlowJob } from './flow-runs.ts';
import type { FlowStarts } from './flow-starts.ts';
import type { HttpTasks } from './http-task.ts';
import type { RunScript, Script } from './script.ts';

export interface FlowJobsOptions {
  readonly runtime: Runtime;
  readonly flows: () => Pick<Flows, 'starts' | 'changes' | 'reads'>;
  readonly http: HttpTasks;
  readonly runScript: RunScript;
}

/** The input of a run that does the work of a task, as `startWork` writes it. */
interface Work<Input> {
  readonly input: Input;
  readonly taskId: string;
  readonly workflowId: string;
}

/** How long a sub-workflow may take; the limits of both workflows still apply. */
export const longestFlowMs = 365 * 24 * 3600 * 1000;

const concurrency = 200;

export function flowJobs({ runtime, flows, http, runScript }: FlowJobsOptions): WorkerQueue {
  const handlers: Readonly<Record<FlowJob, Handler<never>>> = {
    http: (context: RunContext<Work<Parameters>>) => http.perform(context.input.input, context),
    script: ({ input }: RunContext<Work<Script>>) => runScript(input.input),
    subWorkflow: (context: RunContext<Work<SubWork>>) => startSub(context, flows(), runtime),
    tellParent: (context: RunContext<EndReport>) => tellParent(context, flows(), runtime),
    startFailure: ({ input, namespace }: RunContext<FailureStart>) =>
      startFailure(input, namespace, flows().starts),
    pollTimeout: ({ input }: RunContext<PollLimit>) => checkPoll(input, runtime),
    stopOverdue: ({ input }: RunContext<Overdue>) => stopOverdue(input, runtime),
    endChild: (context: RunContext<ChildEnd>) => endChild(context, runtime, flows().changes),
  };
  return { concurrency, handlers };
}

interface SubWork {
  readonly param: SubWorkflow;
  readonly input: Parameters;
  /** The restarted sub-workflow, which reports its end to this run. */
  readonly child?: string;
}

async function startSub(
  { id, namespace, input: work }: RunContext<Work<SubWork>>,
  { starts, reads }: Pick<Flows, 'starts' | 'reads'>,
  runtime: Runtime,
): Promise<unknown> {
  const { param, input, child } = work.input;
  if (child !== undefined) {
    // The sub-workflow may have ended before this run existed.
    const again = (await reads.find(namespace, child))?.flow;
    if (again === undefined) throw new NonRetryable(`the sub-workflow ${child} was removed`);
    const parent = { run: id, workflowId: work.workflowId, taskId: work.taskId };
    if (isEnded(again)) await finishWaiting(id, endReportOf(parent, again), runtime);
    return park({ forMs: longestFlowMs });
  }
  const { name, version, taskToDomain, workflowDefinition: definition } = param;
  try {
    await starts.start(namespace, {
      name,
      input,
      // The workflow has the id of the run, so that a handler that is repeated after a crash finds it.
      id,
      parent: { run: id, workflowId: work.workflowId, taskId: work.taskId },
      ...given({ version: version === 0 ? undefined : version, taskToDomain, definition }),
    });
  } catch (error) {
    if (isServiceError(error) && error.reason === 'NO_SUCH_WORKFLOW') throw new NonRetryable(error.message);
    throw error;
  }
  return park({ forMs: longestFlowMs });
}

/** Reports the end of a workflow to the run that waits for it. A workflow that was restarted meanwhile reports its later end. */
async function tellParent(
  { input: report, namespace }: RunContext<EndReport>,
  { reads }: Pick<Flows, 'reads'>,
  runtime: Runtime,
): Promise<void> {
  const { run, workflowId, taskId, child } = report;
  if (workflowId === undefined) {
    await finishWaiting(run, report, runtime);
    return;
  }
  const ended = (await reads.find(namespace, child))?.flow;
  if (ended !== undefined && !isEnded(ended)) return;
  // When the parent was restarted too, the task waits with another run than the one that started the workflow.
  const task = (await reads.find(namespace, workflowId))?.flow.tasks.find(({ id }) => id === taskId);
  const isWaiting = task !== undefined && task.run !== null && (task.child ?? task.run) === child;
  if (isWaiting) await finishWaiting(task.run, report, runtime);
}

/**
 * Ends the run that waits for a workflow, under any lease: a handler that was repeated after a crash waits under another lease
 * than the one that started the workflow.
 */
async function finishWaiting(id: string, report: EndReport, { engine }: Runtime): Promise<void> {
  const { child, status, output, reason } = report;
  const message = reason ?? `the workflow ended as ${status}`;
  const details = { ...output, subWorkflowId: child };
  await engine.transact(
    { kind: 'runs', ids: [id] },
    (batch) => {
      const [run] = batch.runs;
      if (run === undefined || run.state === 'done') return;
      const free = { ...run, leaseToken: '' };
      saveRun(
        batch,
        status === 'COMPLETED'
          ? finish(free, 'completed', JSON.stringify(details), batch.now)
          : finish(free, 'failed', JSON.stringify({ message, type: status, details }), batch.now),
      );
    },
    { isolating: true },
  );
}

interface FailureStart {
  readonly id: string;
  readonly name: string;
  readonly input: Parameters;
  readonly correlationId?: string;
}

async function startFailure(
  { id, name, input, correlationId }: FailureStart,
  namespace: string,
  starts: FlowStarts,
): Promise<void> {
  await starts.start(namespace, { id, name, input, ...given({ correlationId }) });
}

interface PollLimit {
  readonly run: string;
  readonly seconds: number;
}

/** Fails a task that no worker has polled in time. */
async function checkPoll({ run: id, seconds }: PollLimit, { engine }: Runtime): Promise<void> {
  await engine.transact({ kind: 'runs', ids: [id] }, (batch) => {
    const [run] = batch.runs;
    if (run === undefined || run.state !== 'waiting' || run.startedAt !== null) return;
    const message = `Task poll timed out: no worker asked for it within ${seconds} seconds`;
    saveRun(batch, failAttempt(run, { message, type: pollTimedOut, nonRetryable: true }, batch.now));
  });
}

interface Overdue {
  readonly runs: readonly string[];
}

/** Stops the runs of tasks that exceeded their time limit. */
async function stopOverdue({ runs: ids }: Overdue, { runs }: Runtime): Promise<void> {
  await runs.terminate(ids, { reason: 'the task exceeded its time limit' });
}

interface ChildEnd {
  /** The run that waited for the sub-workflow. */
  readonly run: string;
  readonly child: string;
  readonly reason: string;
}

/** The most attempts to find a sub-workflow that may still be starting; the retries come after 1, 2 and 4 seconds. */
const mostAttempts = 4;

/**
 * Ends a sub-workflow whose parent no longer waits for it. Its run is stopped first, so that no other process starts it later.
 * If a process may be starting it at the moment, the search is repeated.
 */
async function endChild(
  { input, namespace, attempt }: RunContext<ChildEnd>,
  { runs }: Runtime,
  changes: FlowChanges,
): Promise<void> {
  const { run: id, child, reason } = input;
  await runs.terminate([id], { reason });
  try {
    await changes.terminate(namespace, child, reason);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // The sub-workflow has already ended.
    if (error.reason === 'WORKFLOW_ENDED') return;
    if (error.code !== 'notFound') throw error;
    const run = await runs.get(id);
    if (run !== undefined && run.startedAt !== null && attempt < mostAttempts) throw error;
  }
}
