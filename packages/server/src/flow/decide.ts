/**
 * Decides what follows from the state of a workflow, in one pure and synchronous function.
 *
 * The definition is a list of tasks, some with lists inside. `decide` walks it from the start at every event: it passes tasks
 * that have ended, schedules tasks that do not exist yet, and stops the walk of a list at an open task. The branches of a
 * FORK_JOIN are walked side by side. No position is stored, so a workflow that was interrupted anywhere continues from its
 * tasks alone.
 *
 * Tasks that need workers, requests, scripts or other workflows become *work*: runs, which the caller starts in the commit of
 * the new state. SET_VARIABLE, SWITCH by value, FORK_JOIN, JOIN, TERMINATE and NOOP end at once; WAIT waits for a time.
 */
import type { Instant } from 'carillon/internal/base';
import { addTime, given } from 'carillon/internal/base';
import type { WorkKind } from './begin-task.ts';
import { beginningOf, scriptOf } from './begin-task.ts';
import type { Parameters, TaskDefinition, WorkflowTask } from './definition.ts';
import { allTasks } from './definition.ts';
import type { Flow, FlowEnd, FlowTask } from './flow.ts';
import { isEnded, isFailed, isOpenTask, isSuccessful, mostFlowTasks, taskId } from './flow.ts';
import type { FlowEnding } from './flow-draft.ts';
import { FlowDraft } from './flow-draft.ts';
import { newTask } from './new-task.ts';
import { jitterMs, mayRetry, retryDelaySeconds, settingsOf } from './retry-delay.ts';
import { msOf } from './seconds.ts';
import type { TaskLimit } from './task-limit.ts';
import { begunAgainAt, isOverTotal, taskLimits } from './task-limit.ts';

/** Work that needs a run. */
export interface FlowWork {
  readonly task: FlowTask;
  readonly written: WorkflowTask;
  readonly settings: TaskDefinition;
  readonly kind: WorkKind;
  readonly input: unknown;
  readonly availableAt: Instant;
}

export interface FlowDecision {
  readonly flow: Flow;
  readonly work: readonly FlowWork[];
  /** The runs of tasks that exceeded their time limit; no task waits for them any more. */
  readonly overdue: readonly string[];
  /** When the workflow must be decided again without another event; null for never. */
  readonly wakeAt: Instant | null;
}

export function decide(flow: Flow, now: Instant): FlowDecision {
  if (flow.status !== 'RUNNING') return { flow, work: [], overdue: [], wakeAt: null };
  const deciding = new Deciding(flow, now);
  deciding.run();
  return deciding.decision();
}

/** Ends a workflow from outside: open tasks are cancelled, and its output is the one that its definition describes. */
export function endFlow(flow: Flow, end: Pick<FlowEnding, 'status' | 'reason'>, now: Instant): Flow {
  const draft = new FlowDraft(flow, now);
  draft.end(end);
  return draft.result();
}

/** The most rounds of one decision: each schedules a retry, or passes tasks that an earlier round ended. */
const mostRounds = mostFlowTasks + 10;

class Deciding {
  readonly #now: Instant;
  readonly #draft: FlowDraft;
  readonly #written: ReadonlyMap<string, WorkflowTask>;
  readonly #work: FlowWork[] = [];
  readonly #overdue: string[] = [];

