/**
 * What follows from the state of a workflow: the one decision, pure and synchronous.
 *
 * The definition is a list of tasks, some with lists inside. `decide` walks it from the start at every event: what has
 * ended is passed, what is missing is scheduled, and what is open stops the walk of its list. The branches of a FORK_JOIN
 * are walked side by side. Nothing remembers a position, so a workflow that was interrupted anywhere goes on from its
 * tasks alone.
 *
 * Tasks that need the outside (workers, requests, scripts, other workflows) become *work*: runs, which the caller starts
 * in the commit of the new state. SET_VARIABLE, SWITCH by value, FORK_JOIN, JOIN, TERMINATE and NOOP end at once; WAIT is
 * a time.
 */
import type { Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { WorkKind } from './begin-task.ts';
import { beginningOf, scriptOf } from './begin-task.ts';
import type { Parameters, TaskDefinition, WorkflowTask } from './definition.ts';
import { allTasks } from './definition.ts';
import type { Flow, FlowEnd, FlowTask } from './flow.ts';
import { isEnded, isFailed, isOpenTask, isSuccessful, mostFlowTasks, taskId } from './flow.ts';
import type { NewTask } from './new-task.ts';
import { newTask } from './new-task.ts';
import { jitterMs, mayRetry, retryDelaySeconds, settingsOf } from './retry-delay.ts';
import { Scope } from './scope.ts';
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

export interface Decision {
  readonly flow: Flow;
  readonly work: readonly FlowWork[];
  /** The runs of tasks whose time was up: nothing waits for them any more. */
  readonly overdue: readonly string[];
  /** When the workflow must be decided again without another event; null: never. */
  readonly wakeAt: Instant | null;
}

export function decide(flow: Flow, now: Instant): Decision {
  if (flow.status !== 'RUNNING') return { flow, work: [], overdue: [], wakeAt: null };
  const deciding = new Deciding(flow, now);
  deciding.run();
  return deciding.decision();
}

/** Ends a workflow from outside: open tasks are cancelled, and its output is what its definition says. */
export function endFlow(
  flow: Flow,
  end: { readonly status: FlowEnd; readonly reason?: string },
  now: Instant,
): Flow {
  const deciding = new Deciding(flow, now);
  deciding.end(end.status, end.reason);
  return deciding.decision().flow;
}

/** Rounds of one decision: each schedules a retry or passes what a round before ended. */
const mostRounds = mostFlowTasks + 10;

class Deciding {
  readonly #now: Instant;
  readonly #scope: Scope;
  readonly #written: ReadonlyMap<string, WorkflowTask>;
  readonly #tasks: FlowTask[];
  /** The newest instance by reference. */
  readonly #latest = new Map<string, FlowTask>();
  readonly #indexes = new Map<string, number>();
  readonly #work: FlowWork[] = [];
  readonly #dropped = new Set<string>();
  readonly #overdue: string[] = [];
  #flow: Flow;
  #changes = 0;

  constructor(flow: Flow, now: Instant) {
    this.#flow = flow;
    this.#now = now;
    this.#scope = new Scope(flow);
    this.#tasks = [...flow.tasks];
    this.#written = new Map(
      [...allTasks(flow.origin.definition.tasks)].map((task) => [task.taskReferenceName, task]),
    );
    for (const [index, task] of flow.tasks.entries()) {
      this.#latest.set(task.reference, task);
      this.#indexes.set(task.id, index);
    }
  }

  run(): void {
    const limit = this.#timeLimit();
    if (limit !== null && limit <= this.#now) {
      const { timeoutSeconds } = this.#flow.origin.definition;
      this.end('TIMED_OUT', `workflow timed out after ${timeoutSeconds} seconds`);
      return;
    }
    for (let round = 0; round < mostRounds; round += 1) {
      const before = this.#changes;
      this.#wakeWaiting();
      this.#timeOut();
      this.#beginAgain();
      this.#treatFailures();
      if (isEnded(this.#flow)) return;
      const isDone = this.#list(this.#flow.origin.definition.tasks, '', 0);
      if (isEnded(this.#flow)) return;
      if (isDone && !this.#tasks.some(isOpenTask) && !this.#tasks.some((task) => this.#isUntreated(task))) {
        this.end('COMPLETED');
        return;
      }
      if (this.#changes === before) return;
    }
  }

  decision(): Decision {
    const tasks =
      this.#dropped.size === 0 ? this.#tasks : this.#tasks.filter(({ id }) => !this.#dropped.has(id));
    const flow: Flow = { ...this.#flow, tasks, ...(this.#changes > 0 ? { updatedAt: this.#now } : {}) };
    const overdue = this.#overdue;
    if (isEnded(flow)) return { flow, work: [], overdue, wakeAt: null };
    let wakeAt = this.#timeLimit() ?? Number.POSITIVE_INFINITY;
    for (const task of tasks) {
      if (!isOpenTask(task)) continue;
      if (task.dueAt !== null) wakeAt = Math.min(wakeAt, task.dueAt);
      for (const { at } of this.#limitsOf(task)) wakeAt = Math.min(wakeAt, at);
    }
    return { flow, work: this.#work, overdue, wakeAt: Number.isFinite(wakeAt) ? (wakeAt as Instant) : null };
  }

  #timeLimit(): Instant | null {
    const { definition, startedAt } = this.#flow.origin;
    const { timeoutPolicy, timeoutSeconds } = definition;
    if (timeoutPolicy !== 'TIME_OUT_WF' || timeoutSeconds <= 0) return null;
    return addTime(this.#flow.lastRetriedAt ?? startedAt, msOf(timeoutSeconds));
  }

  #wakeWaiting(): void {
    for (const task of this.#tasks) {
      if (isOpenTask(task) && task.type === 'WAIT' && task.dueAt !== null && task.dueAt <= this.#now)
        this.#save({ ...task, status: 'COMPLETED', endedAt: this.#now, dueAt: null });
    }
  }

  #limitsOf(task: FlowTask): readonly TaskLimit[] {
    const written = this.#written.get(task.written);
    if (written === undefined) return [];
    const { origin } = this.#flow;
    return taskLimits(task, settingsOf(written, origin.taskDefinitions), begunAgainAt(this.#flow));
  }

  #timeOut(): void {
    for (const task of this.#tasks) {
      if (!isOpenTask(task)) continue;
      const over = this.#limitsOf(task).find(({ at }) => at <= this.#now);
      if (over === undefined) continue;
      if (task.run !== null) this.#overdue.push(task.run);
      const { timeout, reason } = over;
      this.#save({
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

  /** A retry or a rerun leaves instances that have not begun. */
  #beginAgain(): void {
    for (const task of [...this.#tasks]) {
      if (task.status !== 'SCHEDULED' || task.run !== null || this.#isAtWork(task)) continue;
      const written = this.#written.get(task.written);
      if (written === undefined) continue;
      const settings = settingsOf(written, this.#flow.origin.taskDefinitions);
      this.#begin(task, written, { settings, delayMs: 0 });
      this.#changes += 1;
      if (isEnded(this.#flow)) return;
    }
  }

  #isAtWork({ id }: FlowTask): boolean {
    return this.#work.some(({ task }) => task.id === id);
  }

  /** A failed task is repeated, or passed because it is optional, or ends the workflow. */
  #treatFailures(): void {
    for (const task of [...this.#tasks]) {
      if (!this.#isUntreated(task)) continue;
      const written = this.#written.get(task.written);
      if (written === undefined) continue;
      const settings = settingsOf(written, this.#flow.origin.taskDefinitions);
      if (task.status === 'CANCELED' && !written.optional) {
        this.#fail('TERMINATED', task);
        return;
      }
      if (endsWorkflow(task, settings)) {
        this.#fail('TIMED_OUT', task);
        return;
      }
      const since = begunAgainAt(this.#flow);
      const isOver = isOverTotal(task, settings, { since, now: this.#now });
      if (mayRetry(task, written, settings) && !isOver) this.#repeat(task, written, settings);
      else if (written.optional) this.#save({ ...task, status: 'COMPLETED_WITH_ERRORS' });
      else {
        this.#fail(task.status === 'TIMED_OUT' ? 'TIMED_OUT' : 'FAILED', task);
        return;
      }
      if (isEnded(this.#flow)) return;
    }
  }

  #fail(status: FlowEnd, task: FlowTask): void {
    this.end(
      status,
      `Task ${task.id} failed with status: ${status} and reason: '${task.reason ?? ''}'`,
      task,
    );
  }

  /** A sub-workflow that was terminated takes its parent along. */
  #isUntreated(task: FlowTask): boolean {
    const hasFailed = isFailed(task) || (task.status === 'CANCELED' && task.type === 'SUB_WORKFLOW');
    return hasFailed && !task.retried && this.#latest.get(task.reference)?.id === task.id;
  }

  #repeat(failed: FlowTask, written: WorkflowTask, settings: TaskDefinition): void {
    this.#save({ ...failed, retried: true });
    const delay = retryDelaySeconds(settings, failed.retryCount);
    const task = this.#add({
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
      const task = this.#latest.get(reference) ?? this.#schedule(written, reference, iteration);
      if (task === undefined || isEnded(this.#flow)) return false;
      if (!this.#isPassed(written, task, suffix, iteration)) return false;
      if (isEnded(this.#flow)) return false;
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
    const { taskDefinitions, workflowId, taskToDomain } = this.#flow.origin;
    const settings = settingsOf(written, taskDefinitions);
    const id = taskId(workflowId, this.#flow.next);
    const domain = written.type === 'SIMPLE' ? (taskToDomain[written.name] ?? taskToDomain['*']) : undefined;
    const { name, type, taskReferenceName, startDelay } = written;
    const input = { ...settings.inputTemplate, ...this.#scope.resolve(written.inputParameters, id) };
    const known = { reference, written: taskReferenceName, name, type, input, domain };
    const task = this.#add({
      ...newTask({ ...known, iteration: type === 'DO_WHILE' ? 1 : iteration }, this.#now),
      callbackAfterSeconds: startDelay,
    });
    if (task === undefined) return undefined;
    this.#begin(task, written, { settings, delayMs: msOf(startDelay) });
    return this.#latest.get(reference);
  }

  #begin(
    task: FlowTask,
    written: WorkflowTask,
    { settings, delayMs }: { readonly settings: TaskDefinition; readonly delayMs: number },
  ): void {
    const { taskToDomain } = this.#flow.origin;
    const now = this.#now;
    const begun = beginningOf(task, written, { scope: this.#scope, now, taskToDomain });
    switch (begun.how) {
      case 'work': {
        const { by: kind, input } = begun;
        this.#work.push({ task, written, settings, kind, input, availableAt: addTime(now, delayMs) });
        return;
      }
      case 'complete':
        this.#complete(task, begun.output);
        return;
      case 'fail':
        this.#save({
          ...task,
          status: 'FAILED_WITH_TERMINAL_ERROR',
          startedAt: now,
          endedAt: now,
          reason: begun.reason,
        });
        return;
      case 'wait': {
        const { how: _, ...waits } = begun;
        this.#save({ ...task, ...waits, status: 'IN_PROGRESS', startedAt: now });
        return;
      }
      case 'setVariables':
        this.#flow = { ...this.#flow, variables: { ...this.#flow.variables, ...begun.variables } };
        this.#scope.workflow(this.#flow);
        this.#complete(task, {});
        return;
      case 'endWorkflow':
        this.#complete(task, begun.output);
        this.end(begun.status, begun.reason, undefined, begun.workflowOutput);
        return;
    }
  }

  #join(written: WorkflowTask, task: FlowTask, suffix: string): FlowTask {
    const joined = written.joinOn.map((name) => [name, this.#latest.get(`${name}${suffix}`)] as const);
    if (joined.some(([, each]) => each === undefined || !isSuccessful(each))) return task;
    // Tasks without output leave nothing behind, as in the original.
    const outputs = joined.flatMap(([name, each]) =>
      each === undefined || Object.keys(each.output).length === 0 ? [] : [[name, each.output] as const],
    );
    return this.#complete(task, Object.fromEntries(outputs));
  }

  /** When all tasks of an iteration have ended, a script is asked whether another one follows. */
  #loop(written: WorkflowTask, loop: FlowTask, suffix: string): void {
    const { iteration } = loop;
    if (loop.run !== null || this.#isAtWork(loop)) return;
    const inner = `${suffix}__${iteration}`;
    if (!this.#list(written.loopOver, inner, iteration)) return;
    const names = [...allTasks(written.loopOver)].map((task) => task.taskReferenceName);
    const outputs: Record<string, unknown> = {};
    for (const name of names) {
      const task = this.#latest.get(`${name}${inner}`);
      if (task !== undefined) outputs[name] = task.output;
    }
    const kept = this.#keepLast(loop, inner, names, suffix);
    const output = { ...kept, [String(iteration)]: outputs, iteration };
    const asked = this.#save({
      ...loop,
      output,
      input: this.#scope.resolve(written.inputParameters, loop.id),
    });
    const settings = settingsOf(written, this.#flow.origin.taskDefinitions);
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
      for (const name of names) this.#drop(`${name}${suffix}__${word}`, inner);
    }
    return kept;
  }

  #drop(reference: string, current: string): void {
    if (reference.endsWith(current)) return;
    for (const task of this.#tasks) if (task.reference === reference) this.#dropped.add(task.id);
    this.#latest.delete(reference);
  }

  #complete(task: FlowTask, output: Parameters): FlowTask {
    const startedAt = task.startedAt ?? this.#now;
    return this.#save({ ...task, status: 'COMPLETED', output, startedAt, endedAt: this.#now });
  }

  /** Ends the workflow: open tasks are cancelled, and its output is what its definition says, or what is given. */
  end(status: FlowEnd, reason?: string, failed?: FlowTask, output?: Parameters): void {
    for (const task of this.#tasks) {
      if (isOpenTask(task))
        this.#save({ ...task, status: 'CANCELED', endedAt: this.#now, run: null, dueAt: null });
    }
    const failedReferences =
      failed === undefined
        ? this.#flow.failedReferences
        : [...new Set([...this.#flow.failedReferences, failed.reference])];
    this.#changes += 1;
    const { reason: _, ...flow } = this.#flow;
    this.#flow = {
      ...flow,
      status,
      endedAt: this.#now,
      failedReferences,
      ...(reason === undefined ? {} : { reason }),
    };
    this.#flow = { ...this.#flow, output: output ?? this.#output() };
  }

  /** Without output parameters, the output of the last task is the workflow's. */
  #output(): Parameters {
    const { outputParameters } = this.#flow.origin.definition;
    if (Object.keys(outputParameters).length > 0) return this.#scope.resolve(outputParameters);
    return this.#tasks.findLast(({ type }) => type !== 'TERMINATE')?.output ?? {};
  }

  /** Adds an instance; undefined when the workflow has as many as it may, which ends it. */
  #add(fields: NewTask): FlowTask | undefined {
    const { origin, next } = this.#flow;
    if (this.#tasks.length - this.#dropped.size >= mostFlowTasks) {
      const reason = `the workflow needs more than ${mostFlowTasks} tasks, the most that one workflow may have here; run it on a Conductor cluster, or split it into sub-workflows`;
      this.end('FAILED', reason);
      return undefined;
    }
    const seq = (this.#tasks.at(-1)?.seq ?? 0) + 1;
    const task: FlowTask = { ...fields, id: taskId(origin.workflowId, next), ordinal: next, seq };
    this.#flow = { ...this.#flow, next: next + 1 };
    this.#indexes.set(task.id, this.#tasks.length);
    this.#tasks.push(task);
    return this.#save(task);
  }

  #save(task: FlowTask): FlowTask {
    const saved = task.updatedAt === this.#now ? task : { ...task, updatedAt: this.#now };
    this.#changes += 1;
    this.#tasks[this.#indexes.get(task.id) as number] = saved;
    const latest = this.#latest.get(task.reference);
    if (latest === undefined || latest.ordinal <= task.ordinal) {
      this.#latest.set(task.reference, saved);
      this.#scope.task(saved);
    }
    return saved;
  }
}

/** A task that took too long ends its workflow under the policy TIME_OUT_WF; a silent worker never does. */
function endsWorkflow({ status, timeout }: FlowTask, { timeoutPolicy }: TaskDefinition): boolean {
  return status === 'TIMED_OUT' && timeout !== 'response' && timeoutPolicy === 'TIME_OUT_WF';
}

function chosenCase(written: WorkflowTask, { output }: FlowTask): readonly WorkflowTask[] {
  const word = String(output.selectedCase);
  const found = Object.hasOwn(written.decisionCases, word) ? written.decisionCases[word] : undefined;
  return found === undefined || found.length === 0 ? written.defaultCase : found;
}
