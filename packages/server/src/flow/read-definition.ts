/**
 * Reads and checks a workflow definition. All problems are found at once, each with its field. A feature that this interpreter
 * does not have is refused here, by name, so that no workflow stops halfway because of it.
 */
import type { Problem } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import type { SubWorkflow, TaskType, WorkflowDefinition, WorkflowTask } from './definition.ts';
import { allTasks, taskTypes } from './definition.ts';
import { expressionProblems, sourcesIn } from './expression.ts';
import { jsonText } from './json-text.ts';
import type { Fields } from './read-fields.ts';
import { isFields, Reading } from './read-fields.ts';
import { structureProblems } from './structure.ts';

export type ReadDefinition =
  | { readonly definition: WorkflowDefinition; readonly problems: readonly [] }
  | { readonly definition: undefined; readonly problems: readonly Problem[] };

/** A definition with more tasks than a workflow may run could never end. */
const mostTasks = 2000;
const deepest = 20;

export const clusterAdvice = 'run the workflow on a Conductor cluster, as the target of a schedule';

export function readWorkflowDefinition(value: unknown): ReadDefinition {
  const { definition, problems } = readAsFarAsPossible(value);
  if (problems.length > 0 || definition === undefined) return { definition: undefined, problems };
  return { definition, problems: [] };
}

/** Reads a definition together with its problems. The definition is undefined only when the value is not an object. */
export function readAsFarAsPossible(value: unknown): {
  readonly definition: WorkflowDefinition | undefined;
  readonly problems: readonly Problem[];
} {
  const reader = new Reading();
  const definition = readWorkflow(reader, value, '');
  return { definition, problems: reader.problems };
}

function readWorkflow(
  reader: Reading,
  value: unknown,
  at: string,
  depth = 0,
): WorkflowDefinition | undefined {
  if (!isFields(value)) {
    reader.refuse(at, 'WRONG_TYPE', 'a workflow definition must be an object');
    return undefined;
  }
  const field = (name: string) => (at === '' ? name : `${at}.${name}`);
  const name = reader.text(value.name, field('name')) ?? '';
  if (name === '') reader.refuse(field('name'), 'REQUIRED', 'WorkflowDef name cannot be null or empty');
  const tasks = readTasks(reader, value.tasks, field('tasks'), depth);
  if (tasks.length === 0) reader.refuse(field('tasks'), 'REQUIRED', 'WorkflowTask list cannot be empty');
  const definition: WorkflowDefinition = {
    name,
    version: reader.whole(value.version, field('version')) ?? 1,
    tasks,
    inputParameters: reader.texts(value.inputParameters, field('inputParameters')),
    outputParameters: reader.map(value.outputParameters, field('outputParameters')) ?? {},
    inputTemplate: reader.map(value.inputTemplate, field('inputTemplate')) ?? {},
    schemaVersion: reader.whole(value.schemaVersion, field('schemaVersion')) ?? 2,
    restartable: reader.flag(value.restartable, field('restartable'), true),
    timeoutPolicy:
      reader.oneOf(value.timeoutPolicy, field('timeoutPolicy'), ['TIME_OUT_WF', 'ALERT_ONLY']) ??
      'ALERT_ONLY',
    timeoutSeconds: reader.whole(value.timeoutSeconds, field('timeoutSeconds')) ?? 0,
    variables: reader.map(value.variables, field('variables')) ?? {},
    workflowStatusListenerEnabled: reader.flag(
      value.workflowStatusListenerEnabled,
      field('workflowStatusListenerEnabled'),
    ),
    ...given({
      description: reader.text(value.description, field('description')),
      ownerEmail: reader.text(value.ownerEmail, field('ownerEmail')),
      failureWorkflow: nonEmpty(reader.text(value.failureWorkflow, field('failureWorkflow'))),
    }),
  };
  if (definition.schemaVersion !== 2)
    reader.refuse(field('schemaVersion'), 'BAD_SCHEMA', 'workflowDef schemaVersion: 2 is only supported');
  if (definition.version < 1) reader.refuse(field('version'), 'BAD_VERSION', 'versions count from 1');
  if (definition.timeoutSeconds < 0)
    reader.refuse(field('timeoutSeconds'), 'NEGATIVE', 'must not be negative');
  checkReferences(reader, definition, at);
  reader.problems.push(...expressionProblems(definition.outputParameters, field('outputParameters')));
  reader.problems.push(...structureProblems(definition.tasks, field('tasks')));
  return definition;
}

function checkReferences(reader: Reading, { name, tasks }: WorkflowDefinition, at: string): void {
  const seen = new Set<string>();
  let count = 0;
  for (const { taskReferenceName: reference } of allTasks(tasks)) {
    count += 1;
    if (reference !== '' && seen.has(reference)) {
      const message = `taskReferenceName: ${reference} should be unique across tasks for a given workflowDefinition: ${name}`;
      reader.refuse(at, 'DUPLICATE_REFERENCE', message);
    }
    seen.add(reference);
  }
  checkSources(reader, { tasks, known: seen, at });
  if (count > mostTasks)
    reader.refuse(
      at === '' ? 'tasks' : `${at}.tasks`,
      'TOO_MANY_TASKS',
      `has ${count} tasks, at most ${mostTasks} run here`,
      clusterAdvice,
    );
}