  constructor(flow: Flow, now: Instant) {
    this.#now = now;
    this.#draft = new FlowDraft(flow, now);
    this.#written = new Map(
      [...allTasks(flow.origin.definition.tasks)].map((task) => [task.taskReferenceName, task]),
    );
  }

  run(): void {
    const limit = this.#timeLimit();
    if (limit !== null && limit <= this.#now) {
      const { timeoutSeconds } = this.#draft.flow.origin.definition;
      this.#draft.end({ status: 'TIMED_OUT', reason: `workflow timed out after ${timeoutSeconds} seconds` });
      return;
    }
    for (let round = 0; round < mostRounds; round += 1) {
      const before = this.#draft.changes;
      this.#wakeWaiting();
      this.#timeOut();
      this.#beginAgain();
      this.#treatFailures();
      if (this.#draft.isEnded) return;
      const isDone = this.#list(this.#draft.flow.origin.definition.tasks, '', 0);
      if (this.#draft.isEnded) return;
      if (
        isDone &&
        !this.#draft.tasks.some(isOpenTask) &&
        !this.#draft.tasks.some((task) => this.#isUntreated(task))
      ) {
        this.#draft.end({ status: 'COMPLETED' });
        return;
      }
      if (this.#draft.changes === before) return;
    }
  }

  decision(): FlowDecision {
    const flow = this.#draft.result();
    const overdue = this.#overdue;
    if (isEnded(flow)) return { flow, work: [], overdue, wakeAt: null };
    let wakeAt = this.#timeLimit() ?? Number.POSITIVE_INFINITY;
    for (const task of flow.tasks) {
      if (!isOpenTask(task)) continue;
      if (task.dueAt !== null) wakeAt = Math.min(wakeAt, task.dueAt);
      for (const { at } of this.#limitsOf(task)) wakeAt = Math.min(wakeAt, at);
    }
    return { flow, work: this.#work, overdue, wakeAt: Number.isFinite(wakeAt) ? (wakeAt as Instant) : null };
  }

  #timeLimit(): Instant | null {
    const { definition, startedAt } = this.#draft.flow.origin;
    const { timeoutPolicy, timeoutSeconds } = definition;
    if (timeoutPolicy !== 'TIME_OUT_WF' || timeoutSeconds <= 0) return null;
    return addTime(this.#draft.flow.lastRetriedAt ?? startedAt, msOf(timeoutSeconds));
  }

  #wakeWaiting(): void {
    for (const task of this.#draft.tasks) {
      if (isOpenTask(task) && task.type === 'WAIT' && task.dueAt !== null && task.dueAt <= this.#now)
        this.#draft.save({ ...task, status: 'COMPLETED', endedAt: this.#now, dueAt: null });
    }
  }

  #limitsOf(task: FlowTask): readonly TaskLimit[] {
    const written = this.#written.get(task.written);
    if (written === undefined) return [];
    const { origin } = this.#draft.flow;
    return taskLimits(task, settingsOf(written, origin.taskDefinitions), begunAgainAt(this.#draft.flow));
  }

  #timeOut(): void {
    for (const task of this.#draft.tasks) {
      if (!isOpenTask(task)) continue;
      const over = this.#limitsOf(task).find(({ at }) => at <= this.#now);
      if (over === undefined) continue;
      if (task.run !== null) this.#overdue.push(task.run);
      const { timeout, reason } = over;
      this.#draft.save({
        ...task,
        status: 'TIMED_OUT',
        timeout,
        reason,
        endedAt: this.#now,
        run: null,
        dueAt: null,
      });
    }
  }

  /** Begins the instances that a retry or a rerun has left scheduled. */
  #beginAgain(): void {
    for (const task of [...this.#draft.tasks]) {
      if (task.status !== 'SCHEDULED' || task.run !== null || this.#isAtWork(task)) continue;
      const written = this.#written.get(task.written);
      if (written === undefined) continue;
      const settings = settingsOf(written, this.#draft.flow.origin.taskDefinitions);
      this.#begin(task, written, { settings, delayMs: 0 });
      this.#draft.changed();
      if (this.#draft.isEnded) return;
    }
  }

  #isAtWork({ id }: FlowTask): boolean {
    return this.#work.some(({ task }) => task.id === id);
  }

  /** Repeats each failed task, or passes it because it is optional, or ends the workflow. */
  #treatFailures(): void {
    for (const task of [...this.#draft.tasks]) {
      if (!this.#isUntreated(task)) continue;
      const written = this.#written.get(task.written);
      if (written === undefined) continue;
      const settings = settingsOf(written, this.#draft.flow.origin.taskDefinitions);
      if (task.status === 'CANCELED' && !written.optional) {
        this.#fail('TERMINATED', task);
        return;
      }
      if (endsWorkflow(task, settings)) {
        this.#fail('TIMED_OUT', task);
        return;
      }
      const since = begunAgainAt(this.#draft.flow);
      const isOver = isOverTotal(task, settings, { since, now: this.#now });
      if (mayRetry(task, written, settings) && !isOver) this.#repeat(task, written, settings);
      else if (written.optional) this.#draft.save({ ...task, status: 'COMPLETED_WITH_ERRORS' });
      else {
        this.#fail(task.status === 'TIMED_OUT' ? 'TIMED_OUT' : 'FAILED', task);
        return;
      }
      if (this.#draft.isEnded) return;
    }
  }

  #fail(status: FlowEnd, task: FlowTask): void {
    const reason = `Task ${task.id} failed with status: ${status} and reason: '${task.reason ?? ''}'`;
    this.#draft.end({ status, reason, failed: task });
  }

  /** Whether the task has failed and its failure has no consequence yet. A terminated sub-workflow counts as a failure. */
  #isUntreated(task: FlowTask): boolean {
    const hasFailed = isFailed(task) || (task.status === 'CANCELED' && task.type === 'SUB_WORKFLOW');
    return hasFailed && !task.retried && this.#draft.latest(task.reference)?.id === task.id;
  }

  #repeat(failed: FlowTask, written: WorkflowTask, settings: TaskDefinition): void {
    this.#draft.save({ ...failed, retried: true });
    const delay = retryDelaySeconds(settings, failed.retryCount);
    const task = this.#draft.add({
      ...newTask(failed, this.#now),
      retryCount: failed.retryCount + 1,
      retriedTaskId: failed.id,
      firstScheduledAt: failed.firstScheduledAt ?? failed.scheduledAt,
      callbackAfterSeconds: delay,
      ...(failed.reason === undefined ? {} : { reason: failed.reason }),
    });
    if (task === undefined) return;
    this.#begin(task, written, { settings, delayMs: msOf(delay) + jitterMs(settings, task.id) });
  }

  /** Walks a list; true when every task of it has ended. */
  #list(tasks: readonly WorkflowTask[], suffix: string, iteration: number): boolean {
    for (const written of tasks) {
      const reference = `${written.taskReferenceName}${suffix}`;
      const task = this.#draft.latest(reference) ?? this.#schedule(written, reference, iteration);
      if (task === undefined || this.#draft.isEnded) return false;
      if (!this.#isPassed(written, task, suffix, iteration)) return false;
      if (this.#draft.isEnded) return false;
    }
    return true;
  }

  #isPassed(written: WorkflowTask, task: FlowTask, suffix: string, iteration: number): boolean {
    if (task.status === 'SKIPPED') return true;
    switch (written.type) {
      case 'SWITCH':
        return isSuccessful(task) && this.#list(chosenCase(written, task), suffix, iteration);
      case 'FORK_JOIN':
        for (const branch of written.forkTasks) this.#list(branch, suffix, iteration);
        return true;
      case 'JOIN':
        return isSuccessful(isOpenTask(task) ? this.#join(written, task, suffix) : task);
      case 'DO_WHILE':
        if (isOpenTask(task)) this.#loop(written, task, suffix);
        return isSuccessful(task);
      default:
        return isSuccessful(task);
    }
  }

  #schedule(written: WorkflowTask, reference: string, iteration: number): FlowTask | undefined {
    const { taskDefinitions, workflowId, taskToDomain } = this.#draft.flow.origin;
    const settings = settingsOf(written, taskDefinitions);
    const id = taskId(workflowId, this.#draft.flow.next);
    const domain = written.type === 'SIMPLE' ? (taskToDomain[written.name] ?? taskToDomain['*']) : undefined;
    const { name, type, taskReferenceName, startDelay } = written;
    const input = { ...settings.inputTemplate, ...this.#draft.scope.resolve(written.inputParameters, id) };
    const known = { reference, written: taskReferenceName, name, type, input, domain };
    const task = this.#draft.add({
      ...newTask({ ...known, iteration: type === 'DO_WHILE' ? 1 : iteration }, this.#now),
      callbackAfterSeconds: startDelay,
    });
    if (task === undefined) return undefined;
    this.#begin(task, written, { settings, delayMs: msOf(startDelay) });
    return this.#draft.latest(reference);
  }

  #begin(
    task: FlowTask,
    written: WorkflowTask,
    { settings, delayMs }: { readonly settings: TaskDefinition; readonly delayMs: number },
  ): void {
    const { taskToDomain } = this.#draft.flow.origin;
    const now = this.#now;
    const begun = beginningOf(task, written, { scope: this.#draft.scope, now, taskToDomain });
    switch (begun.how) {
      case 'work': {
        const { by: kind, input } = begun;
        this.#work.push({ task, written, settings, kind, input, availableAt: addTime(now, delayMs) });
        return;
      }
      case 'complete':
        this.#draft.complete(task, begun.output);
        return;
      case 'fail':
        this.#draft.save({
          ...task,
          status: 'FAILED_WITH_TERMINAL_ERROR',
          startedAt: now,
          endedAt: now,
          reason: begun.reason,
        });
        return;
      case 'wait': {
        const { how: _, ...waits } = begun;
        this.#draft.save({ ...task, ...waits, status: 'IN_PROGRESS', startedAt: now });
        return;
      }
      case 'setVariables':
        this.#draft.setVariables(begun.variables);
        this.#draft.complete(task, {});
        return;
      case 'endWorkflow':
        this.#draft.complete(task, begun.output);
        this.#draft.end({
          status: begun.status,
          ...given({ reason: begun.reason, output: begun.workflowOutput }),
        });
        return;
    }
  }

  #join(written: WorkflowTask, task: FlowTask, suffix: string): FlowTask {
    const joined = written.joinOn.map((name) => [name, this.#draft.latest(`${name}${suffix}`)] as const);
    if (joined.some(([, each]) => each === undefined || !isSuccessful(each))) return task;
    // Tasks without output are left out, as in the original.
    const outputs = joined.flatMap(([name, each]) =>
      each === undefined || Object.keys(each.output).length === 0 ? [] : [[name, each.output] as const],
    );
    return this.#draft.complete(task, Object.fromEntries(outputs));
  }

  /** When all tasks of an iteration have ended, schedules the script that decides whether another iteration follows. */
  #loop(written: WorkflowTask, loop: FlowTask, suffix: string): void {
    const { iteration } = loop;
    if (loop.run !== null || this.#isAtWork(loop)) return;
    const inner = `${suffix}__${iteration}`;
    if (!this.#list(written.loopOver, inner, iteration)) return;
    const names = [...allTasks(written.loopOver)].map((task) => task.taskReferenceName);
    const outputs: Record<string, unknown> = {};
    for (const name of names) {
      const task = this.#draft.latest(`${name}${inner}`);
      if (task !== undefined) outputs[name] = task.output;
    }
    const kept = this.#keepLast(loop, inner, names, suffix);
    const output = { ...kept, [String(iteration)]: outputs, iteration };
    const asked = this.#draft.save({
      ...loop,
      output,
      input: this.#draft.scope.resolve(written.inputParameters, loop.id),
    });
    const settings = settingsOf(written, this.#draft.flow.origin.taskDefinitions);
    const input = scriptOf(written.loopCondition, {
      ...asked.input,
      ...outputs,
      [written.taskReferenceName]: output,
    });
    this.#work.push({ task: asked, written, settings, kind: 'script', input, availableAt: this.#now });
  }

  /** The outputs of earlier iterations; with `keepLastN`, older ones are dropped together with their tasks. */
  #keepLast(loop: FlowTask, inner: string, names: readonly string[], suffix: string): Parameters {
    const { keepLastN } = loop.input;
    if (typeof keepLastN !== 'number') return loop.output;
    const kept: Record<string, unknown> = { ...loop.output };
    for (const word of Object.keys(kept)) {
      if (!/^\d+$/.test(word) || Number(word) > loop.iteration - keepLastN) continue;
      delete kept[word];
      for (const name of names) {
        const reference = `${name}${suffix}__${word}`;
        if (!reference.endsWith(inner)) this.#draft.drop(reference);
      }
    }
    return kept;
  }
}

/** Whether a timeout ends the workflow: under the policy TIME_OUT_WF, but not when only the worker fell silent. */
function endsWorkflow({ status, timeout }: FlowTask, { timeoutPolicy }: TaskDefinition): boolean {
  return status === 'TIMED_OUT' && timeout !== 'response' && timeoutPolicy === 'TIME_OUT_WF';
}

function chosenCase(written: WorkflowTask, { output }: FlowTask): readonly WorkflowTask[] {
  const word = String(output.selectedCase);
  const found = Object.hasOwn(written.decisionCases, word) ? written.decisionCases[word] : undefined;
  return found === undefined || found.length === 0 ? written.defaultCase : found;
}
