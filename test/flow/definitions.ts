// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** Small workflows for the tests of the archetype. */
import type { WorkflowDefinition } from '../../packages/server/src/flow/definition.ts';
import { readWorkflowDefinition } from '../../packages/server/src/flow/read-definition.ts';

export const work = (reference: string, more: object = {}) => ({
  name: 'work',
  taskReferenceName: reference,
  type: 'SIMPLE',
  ...more,
});

export function workflow(name: string, tasks: readonly object[], more: object = {}): WorkflowDefinition {
  const { definition, problems } = readWorkflowDefinition({ name, version: 1, tasks, ...more });
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  return definition;
}

/** Two branches, each with a loop or a wait, a sub-workflow, and a script at the end. */
export const everything = workflow(
  'everything',
  [
    {
      name: 'fork',
      taskReferenceName: 'fork',
      type: 'FORK_JOIN',
      forkTasks: [
        [
          {
            name: 'loop',
            taskReferenceName: 'loop',
            type: 'DO_WHILE',
            loopCondition: '$.loop.iteration < 3',
            loopOver: [work('inside', { inputParameters: { n: '${loop.output.iteration}' } })],
          },
        ],
        [
          work('left'),
          { name: 'wait', taskReferenceName: 'wait', type: 'WAIT', inputParameters: { duration: '30s' } },
          work('right'),
        ],
        [
          {
            name: 'sub',
            taskReferenceName: 'sub',
            type: 'SUB_WORKFLOW',
            subWorkflowParam: { name: 'inner' },
            inputParameters: { from: 'outer' },
          },
        ],
      ],
    },
    { name: 'join', taskReferenceName: 'join', type: 'JOIN', joinOn: ['loop', 'right', 'sub'] },
    {
      name: 'sum',
      taskReferenceName: 'sum',
      type: 'INLINE',
      inputParameters: { evaluatorType: 'javascript', expression: '$.n + 1', n: '${loop.output.iteration}' },
    },
  ],
  {
    outputParameters: {
      iterations: '${loop.output.iteration}',
      sum: '${sum.output.result}',
      inner: '${sub.output.from}',
      right: '${right.output.ref}',
    },
  },
);

export const inner = workflow('inner', [work('deep'), work('deeper')], {
  outputParameters: { from: '${workflow.input.from}' },
});

export const everythingOutput = { iterations: 3, sum: 4, inner: 'outer', right: 'right' };
