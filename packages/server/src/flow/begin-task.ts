/**
 * How a task of each type begins, as a named decision: with work that needs a run, with a time to wait for, or with its end.
 * `decide.ts` applies it.
 */
import type { Instant } from 'carillon/internal/base';
import type { Parameters, WorkflowTask } from './definition.ts';
import type { FlowEnd, FlowTask } from './flow.ts';
import { jsonText } from './json-text.ts';
import type { Scope } from './scope.ts';
import { scriptEvaluators } from './structure.ts';
import { waitTime } from './wait-time.ts';

export type WorkKind = 'worker' | 'http' | 'script' | 'subWorkflow';

export type Beginning =
  /** The task needs a run: of a worker, a request, a script or another workflow. */
  | { readonly how: 'work'; readonly by: WorkKind; readonly input: unknown }
  | { readonly how: 'complete'; readonly output: Parameters }
  | { readonly how: 'fail'; readonly reason: string }
  /** The task ends at a time, by a request from outside, or when the tasks that it waits for have ended. */
  | {
      readonly how: 'wait';
      readonly dueAt: Instant | null;
      readonly callbackAfterSeconds?: number;
      readonly output?: Parameters;
    }
  | { readonly how: 'setVariables'; readonly variables: Parameters }
  | {
      readonly how: 'endWorkflow';
      readonly status: Extract<FlowEnd, 'COMPLETED' | 'FAILED' | 'TERMINATED'>;
      readonly reason: string;
      readonly output: Parameters;
      /** Absent when the definition determines the output of the workflow. */
      readonly workflowOutput?: Parameters;
    };

/** The value of `callbackAfterSeconds` for a WAIT without a time. */
const never = 2 ** 31 - 1;

interface Around {
  readonly scope: Scope;
  readonly now: Instant;
  readonly taskToDomain: Readonly<Record<string, string>>;
}

export function beginningOf(task: FlowTask, written: WorkflowTask, around: Around): Beginning {
  const { input } = task;
  switch (task.type) {
    case 'SIMPLE':
      return { how: 'work', by: 'worker', input };
    case 'HTTP':
      return { how: 'work', by: 'http', input };
    case 'INLINE':
      return isScript(input.evaluatorType)
        ? script(input.expression, input)
        : { how: 'complete', output: { result: input[jsonText(input.expression)] ?? null } };
    case 'SWITCH':
      return isScript(written.evaluatorType)
        ? script(written.expression, input)
        : { how: 'complete', output: switchOutput(input[written.expression ?? '']) };
    case 'SUB_WORKFLOW':
      return { how: 'work', by: 'subWorkflow', input: subWork(task, written, around) };
    case 'WAIT':
      return waiting(input, around.now);
    case 'SET_VARIABLE':
      return { how: 'setVariables', variables: input };
    case 'JOIN':
      return { how: 'wait', dueAt: null };
    case 'DO_WHILE':
      return { how: 'wait', dueAt: null, output: { iteration: 1 } };
    case 'TERMINATE':
      return termination(task);
    case 'FORK_JOIN':
    case 'NOOP':
      return { how: 'complete', output: {} };
  }
}

/** A sub-workflow has the domains of its parent, unless it names its own. */
function subWork(
  { input, id, child }: FlowTask,
  { subWorkflowParam }: WorkflowTask,
  { scope, taskToDomain }: Around,
): Parameters {
  const param =
    subWorkflowParam === undefined ? {} : { param: scope.resolve({ taskToDomain, ...subWorkflowParam }) };
  return { ...param, input, taskId: id, ...(child === undefined ? {} : { child }) };
}

function waiting(input: Parameters, now: Instant): Beginning {
  const time = waitTime(input, now);
  if (time.kind === 'invalid') return { how: 'fail', reason: `${time.message}; ${time.fix}` };
  if (time.kind !== 'at') return { how: 'wait', dueAt: null, callbackAfterSeconds: never };
  return { how: 'wait', dueAt: time.at, callbackAfterSeconds: Math.ceil((time.at - now) / 1000) };
}

function termination({ id, input }: FlowTask): Beginning {
  const { terminationStatus, workflowOutput, terminationReason } = input;
  const status =
    terminationStatus === 'FAILED' || terminationStatus === 'TERMINATED' ? terminationStatus : 'COMPLETED';
  const isReason = typeof terminationReason === 'string' && terminationReason !== '';
  const output = outputOf(workflowOutput);
  return {
    how: 'endWorkflow',
    status,
    reason: isReason ? terminationReason : `Workflow is ${status} by TERMINATE task: ${id}`,
    output,
    ...(workflowOutput === undefined ? {} : { workflowOutput: output }),
  };
}

function outputOf(given: unknown): Parameters {
  if (given === undefined || given === null) return {};
  return typeof given === 'object' && !Array.isArray(given) ? (given as Parameters) : { output: given };
}

export function switchOutput(value: unknown): Parameters {
  const word = value === undefined || value === null ? 'null' : jsonText(value);
  return { evaluationResult: [word], selectedCase: word };
}

function isScript(evaluator: unknown): boolean {
  return scriptEvaluators.includes(jsonText(evaluator));
}

function script(expression: unknown, input: Parameters): Beginning {
  return { how: 'work', by: 'script', input: scriptOf(expression, input) };
}

export function scriptOf(
  expression: unknown,
  input: Parameters,
): { readonly script: string; readonly input: Parameters } {
  return { script: jsonText(expression ?? ''), input };
}
