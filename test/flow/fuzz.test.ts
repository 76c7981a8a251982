// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** Random definitions, starts and reports of clients: every answer is in the door's own form, and no workflow breaks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';

let stage: DoorStage;
const troubles: unknown[] = [];
const folder = mkdtempSync(join(tmpdir(), 'carillon-fuzz-'));
beforeAll(async () => {
  const archetype = flow();
  const onTrouble = (error: unknown) => void troubles.push(error);
  // A store of files refuses numbers that memory keeps.
  const store = `sqlite:${join(folder, 'fuzz.db')}`;
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype], onTrouble, store });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...['', ' ', '0', '1s', '99999999999999d', '2027-01-01', '300000-01-01 00:00', '${workflow.input}'],
    ...[
      '${workflow.input.x[*]}',
      '${workflow.input[0]}',
      '$${x}',
      '${',
      'constructor',
      'javascript',
      'value-param',
    ],
    ...[
      0,
      1,
      -1,
      1.5,
      1e15,
      2 ** 53,
      1e300,
      true,
      false,
      null,
      [null],
      { toString: 1 },
      { a: { toString: null } },
    ],
  ),
);
/** Mostly what a field wants, and now and then anything. */
const mostly = (wanted: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: wanted, weight: 40 }, { arbitrary: odd, weight: 1 });
const fields = (wanted: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, mostly(value)])), {
    requiredKeys: [],
  });
const count = fc.constantFrom(0, 1, 2, 1e9, 1e15, 2 ** 53);
const flag = fc.boolean();
const word = fc.constantFrom('COMPLETED', 'FAILED', 'RETRY', 'x');
const map = fc.dictionary(fc.constantFrom('x', 'y', 'constructor', 'toString', 'keepLastN'), odd, {
  maxKeys: 3,
});
const script = fc.constantFrom('$.x', '1', 'x.y', '({ toString: 1 })', 'true', 'null', "'a'");
const time = fc.constantFrom(
  {},
  { duration: '${workflow.input.x}' },
  { duration: '9999999d' },
  { until: '9999-01-01' },
);

const common = fields({ startDelay: count, retryCount: count, optional: flag, asyncComplete: flag });
const task = fc
  .oneof(
    fc.tuple(fc.constantFrom('SIMPLE', 'NOOP', 'SET_VARIABLE'), map, common),
    fc.tuple(
      fc.constant('INLINE'),
      fc.record({ evaluatorType: fc.constant('javascript'), expression: script, x: odd }),
      common,
    ),
    fc.tuple(
      fc.constant('INLINE'),
      fc.record({ evaluatorType: fc.constant('value-param'), expression: script, x: odd }),
      common,
    ),
    fc.tuple(fc.constant('WAIT'), time, common),
    fc.tuple(
      fc.constant('TERMINATE'),
      fc.record({ terminationStatus: fc.constant('FAILED'), workflowOutput: odd }),
      common,
    ),
    fc.tuple(
      fc.constant('HTTP'),
      fc.record({
        http_request: fc.record({
          uri: fc.constant('${workflow.input.x}'),
          method: odd,
          headers: odd,
          body: odd,
        }),
      }),
      common,
    ),
    fc.tuple(
      fc.constant('SUB_WORKFLOW'),
      map,
      fc.constant({ subWorkflowParam: { name: '${workflow.input.x}', version: 1 } }),
    ),
  )
  .map(([type, inputParameters, more]) => ({ name: 'a', type, inputParameters, ...more }));
const inner = (list: readonly object[], from: string) =>
  list.map((each, index) => ({ ...each, taskReferenceName: `${from}${index}` }));
const definition = fc
  .tuple(
    fc.array(task, { maxLength: 3 }),
    fc.array(task, { minLength: 1, maxLength: 2 }),
    fields({ outputParameters: map, timeoutSeconds: count, variables: map, inputTemplate: map }),
    fc.constantFrom('false', 'x.y', 'null', '$.l.iteration < 2', '$.x == 1'),
  )
  .map(([list, within, more, loopCondition]) => ({
    name: 'fuzz',
    version: 1,
    ...more,
    tasks: [
      ...inner(list, 'a'),
      {
        ...{
          name: 's',
          taskReferenceName: 's',
          type: 'SWITCH',
          evaluatorType: 'value-param',
          expression: 'x',
        },
        inputParameters: { x: '${workflow.input.x}' },
        defaultCase: [
          {
            name: 'l',
            taskReferenceName: 'l',
            type: 'DO_WHILE',
            loopCondition,
            loopOver: inner(within, 'b'),
          },
        ],
      },
    ],
  }));
const taskDefinition = fields({
  retryCount: count,
  retryLogic: fc.constantFrom('FIXED', 'EXPONENTIAL_BACKOFF', 'LINEAR_BACKOFF'),
  retryDelaySeconds: count,
  maxRetryDelaySeconds: count,
  backoffScaleFactor: fc.constantFrom(1, 1e15),
  backoffJitterMs: count,
  timeoutSeconds: fc.constantFrom(0, 1e15, 2 ** 53),
  totalTimeoutSeconds: fc.constantFrom(0, 2 ** 53),
  pollTimeoutSeconds: count,
  responseTimeoutSeconds: fc.constantFrom(1, 1e15),
  inputTemplate: map,
  concurrentExecLimit: count,
  rateLimitPerFrequency: count,
  rateLimitFrequencyInSeconds: count,
});
const result = fields({
  status: word,
  outputData: map,
  callbackAfterSeconds: count,
  reasonForIncompletion: word,
  extendLease: flag,
});
const given = fc.record({ x: odd });

const runs = Number(process.env.FUZZ_RUNS ?? 60);

test('definitions, starts, results, controls', { timeout: 600_000 }, async () => {
  const ask = async (path: string, body?: unknown, method?: string) => {
    const said = { ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
    const { status, body: answer } = await stage.raw(path, said);
    expect([path, status < 500]).toEqual([path, true]);
    if (status >= 400) expect(answer).toMatchObject({ status, retryable: false });
    return { status, answer };
  };
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      definition,
      taskDefinition,
      mostly(given),
      result,
      async (workflow, tasked, input, said) => {
        await ask('/api/metadata/taskdefs', [{ ...tasked, name: 'a' }]);
        await ask('/api/metadata/workflow', [workflow], 'PUT');
        const { status, answer: id } = await ask('/api/workflow', {
          name: 'fuzz',
          input,
          workflowDef: workflow,
        });
        if (status !== 200) return;
        accepted += 1;
        const { answer: seen } = await ask(`/api/workflow/${id}`);
        for (const { taskId } of seen.tasks.slice(0, 3))
          await ask('/api/tasks', { ...said, taskId, workflowInstanceId: id });
        await ask(`/api/workflow/${id}/variables`, input);
        await ask(`/api/workflow/${id}/rerun`, {
          workflowInput: input,
          reRunFromTaskId: seen.tasks[0]?.taskId,
        });
        await ask(`/api/workflow/${id}/skiptask/a1`, said, 'PUT');
        await ask(`/api/workflow/${id}?reason=x`, undefined, 'DELETE');
        await ask(`/api/workflow/${id}/restart`, undefined, 'POST');
        await ask(`/api/workflow/${id}`);
        await ask(`/api/workflow/${id}/remove`, undefined, 'DELETE');
        expect(troubles).toEqual([]);
      },
    ),
    {
      numRuns: runs,
      ...(process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) }),
    },
  );
  expect(accepted).toBeGreaterThan(runs / 4);
});
