// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
import { expect, it } from 'vitest';
import { expressionProblems, resolveValue } from './expression.ts';

const document = {
  workflow: { input: { n: 3, list: [1, 2], none: null, name: 'x' } },
  t: { output: { r: { a: 1 } } },
};

it.each([
  ['${workflow.input.n}', 3],
  ['${t.output.r}', { a: 1 }],
  ['${workflow.input.nope}', null],
  ['n=${workflow.input.n}!', 'n=3!'],
  ['${workflow.input.name}-${workflow.input.n}', 'x-3'],
  ['a${workflow.input.none}b', 'ab'],
  ['r=${t.output.r}', 'r={"a":1}'],
  ['$${workflow.input.n}', '${workflow.input.n}'],
  ['cost $${x} ${workflow.input.n}', 'cost ${x} 3'],
  ['${ workflow.input.n }', 3],
  ['plain', 'plain'],
  ['open ${workflow', 'open ${workflow'],
  [
    { a: ['${workflow.input.n}', { b: '${workflow.input.list.length()}' }], c: 1 },
    { a: [3, { b: 2 }], c: 1 },
  ],
])('%j becomes %j', (value, resolved) => {
  expect(resolveValue(value, document)).toEqual(resolved);
});

it('names the field of each expression that is not understood', () => {
  const problems = expressionProblems(
    { a: ['ok ${t.output.x}', 'x ${t..y}'], b: { c: '${t.output.sum()}' } },
    'inputParameters',
  );
  expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
    ['inputParameters.a[1]', 'BAD_EXPRESSION'],
    ['inputParameters.b.c', 'BAD_EXPRESSION'],
  ]);
  expect(problems[0]?.fix).toContain('cluster');
});