/** Refuses expressions that read a task which the workflow does not have: they would always be null. */
function checkSources(
  reader: Reading,
  definition: {
    readonly tasks: readonly WorkflowTask[];
    readonly known: ReadonlySet<string>;
    readonly at: string;
  },
): void {
  const { tasks, known, at } = definition;
  for (const { name, inputParameters } of allTasks(tasks)) {
    for (const [parameter, value] of Object.entries(inputParameters)) {
      for (const source of sourcesIn(value)) {
        // A task of a loop may be named with its iteration.
        if (source === 'workflow' || known.has(source) || known.has(source.replace(/(?:__\d+)+$/, '')))
          continue;
        const message = `taskReferenceName: ${source} for given task: ${name} input value: ${parameter} of input parameter: ${String(value)} is not defined in workflow definition.`;
        reader.refuse(at, 'UNKNOWN_SOURCE', message);
      }
    }
  }
}

function readTasks(reader: Reading, value: unknown, at: string, depth: number): readonly WorkflowTask[] {
  if (depth > deepest) {
    reader.refuse(at, 'TOO_DEEP', `tasks are nested more than ${deepest} levels deep`, 'use sub-workflows');
    return [];
  }
  return (reader.list(value, at) ?? []).map((task, index) =>
    readTask(reader, task, `${at}[${index}]`, depth),
  );
}

function readTask(reader: Reading, value: unknown, at: string, depth: number): WorkflowTask {
  const sent: Fields = isFields(value) ? value : {};
  if (!isFields(value)) reader.refuse(at, 'WRONG_TYPE', 'a task must be an object');
  const name = reader.text(sent.name, `${at}.name`) ?? '';
  const reference = reader.text(sent.taskReferenceName, `${at}.taskReferenceName`) ?? '';
  if (name === '') reader.refuse(`${at}.name`, 'REQUIRED', 'WorkflowTask name cannot be empty or null');
  if (reference === '')
    reader.refuse(
      `${at}.taskReferenceName`,
      'REQUIRED',
      'WorkflowTask taskReferenceName name cannot be empty or null',
    );
  const inner = (list: unknown, field: string) => readTasks(reader, list, `${at}.${field}`, depth + 1);
  const inputParameters = reader.map(sent.inputParameters, `${at}.inputParameters`) ?? {};
  reader.problems.push(...expressionProblems(inputParameters, `${at}.inputParameters`));
  return {
    name,
    taskReferenceName: reference,
    type: readType(reader, sent, at),
    inputParameters,
    optional: reader.flag(sent.optional, `${at}.optional`),
    asyncComplete: reader.flag(sent.asyncComplete, `${at}.asyncComplete`),
    startDelay: readDelay(reader, sent.startDelay, `${at}.startDelay`),
    decisionCases: Object.fromEntries(
      Object.entries(reader.map(sent.decisionCases, `${at}.decisionCases`) ?? {}).map(([word, list]) => [
        word,
        inner(list, `decisionCases.${word}`),
      ]),
    ),
    defaultCase: inner(sent.defaultCase, 'defaultCase'),
    forkTasks: (reader.list(sent.forkTasks, `${at}.forkTasks`) ?? []).map((list, index) =>
      inner(list, `forkTasks[${index}]`),
    ),
    joinOn: reader.texts(sent.joinOn, `${at}.joinOn`),
    loopOver: inner(sent.loopOver, 'loopOver'),
    ...given({
      description: reader.text(sent.description, `${at}.description`),
      retryCount: reader.whole(sent.retryCount, `${at}.retryCount`),
      evaluatorType: reader.text(sent.evaluatorType, `${at}.evaluatorType`),
      expression: reader.text(sent.expression, `${at}.expression`),
      loopCondition: reader.text(sent.loopCondition, `${at}.loopCondition`),
      subWorkflowParam: readSubWorkflow(reader, sent.subWorkflowParam, `${at}.subWorkflowParam`, depth),
    }),
  };
}

function readDelay(reader: Reading, value: unknown, at: string): number {
  const delay = reader.whole(value, at) ?? 0;
  if (delay < 0) reader.refuse(at, 'NEGATIVE', 'must be greater than or equal to 0');
  return delay;
}

function readType(reader: Reading, { type, workflowTaskType }: Fields, at: string): TaskType {
  const word = reader.text(type ?? workflowTaskType, `${at}.type`) ?? 'SIMPLE';
  const found = taskTypes.find((each) => each === word);
  if (found !== undefined) return found;
  reader.refuse(
    `${at}.type`,
    'UNSUPPORTED_TYPE',
    `tasks of type ${word} do not run here`,
    `use ${taskTypes.join(', ')}, or ${clusterAdvice}`,
  );
  return 'NOOP';
}

function readSubWorkflow(
  reader: Reading,
  value: unknown,
  at: string,
  depth: number,
): SubWorkflow | undefined {
  const sent = reader.map(value, at);
  if (sent === undefined || sent === null) return undefined;
  const inline = sent.workflowDefinition ?? sent.workflowDef;
  const workflowDefinition =
    inline === undefined || inline === null
      ? undefined
      : readWorkflow(reader, inline, `${at}.workflowDefinition`, depth + 1);
  const domains = reader.map(sent.taskToDomain, `${at}.taskToDomain`);
  const name = nonEmpty(reader.text(sent.name, `${at}.name`)) ?? workflowDefinition?.name ?? '';
  return {
    name,
    ...given({
      version: reader.whole(sent.version, `${at}.version`),
      workflowDefinition,
      taskToDomain: domains === undefined || domains === null ? undefined : textValues(domains),
    }),
  };
}

function textValues(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, jsonText(value)]));
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
