/**
 * The working copy of a workflow within one decision: its tasks with their newest instances, the document that expressions read,
 * and the end of the workflow. Every change gets the time of the decision and is counted, so that the decision can stop when
 * a round changes nothing.
 */
import type { Instant } from 'carillon/internal/base';
import type { Parameters } from './definition.ts';
import type { Flow, FlowEnd, FlowTask } from './flow.ts';
import { isEnded, isOpenTask, mostFlowTasks, taskId } from './flow.ts';
import type { NewTask } from './new-task.ts';
import { Scope } from './scope.ts';

/** How a workflow ends. */
export interface FlowEnding {
  readonly status: FlowEnd;
  readonly reason?: string;
  /** The task whose failure ended the workflow. */
  readonly failed?: FlowTask;
  /** Default: the output that the definition describes. */
  readonly output?: Parameters;
}

export class FlowDraft {
  readonly now: Instant;
  readonly scope: Scope;
  readonly #tasks: FlowTask[];
  /** The newest instance of each reference name. */
  readonly #latest = new Map<string, FlowTask>();
  readonly #indexes = new Map<string, number>();
  readonly #dropped = new Set<string>();
  #flow: Flow;
  #changes = 0;

  constructor(flow: Flow, now: Instant) {
    this.#flow = flow;
    this.now = now;
    this.scope = new Scope(flow);
    this.#tasks = [...flow.tasks];
    for (const [index, task] of flow.tasks.entries()) {
      this.#latest.set(task.reference, task);
      this.#indexes.set(task.id, index);
    }
  }

  /** The workflow without the changes of its tasks; `result` includes them. */
  get flow(): Flow {
    return this.#flow;
  }

  get isEnded(): boolean {
    return isEnded(this.#flow);
  }

  /** All instances, in the order in which they were scheduled. */
  get tasks(): readonly FlowTask[] {
    return this.#tasks;
  }

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** The newest instance of a reference name. */
  latest(reference: string): FlowTask | undefined {
    return this.#latest.get(reference);
  }

  result(): Flow {
    const tasks =
      this.#dropped.size === 0 ? this.#tasks : this.#tasks.filter(({ id }) => !this.#dropped.has(id));
    return { ...this.#flow, tasks, ...(this.#changes > 0 ? { updatedAt: this.now } : {}) };
  }

  /** Counts a change that was made outside the draft. */
  changed(): void {
    this.#changes += 1;
  }

  save(task: FlowTask): FlowTask {
    const saved = task.updatedAt === this.now ? task : { ...task, updatedAt: this.now };
    this.#changes += 1;
    this.#tasks[this.#indexes.get(task.id) as number] = saved;
    const latest = this.#latest.get(task.reference);
    if (latest === undefined || latest.ordinal <= task.ordinal) {
      this.#latest.set(task.reference, saved);
      this.scope.task(saved);
    }
    return saved;
  }

  complete(task: FlowTask, output: Parameters): FlowTask {
    const startedAt = task.startedAt ?? this.now;
    return this.save({ ...task, status: 'COMPLETED', output, startedAt, endedAt: this.now });
  }

  /** Adds an instance. Returns undefined when the workflow already has the most it may have; it then ends. */
  add(fields: NewTask): FlowTask | undefined {
    const { origin, next } = this.#flow;
    if (this.#tasks.length - this.#dropped.size >= mostFlowTasks) {
      const reason = `the workflow needs more than ${mostFlowTasks} tasks, the most that one workflow may have here; run it on a Conductor cluster, or split it into sub-workflows`;
      this.end({ status: 'FAILED', reason });
      return undefined;
    }
    const seq = (this.#tasks.at(-1)?.seq ?? 0) + 1;
    const task: FlowTask = { ...fields, id: taskId(origin.workflowId, next), ordinal: next, seq };
    this.#flow = { ...this.#flow, next: next + 1 };
    this.#indexes.set(task.id, this.#tasks.length);
    this.#tasks.push(task);
    return this.save(task);
  }

  /** Removes all instances of a reference name. */
  drop(reference: string): void {
    for (const task of this.#tasks) if (task.reference === reference) this.#dropped.add(task.id);
    this.#latest.delete(reference);
  }

  setVariables(variables: Parameters): void {
    this.#flow = { ...this.#flow, variables: { ...this.#flow.variables, ...variables } };
    this.scope.workflow(this.#flow);
  }

  /** Ends the workflow: open tasks are cancelled, and its output is `output` or the one that its definition describes. */
  end({ status, reason, failed, output }: FlowEnding): void {
    for (const task of this.#tasks) {
      if (isOpenTask(task))
        this.save({ ...task, status: 'CANCELED', endedAt: this.now, run: null, dueAt: null });
    }
    const { reason: _, ...flow } = this.#flow;
    const { failedReferences: before } = flow;
    const failedReferences = failed === undefined ? before : [...new Set([...before, failed.reference])];
    this.#changes += 1;
    this.#flow = {
      ...flow,
      status,
      endedAt: this.now,
      failedReferences,
      ...(reason === undefined ? {} : { reason }),
    };
    this.#flow = { ...this.#flow, output: output ?? this.#output() };
  }

  /** The output of the workflow. Without output parameters it is the output of the last task. */
  #output(): Parameters {
    const { outputParameters } = this.#flow.origin.definition;
    if (Object.keys(outputParameters).length > 0) return this.scope.resolve(outputParameters);
    return this.#tasks.findLast(({ type }) => type !== 'TERMINATE')?.output ?? {};
  }
}
