/** Definitions of workflows and of task types, with Conductor's names for everything. */

export const taskTypes = [
  'SIMPLE',
  'HTTP',
  'INLINE',
  'WAIT',
  'SET_VARIABLE',
  'SWITCH',
  'FORK_JOIN',
  'JOIN',
  'DO_WHILE',
  'TERMINATE',
  'SUB_WORKFLOW',
  'NOOP',
] as const;
export type TaskType = (typeof taskTypes)[number];

export type Parameters = Readonly<Record<string, unknown>>;

/** A task of a workflow definition. Besides the common fields it has only those of its type. */
export interface WorkflowTask {
  readonly name: string;
  readonly taskReferenceName: string;
  readonly type: TaskType;
  readonly description?: string;
  readonly inputParameters: Parameters;
  readonly optional: boolean;
  readonly asyncComplete: boolean;
  /** Seconds before the task may begin. */
  readonly startDelay: number;
  /** Overrides the retries of the task's own definition. */
  readonly retryCount?: number;
  /** SWITCH: the evaluator that finds the case, and its expression. */
  readonly evaluatorType?: string;
  readonly expression?: string;
  readonly decisionCases: Readonly<Record<string, readonly WorkflowTask[]>>;
  readonly defaultCase: readonly WorkflowTask[];
  readonly forkTasks: readonly (readonly WorkflowTask[])[];
  readonly joinOn: readonly string[];
  /** DO_WHILE: the script that decides whether another iteration follows. */
  readonly loopCondition?: string;
  readonly loopOver: readonly WorkflowTask[];
  readonly subWorkflowParam?: SubWorkflow;
}

export interface SubWorkflow {
  readonly name: string;
  /** Absent: the latest version. */
  readonly version?: number;
  readonly taskToDomain?: Readonly<Record<string, string>>;
  readonly workflowDefinition?: WorkflowDefinition;
}

export interface WorkflowDefinition {
  readonly name: string;
  readonly version: number;
  readonly description?: string;
  readonly tasks: readonly WorkflowTask[];
  readonly inputParameters: readonly string[];
  readonly outputParameters: Parameters;
  readonly inputTemplate: Parameters;
  readonly failureWorkflow?: string;
  readonly schemaVersion: number;
  readonly restartable: boolean;
  readonly ownerEmail?: string;
  readonly timeoutPolicy: 'TIME_OUT_WF' | 'ALERT_ONLY';
  /** 0: no limit. */
  readonly timeoutSeconds: number;
  readonly variables: Parameters;
  readonly workflowStatusListenerEnabled: boolean;
}

export type RetryLogic = 'FIXED' | 'EXPONENTIAL_BACKOFF' | 'LINEAR_BACKOFF';
export type TaskTimeoutPolicy = 'RETRY' | 'TIME_OUT_WF' | 'ALERT_ONLY';

/** How tasks of one name are retried and timed. */
export interface TaskDefinition {
  readonly name: string;
  readonly description?: string;
  readonly retryCount: number;
  readonly retryLogic: RetryLogic;
  readonly retryDelaySeconds: number;
  readonly backoffScaleFactor: number;
  /** 0: no limit. */
  readonly maxRetryDelaySeconds: number;
  readonly timeoutSeconds: number;
  readonly timeoutPolicy: TaskTimeoutPolicy;
  readonly responseTimeoutSeconds: number;
  /** How long a task may wait for a worker; 0: no limit. */
  readonly pollTimeoutSeconds: number;
  /** How long all attempts together may take; 0: no limit. */
  readonly totalTimeoutSeconds: number;
  /** The longest random addition to the delay of a retry. */
  readonly backoffJitterMs: number;
  /** Settings of other servers, which are only shown. */
  readonly isolationGroupId?: string;
  readonly executionNameSpace?: string;
  readonly ownerEmail?: string;
  readonly inputKeys: readonly string[];
  readonly outputKeys: readonly string[];
  readonly inputTemplate: Parameters;
  readonly rateLimitPerFrequency: number;
  readonly rateLimitFrequencyInSeconds: number;
  readonly concurrentExecLimit?: number;
}

/** What Conductor assumes about a SIMPLE task whose name has no definition. */
export function assumedTask(name: string): TaskDefinition {
  return {
    name,
    retryCount: 3,
    retryLogic: 'FIXED',
    retryDelaySeconds: 60,
    backoffScaleFactor: 1,
    maxRetryDelaySeconds: 0,
    timeoutSeconds: 0,
    timeoutPolicy: 'TIME_OUT_WF',
    responseTimeoutSeconds: 3600,
    pollTimeoutSeconds: 0,
    totalTimeoutSeconds: 0,
    backoffJitterMs: 0,
    inputKeys: [],
    outputKeys: [],
    inputTemplate: {},
    rateLimitPerFrequency: 0,
    rateLimitFrequencyInSeconds: 1,
  };
}

/** The lists of tasks inside a task. */
export function innerLists(task: WorkflowTask): readonly (readonly WorkflowTask[])[] {
  return [...Object.values(task.decisionCases), task.defaultCase, ...task.forkTasks, task.loopOver];
}

/** Every task of a definition, in the order in which they are written. */
export function* allTasks(tasks: readonly WorkflowTask[]): Generator<WorkflowTask> {
  for (const task of tasks) {
    yield task;
    for (const list of innerLists(task)) yield* allTasks(list);
  }
}
