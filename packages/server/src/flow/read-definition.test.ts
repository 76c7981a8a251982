// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
import { expect, it } from 'vitest';
import { readWorkflowDefinition } from './read-definition.ts';

const simple = (reference: string, more: object = {}) => ({
  name: 'work',
  taskReferenceName: reference,
  ...more,
});
const flow = (...tasks: readonly object[]) => ({ name: 'f', version: 1, tasks });

it('fills in what is not sent', () => {
  const { definition } = readWorkflowDefinition(flow(simple('a')));
  expect(definition).toMatchObject({
    version: 1,
    schemaVersion: 2,
    restartable: true,
    timeoutSeconds: 0,
    timeoutPolicy: 'ALERT_ONLY',
    inputParameters: [],
    outputParameters: {},
    tasks: [{ type: 'SIMPLE', optional: false, joinOn: [], decisionCases: {} }],
  });
});

it.each([
  ['no name', { ...flow(simple('a')), name: undefined }, 'name', 'REQUIRED'],
  ['no tasks', { ...flow(), tasks: [] }, 'tasks', 'REQUIRED'],
  ['no reference', flow({ name: 'x' }), 'tasks[0].taskReferenceName', 'REQUIRED'],
  ['a reference twice', flow(simple('a'), simple('a')), '', 'DUPLICATE_REFERENCE'],
  [
    'a reference twice, deep down',
    flow({ ...simple('s'), type: 'DO_WHILE', loopCondition: 'false', loopOver: [simple('s')] }),
    '',
    'DUPLICATE_REFERENCE',
  ],
  ['a type of a cluster', flow(simple('a', { type: 'KAFKA_PUBLISH' })), 'tasks[0].type', 'UNSUPPORTED_TYPE'],
  ['a dynamic fork', flow(simple('a', { type: 'FORK_JOIN_DYNAMIC' })), 'tasks[0].type', 'UNSUPPORTED_TYPE'],
  [
    'a bad path',
    flow(simple('a', { inputParameters: { x: '${b..c}' } })),
    'tasks[0].inputParameters.x',
    'BAD_EXPRESSION',
  ],
  [
    'a bad path in the output',
    { ...flow(simple('a')), outputParameters: { o: '${a.output.sum()}' } },
    'outputParameters.o',
    'BAD_EXPRESSION',
  ],
  [
    'a fork without a join',
    flow(simple('a', { type: 'FORK_JOIN', forkTasks: [[simple('b')]] })),
    'tasks[0].type',
    'JOIN_MISSING',
  ],
  [
    'an ISO duration',
    flow(simple('a', { type: 'WAIT', inputParameters: { duration: 'PT1M' } })),
    'tasks[0].inputParameters.duration',
    'BAD_WAIT',
  ],
  [
    'a switch without cases',
    flow(simple('a', { type: 'SWITCH', evaluatorType: 'value-param', expression: 'x' })),
    'tasks[0]',
    'REQUIRED',
  ],
  [
    'another evaluator',
    flow(simple('a', { type: 'INLINE', inputParameters: { evaluatorType: 'python', expression: '1' } })),
    'tasks[0].inputParameters.evaluatorType',
    'UNSUPPORTED_EVALUATOR',
  ],
  [
    'a loop without a condition',
    flow(simple('a', { type: 'DO_WHILE', loopOver: [simple('b')] })),
    'tasks[0]',
    'REQUIRED',
  ],
  [
    'a sub-workflow without a name',
    flow(simple('a', { type: 'SUB_WORKFLOW', subWorkflowParam: {} })),
    'tasks[0].subWorkflowParam.name',
    'REQUIRED',
  ],
  ['a negative delay', flow(simple('a', { startDelay: -1 })), 'tasks[0].startDelay', 'NEGATIVE'],
  [
    'an expression that reads a task that is not there',
    flow(simple('a', { inputParameters: { x: '${nope.output.y}' } })),
    '',
    'UNKNOWN_SOURCE',
  ],
  [
    'an unknown end',
    flow(simple('a', { type: 'TERMINATE', inputParameters: { terminationStatus: 'DONE' } })),
    'tasks[0].inputParameters.terminationStatus',
    'UNKNOWN_WORD',
  ],
  [
    'an HTTP task without an address',
    flow(simple('a', { type: 'HTTP', inputParameters: { http_request: {} } })),
    'tasks[0].inputParameters.http_request.uri',
    'REQUIRED',
  ],
  ['an unknown policy', { ...flow(simple('a')), timeoutPolicy: 'NOPE' }, 'timeoutPolicy', 'UNKNOWN_WORD'],
  ['an object for a text', { ...flow(simple('a')), description: {} }, 'description', 'WRONG_TYPE'],
  ['a list of tasks that is none', { ...flow(), tasks: 'x' }, 'tasks', 'WRONG_TYPE'],
  ['schema 1', { ...flow(simple('a')), schemaVersion: 1 }, 'schemaVersion', 'BAD_SCHEMA'],
])('%s is refused with its field', (_, value, path, reason) => {
  const { problems } = readWorkflowDefinition(value);
  expect(problems.map((problem) => [problem.path, problem.reason])).toContainEqual([path, reason]);
});

it('refuses a type by name, with the advice to use a cluster', () => {
  const { problems } = readWorkflowDefinition(flow(simple('a', { type: 'HUMAN' })));
  expect(problems).toEqual([
    expect.objectContaining({
      message: 'tasks of type HUMAN do not run here',
      fix: expect.stringContaining('Conductor cluster'),
    }),
  ]);
});

it('reads numbers and truth from texts, as Jackson does', () => {
  const { definition } = readWorkflowDefinition({
    ...flow(simple('a', { optional: 'true', retryCount: '2' })),
    version: '3',
    name: 42,
  });
  expect(definition).toMatchObject({ name: '42', version: 3, tasks: [{ optional: true, retryCount: 2 }] });
});
