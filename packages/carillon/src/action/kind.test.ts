import { describe, expect, test } from 'vitest';
import { actionSummary, commandLines, findKind, jobFields, kindNames } from './kind.ts';

const targets: Readonly<Record<string, unknown>> = {
  run: 'report',
  http: { url: 'https://example.com/hook', method: 'PUT' },
  command: { argv: ['backup', '--all'], timeout: '5m' },
  bullmq: { queue: 'mail', name: 'digest', opts: { attempts: 3 } },
  conductor: { workflow: 'daily_report', version: 2 },
  temporal: { workflowType: 'report', taskQueue: 'reports', memo: { a: 1 } },
};

describe('every kind', () => {
  test('has an example here', () => {
    expect(Object.keys(targets)).toEqual(kindNames);
  });

  test.each(kindNames)('%s is stored, and written back as it was', (kind) => {
    const row = findKind(kind);
    const target = targets[kind];
    expect(row?.schema.safeParse(target).success).toBe(true);
    expect(row?.problems(target)).toEqual([]);
    const stored = row?.store(target, { input: { a: 1 } });
    if (row === undefined || stored === undefined) throw new Error('no such kind');
    expect(row.write(stored)).toMatchObject({ [kind]: target, input: { a: 1 } });
    const { input, queue, [kind]: again } = row.write(stored) as Readonly<Record<string, unknown>>;
    expect(row.store(again, { input, ...(queue === undefined ? {} : { queue: queue as string }) })).toEqual(
      stored,
    );
  });

  test('is told in one line', () => {
    const lines = kindNames.map((kind) => {
      const stored = findKind(kind)?.store(targets[kind], {});
      return stored === undefined ? '' : actionSummary({ kind, ...stored });
    });
    expect(lines).toEqual([
      'report on the queue default',
      'PUT https://example.com/hook',
      'command backup --all',
      'job digest on the BullMQ queue mail',
      'workflow daily_report v2 on the Conductor cluster default',
      'workflow report on the task queue reports of a Temporal cluster',
    ]);
  });

  test('a kind of another door is told by its handler', () => {
    expect(actionSummary({ kind: 'elsewhere', name: 'x', queue: 'q', input: null })).toBe('x on the queue q');
  });
});

test('the command line chooses a kind by its options', () => {
  const read = (options: Readonly<Record<string, unknown>>) =>
    commandLines.flatMap(({ kind, read: target }) => {
      const found = target(options);
      return found === undefined ? [] : [[kind, found]];
    });
  expect(read({ zone: 'UTC' })).toEqual([]);
  expect(read({ run: 'x' })).toEqual([['run', 'x']]);
  expect(read({ url: 'https://a.example', allowPrivate: true })).toEqual([
    ['http', { url: 'https://a.example', allowPrivate: true }],
  ]);
  expect(read({ command: ['a', 'b'] })).toEqual([['command', { argv: ['a', 'b'] }]]);
});

test('a job of the periodic registry goes to the kind that the task names', () => {
  const job = { name: 'digest', payload: { a: 1 } };
  expect(jobFields({}, job)).toBeUndefined();
  expect(jobFields({ bullmq: { queue: 'mail' } }, job)).toEqual({
    bullmq: { name: 'digest', queue: 'mail', data: { a: 1 } },
  });
});
