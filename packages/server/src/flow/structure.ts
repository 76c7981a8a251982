/** Checks the fields that each type of task needs besides the common ones, and the task that must follow it. */
import type { Problem } from 'carillon/internal/base';
import type { WorkflowTask } from './definition.ts';
import { innerLists } from './definition.ts';
import { jsonText } from './json-text.ts';
import { waitProblem } from './wait-time.ts';

type Refuse = (field: string, reason: string, message: string, fix: string) => void;

/** Reports a problem that every Conductor server refuses, with Conductor's message. */
type Lack = (message: string) => void;

export const scriptEvaluators: readonly string[] = ['javascript', 'graaljs'];
export const valueEvaluator = 'value-param';

export function structureProblems(tasks: readonly WorkflowTask[], at: string): readonly Problem[] {
  return tasks.flatMap((task, index) => {
    const path = `${at}[${index}]`;
    const problems: Problem[] = [];
    const refuse: Refuse = (field, reason, message, fix) => {
      problems.push({ path: `${path}.${field}`, reason, message, fix });
    };
    const lack: Lack = (message) => {
      problems.push({
        path,
        reason: 'REQUIRED',
        message: `${message} for taskType: ${task.type} taskName: ${task.name}`,
      });
    };
    check(task, refuse, lack);
    if (task.type === 'FORK_JOIN' && tasks[index + 1]?.type !== 'JOIN')
      refuse('type', 'JOIN_MISSING', 'a FORK_JOIN must be followed by a JOIN', 'add a JOIN task after it');
    for (const [field, list] of innerFields(task))
      problems.push(...structureProblems(list, `${path}.${field}`));
    return problems;
  });
}

function innerFields(task: WorkflowTask): readonly (readonly [string, readonly WorkflowTask[]])[] {
  return [
    ...Object.entries(task.decisionCases).map(([word, list]) => [`decisionCases.${word}`, list] as const),
    ['defaultCase', task.defaultCase],
    ...task.forkTasks.map((list, index) => [`forkTasks[${index}]`, list] as const),
    ['loopOver', task.loopOver],
  ];
}

function check(task: WorkflowTask, refuse: Refuse, lack: Lack): void {
  const input = task.inputParameters;
  switch (task.type) {
    case 'HTTP':
      checkHttp(input, refuse, lack);
      return;
    case 'INLINE':
      checkInline(input, refuse);
      return;
    case 'WAIT': {
      const problem = waitProblem(input);
      if (problem !== undefined)
        refuse(`inputParameters.${problem.field}`, 'BAD_WAIT', problem.message, problem.fix);
      return;
    }
    case 'SWITCH':
      checkSwitch(task, refuse, lack);
      return;
    case 'FORK_JOIN':
      if (task.forkTasks.length === 0) lack('forkTasks should have atleast one task');
      return;
    case 'DO_WHILE':
      checkLoop(task, refuse, lack);
      return;
    case 'TERMINATE':
      checkTerminate(task, refuse);
      return;
    case 'SUB_WORKFLOW':
      if (task.subWorkflowParam === undefined) lack('subWorkflowParam field is required');
      else if (task.subWorkflowParam.name === '')
        refuse('subWorkflowParam.name', 'REQUIRED', 'SubWorkflowParams name cannot be null', 'give the name');
      return;
    default:
      return;
  }
}

function checkHttp(input: WorkflowTask['inputParameters'], refuse: Refuse, lack: Lack): void {
  if (input.http_request === undefined && input.uri === undefined) {
    lack('inputParameters.http_request or inputParameters.uri field is required');
    return;
  }
  const request = input.http_request ?? input;
  // A request that is an expression as a whole is only known when the task begins.
  if (typeof request === 'string') return;
  const { uri, vipAddress } = request as { readonly uri?: unknown; readonly vipAddress?: unknown };
  if (vipAddress !== undefined && vipAddress !== null && vipAddress !== '')
    refuse(
      'inputParameters.http_request.vipAddress',
      'UNSUPPORTED',
      'vipAddress is not supported',
      'write the address in uri',
    );
  if (typeof uri !== 'string' || uri === '')
    refuse(
      'inputParameters.http_request.uri',
      'REQUIRED',
      'an HTTP task needs an address',
      'give http_request.uri',
    );
}

function checkInline(input: WorkflowTask['inputParameters'], refuse: Refuse): void {
  const { evaluatorType, expression } = input;
  if (typeof expression !== 'string' || expression === '')
    refuse(
      'inputParameters.expression',
      'REQUIRED',
      'a non-empty expression is needed',
      'give inputParameters.expression',
    );
  checkEvaluator(evaluatorType, 'inputParameters.evaluatorType', refuse);
}

function checkEvaluator(word: unknown, field: string, refuse: Refuse): void {
  if (word === valueEvaluator || scriptEvaluators.includes(jsonText(word))) return;
  const fix = `use ${[valueEvaluator, ...scriptEvaluators].join(', ')}`;
  refuse(field, 'UNSUPPORTED_EVALUATOR', `the evaluator '${jsonText(word)}' does not run here`, fix);
}

function checkSwitch(task: WorkflowTask, refuse: Refuse, lack: Lack): void {
  if (innerLists(task).every((list) => list.length === 0)) lack('decisionCases should have atleast one task');
  if (task.evaluatorType === undefined) lack('evaluatorType field is required');
  else checkEvaluator(task.evaluatorType, 'evaluatorType', refuse);
  if (task.expression === undefined || task.expression === '') lack('expression field is required');
}

function checkLoop(task: WorkflowTask, refuse: Refuse, lack: Lack): void {
  if (task.loopOver.length === 0) lack('loopOver field is required');
  if (task.loopCondition === undefined || task.loopCondition === '') lack('loopCondition field is required');
  const { items, keepLastN } = task.inputParameters;
  if (items !== undefined)
    refuse(
      'inputParameters.items',
      'UNSUPPORTED',
      'loops over a list do not run here',
      'count iterations in loopCondition',
    );
  if (keepLastN !== undefined && !(Number.isInteger(keepLastN) && Number(keepLastN) > 0))
    refuse(
      'inputParameters.keepLastN',
      'BAD_NUMBER',
      'keepLastN must be a whole number above 0',
      'write e.g. 10',
    );
}

const terminations: readonly unknown[] = ['COMPLETED', 'FAILED', 'TERMINATED'];

function checkTerminate({ name, inputParameters }: WorkflowTask, refuse: Refuse): void {
  const { terminationStatus } = inputParameters;
  if (terminations.includes(terminationStatus)) return;
  if (typeof terminationStatus === 'string' && terminationStatus.includes('${')) return;
  refuse(
    'inputParameters.terminationStatus',
    'UNKNOWN_WORD',
    `terminate task must have an terminationStatus parameter, not '${jsonText(terminationStatus)}', taskName: ${name}`,
    `use ${terminations.join(', ')}`,
  );
}
