// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** Every task type, expression, time and policy that runs here, and every one that is refused, by calls of the official client. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MetadataClient, orkesConductorClient, TaskClient, WorkflowExecutor } from 'conductor-sdk-4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

let stage: DoorStage;
let metadata: MetadataClient;
let executor: WorkflowExecutor;
let tasks: TaskClient;
const asked: string[] = [];
const stub = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(request.url?.startsWith('/missing') === true ? 404 : 200, {
    'content-type': 'application/json',
  });
  response.end(JSON.stringify({ items: [1, 2, 3] }));
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  const archetype = flow({ http: { allowPrivate: true } });
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
  const client = await orkesConductorClient({ serverUrl: `${stage.server.url}/api` });
  metadata = new MetadataClient(client);
  executor = new WorkflowExecutor(client);
  tasks = new TaskClient(client);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  stub.close();
});

const task = (type: string, reference: string, more: object = {}) => ({
  name: reference,
  taskReferenceName: reference,
  type,
  ...more,
});
const inline = (reference: string, expression: string, more: object = {}) =>
  task('INLINE', reference, { inputParameters: { evaluatorType: 'javascript', expression, ...more } });

let names = 0;

async function register(list: readonly object[], more: object = {}): Promise<string> {
  names += 1;
  const name = `flow-${names}`;
  const definition = { name, version: 1, schemaVersion: 2, timeoutSeconds: 0, tasks: list, ...more };
  await metadata.registerWorkflowDef(definition as never, true);
  return name;
}

async function begin(list: readonly object[], more: object = {}, input: object = {}): Promise<string> {
  return await executor.startWorkflow({
    name: await register(list, more),
    version: 1,
    input: input as Record<string, unknown>,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the client's types leave most fields open
type Seen = any;
const get = async (id: string): Promise<Seen> => await executor.getWorkflow(id, true);
const ended = (id: string): Promise<Seen> =>
  until(
    () => get(id),
    ({ status }) => status !== 'RUNNING',
  );
const reached = (id: string, reference: string): Promise<Seen> =>
  until(
    async () => (await get(id)).tasks.findLast((each: Seen) => each.referenceTaskName === reference),
    (found) => found !== undefined,
  );
const run = async (list: readonly object[], more: object = {}, input: object = {}) =>
  await ended(await begin(list, more, input));
const refusal = async (list: readonly object[], more: object = {}): Promise<string> =>
  String(
    await register(list, more).then(
      () => 'registered',
      (error: unknown) => (error as Error).message,
    ),
  );
const complete = (id: string, reference: string, output: Record<string, unknown> = {}) =>
  executor.updateTaskByRefName(reference, id, 'COMPLETED', output);

describe('every task type', () => {
  test('SIMPLE, by a worker', async () => {
    const id = await begin(
      [task('SIMPLE', 'a', { inputParameters: { n: '${workflow.input.n}' } })],
      {},
      { n: 4 },
    );
    expect(await reached(id, 'a')).toMatchObject({ status: 'SCHEDULED', inputData: { n: 4 } });
    await complete(id, 'a', { done: true });
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  });

  test('HTTP: the address is sent as it is written, with its %2F', async () => {
    const uri = `${address}/a%2Fb?x=%2F`;
    const done = await run(
      [task('HTTP', 'h', { inputParameters: { http_request: { uri, method: 'GET' } } })],
      {
        outputParameters: {
          items: '${h.output.response.body.items}',
          code: '${h.output.response.statusCode}',
        },
      },
    );
    expect(done).toMatchObject({ status: 'COMPLETED', output: { items: [1, 2, 3], code: 200 } });
    expect(asked).toContain('/a%2Fb?x=%2F');
  });

  test('HTTP: an answer outside 200–299 fails the task', async () => {
    const http_request = { uri: `${address}/missing`, method: 'GET' };
    const done = await run([task('HTTP', 'h', { inputParameters: { http_request } })]);
    expect(done).toMatchObject({ status: 'FAILED', reasonForIncompletion: expect.stringContaining('404') });
  });

  test('INLINE, SET_VARIABLE, NOOP', async () => {
    const done = await run(
      [
        inline('i', '$.n + 1', { n: '${workflow.input.n}' }),
        task('SET_VARIABLE', 's', { inputParameters: { v: '${i.output.result}' } }),
        task('NOOP', 'x'),
      ],
      { outputParameters: { v: '${workflow.variables.v}' } },
      { n: 1 },
    );
    expect(done).toMatchObject({ status: 'COMPLETED', output: { v: 2 } });
  });

  const cases = { decisionCases: { big: [inline('b', '"B"')] }, defaultCase: [inline('d', '"D"')] };
  test.each([
    ['value-param', 'size', { size: 'big' }, 'B'],
    ['value-param', 'size', { size: 'other' }, 'D'],
    ['javascript', "$.n > 5 ? 'big' : 'small'", { n: 6 }, 'B'],
    ['graaljs', "$.n > 5 ? 'big' : 'small'", { n: 5 }, 'D'],
  ])('SWITCH by %s: %s', async (evaluatorType, expression, inputParameters, result) => {
    const done = await run([task('SWITCH', 's', { evaluatorType, expression, inputParameters, ...cases })]);
    expect(done).toMatchObject({ status: 'COMPLETED', output: { result } });
  });

  test('FORK_JOIN and JOIN', async () => {
    const done = await run([
      task('FORK_JOIN', 'f', { forkTasks: [[inline('a', '1')], [inline('b', '2')]] }),
      task('JOIN', 'j', { joinOn: ['a', 'b'] }),
    ]);
    expect(done).toMatchObject({ status: 'COMPLETED', output: { a: { result: 1 }, b: { result: 2 } } });
  });

  test('DO_WHILE: outputs by iteration and reference', async () => {
    const done = await run(
      [
        task('DO_WHILE', 'l', {
          loopCondition: '$.l.iteration < 3',
          loopOver: [inline('i', '$.n * 10', { n: '${l.output.iteration}' })],
        }),
      ],
      { outputParameters: { second: '${l.output.2.i.result}', last: '${l.output.3.i}' } },
    );
    expect(done).toMatchObject({ status: 'COMPLETED', output: { second: 20, last: { result: 30 } } });
    expect(done.tasks.map((each: Seen) => each.referenceTaskName)).toEqual(['l', 'i__1', 'i__2', 'i__3']);
  });

  test.each(['COMPLETED', 'FAILED', 'TERMINATED'])('TERMINATE as %s', async (terminationStatus) => {
    const done = await run([
      task('TERMINATE', 't', {
        inputParameters: { terminationStatus, terminationReason: 'enough', workflowOutput: { o: 1 } },
      }),
      inline('never', '1'),
    ]);
    expect(done).toMatchObject({
      status: terminationStatus,
      output: { o: 1 },
      reasonForIncompletion: 'enough',
    });
    expect(done.tasks).toHaveLength(1);
  });

  test('SUB_WORKFLOW, which has its parent’s word as input', async () => {
    const child = await register([inline('c', '$.n * 2', { n: '${workflow.input.n}' })], {
      outputParameters: { twice: '${c.output.result}' },
    });
    const done = await run([
      task('SUB_WORKFLOW', 's', { subWorkflowParam: { name: child, version: 1 }, inputParameters: { n: 4 } }),
    ]);
    expect(done).toMatchObject({ status: 'COMPLETED', output: { twice: 8 } });
    expect(await get(done.tasks[0].subWorkflowId)).toMatchObject({ parentWorkflowId: done.workflowId });
  });
});

const others = [
  'DYNAMIC FORK_JOIN_DYNAMIC DECISION START_WORKFLOW EVENT HUMAN LAMBDA EXCLUSIVE_JOIN KAFKA_PUBLISH JSON_JQ_TRANSFORM',
  'HTTP_POLL WAIT_FOR_WEBHOOK BUSINESS_RULE GET_SIGNED_JWT UPDATE_TASK UPDATE_SECRET QUERY_PROCESSOR OPS_GENIE SENDGRID',
  'GRPC JDBC MCP YIELD GET_WORKFLOW PULL_WORKFLOW_MESSAGES LLM_TEXT_COMPLETE LLM_CHAT_COMPLETE LLM_INDEX_TEXT',
  'LLM_SEARCH_INDEX LLM_GENERATE_EMBEDDINGS LLM_STORE_EMBEDDINGS LLM_GET_EMBEDDINGS LIST_MCP_TOOLS CALL_MCP_TOOL AGENT',
].flatMap((line) => line.split(' '));

test.each(others)(
  '%s is refused at registration, by name, with the advice to use a cluster',
  async (type) => {
    const said = await refusal([task(type, 'a')]);
    expect(said).toContain(`tasks of type ${type} do not run here`);
    expect(said).toContain('cluster');
  },
);

test('a type that is refused is found in every list of tasks', async () => {
  const human = [task('HUMAN', 'deep')];
  for (const list of [
    [task('SWITCH', 's', { evaluatorType: 'value-param', expression: 'x', decisionCases: { a: human } })],
    [task('FORK_JOIN', 'f', { forkTasks: [human] }), task('JOIN', 'j', { joinOn: ['deep'] })],
    [task('DO_WHILE', 'l', { loopCondition: 'true', loopOver: human })],
    [
      task('SUB_WORKFLOW', 's', {
        subWorkflowParam: { name: 'x', workflowDefinition: { name: 'x', tasks: human } },
      }),
    ],
  ])
    expect(await refusal(list)).toContain('tasks of type HUMAN do not run here');
});

describe('expressions', () => {
  const input = {
    a: { b: 1, 'c d': 2, 'e.f': 3 },
    list: [
      { n: 1, t: 'x' },
      { n: 2, t: 'y' },
      { n: 3, t: 'x' },
    ],
    text: 'abc',
  };
  const supported: readonly (readonly [string, unknown])[] = [
    ['${workflow.input.a.b}', 1],
    ["${workflow.input.a['c d']}", 2],
    ['${workflow.input.a["e.f"]}', 3],
    ['${workflow.input.list[0].n}', 1],
    ['${workflow.input.list[-1].n}', 3],
    ['${workflow.input.list[*].n}', [1, 2, 3]],
    ['${workflow.input.list[1:].n}', [2, 3]],
    ['${workflow.input.list[:2].n}', [1, 2]],
    ['${workflow.input.list[-2:-1].n}', [2]],
    ["${workflow.input.list[?(@.t == 'x')].n}", [1, 3]],
    ["${workflow.input.list[?(@.t != 'x')].n}", [2]],
    ['${workflow.input.list[?(@.n < 2)].n}', [1]],
    ['${workflow.input.list[?(@.n <= 2)].n}', [1, 2]],
    ['${workflow.input.list[?(@.n > 2)].n}', [3]],
    ['${workflow.input.list[?(@.n >= 2)].n}', [2, 3]],
    ['${workflow.input.list.length()}', 3],
    ['${workflow.input.list[?(@.n > 1)].length()}', 2],
    ['n=${workflow.input.a.b}, ${workflow.input.text}', 'n=1, abc'],
    ['${workflow.input.none}', null],
    ['<${workflow.input.none}>', '<>'],
    ['$${workflow.input.a}', '${workflow.input.a}'],
  ];

  test('each form that is supported', async () => {
    const outputParameters = Object.fromEntries(supported.map(([text], index) => [`o${index}`, text]));
    const { output } = await run([task('NOOP', 'x')], { outputParameters }, input);
    expect(supported.map(([text], index) => [text, output[`o${index}`]])).toEqual(supported);
  });

  test.each([
    '${workflow.input..n}',
    '${workflow.input.*}',
    '${workflow.input.list[0,1]}',
    '${workflow.input.list[::2]}',
    '${workflow.input.list[(@.length-1)]}',
    '${workflow.input.list[?(@.n)]}',
    '${workflow.input.list[?(@.n > 1 && @.n < 3)]}',
    '${workflow.input.list[?(@.t =~ /x/)]}',
    "${workflow.input.list[?(@.t in ['x'])]}",
    "${workflow.input.a['b','c d']}",
    '${workflow.input.list.sum()}',
    '${workflow.input.list.length().x}',
    '${workflow.input.list[}',
  ])('%s is refused at registration, with the forms that are supported', async (path) => {
    for (const said of [
      await refusal([task('NOOP', 'x', { inputParameters: { deep: [{ p: path }] } })]),
      await refusal([task('NOOP', 'x')], { outputParameters: { o: path } }),
    ]) {
      expect(said).toContain('cluster');
      expect(said).toMatch(/length\(\)|supported/);
    }
  });
});

describe('WAIT', () => {
  test.each([
    { duration: '1s' },
    { duration: '1 second' },
    { duration: '${workflow.input.wait}' },
    { until: '2020-01-31 18:00' },
    { until: '2020-01-31 18:00 GMT+01:00' },
    { until: '2020-01-31' },
  ])('%o', async (inputParameters) => {
    const done = await run([task('WAIT', 'w', { inputParameters })], {}, { wait: '0s' });
    expect(done.status).toBe('COMPLETED');
    const [{ startTime, endTime }] = done.tasks;
    const isSecond =
      JSON.stringify(inputParameters).includes('1s') || JSON.stringify(inputParameters).includes('1 s');
    expect(endTime - startTime).toBeGreaterThanOrEqual(isSecond ? 1000 : 0);
  });

  test.each([
    ['90s', 90],
    ['2m', 120],
    ['1h', 3600],
    ['1 day 2 hours', 93_600],
  ])('%s is so many seconds; a person may end it before', async (duration, seconds) => {
    const id = await begin([task('WAIT', 'w', { inputParameters: { duration } })]);
    const { callbackAfterSeconds } = await reached(id, 'w');
    expect(Math.abs(callbackAfterSeconds - seconds)).toBeLessThanOrEqual(1);
    await complete(id, 'w', { by: 'hand' });
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { by: 'hand' } });
  });

  test('without a time it waits for a signal', async () => {
    const id = await begin([task('WAIT', 'w')]);
    await reached(id, 'w');
    await executor.signalAsync(id, 'COMPLETED' as never, { signalled: true });
    expect(await ended(id)).toMatchObject({
      status: 'COMPLETED',
      output: { taskOutput: { signalled: true } },
    });
  });

  test.each([
    ['PT90S', "write '90s'"],
    ['PT1H30M', "write '1h 30m'"],
    ['P1D', "write '1d'"],
  ])('an ISO duration, %s, is refused with the right spelling', async (duration, fix) => {
    expect(await refusal([task('WAIT', 'w', { inputParameters: { duration } })])).toContain(fix);
    const later = await run(
      [task('WAIT', 'w', { inputParameters: { duration: '${workflow.input.d}' } })],
      {},
      {
        d: duration,
      },
    );
    expect(later.status).toBe('FAILED');
    expect(later.reasonForIncompletion).toContain(fix);
  });
});

describe('failures', () => {
  const defined = (name: string, fields: object) =>
    metadata.registerTask({
      name,
      retryCount: 0,
      retryDelaySeconds: 0,
      timeoutSeconds: 0,
      responseTimeoutSeconds: 60,
      ...fields,
    } as never);
  const fail = (id: string, reference: string, status: 'FAILED' | 'FAILED_WITH_TERMINAL_ERROR' = 'FAILED') =>
    executor.updateTaskByRefName(reference, id, status, { why: 'boom' });

  test.each([
    ['FIXED', {}, [3, 3, 3]],
    ['EXPONENTIAL_BACKOFF', {}, [3, 6, 12]],
    ['LINEAR_BACKOFF', { backoffScaleFactor: 2 }, [6, 12, 18]],
    ['EXPONENTIAL_BACKOFF', { maxRetryDelaySeconds: 5 }, [3, 5, 5]],
  ])('%s %o: the delays of retries', async (retryLogic, more, delays) => {
    const name = `tried-${names}`;
    await defined(name, { retryCount: 3, retryLogic, retryDelaySeconds: 3, ...more });
    const id = await begin([task('SIMPLE', 'a', { name })]);
    const seen: number[] = [];
    for (const _ of delays) {
      await fail(id, 'a');
      seen.push((await reached(id, 'a')).callbackAfterSeconds);
    }
    expect(seen).toEqual(delays);
    await fail(id, 'a');
    const done = await ended(id);
    expect(done.status).toBe('FAILED');
    expect(done.tasks.map((each: Seen) => each.retryCount)).toEqual([0, 1, 2, 3]);
  });

  test('a terminal error is not tried again; the retries of the definition count less than those of the task', async () => {
    await defined('terminal', { retryCount: 3 });
    const first = await begin([task('SIMPLE', 'a', { name: 'terminal' })]);
    await fail(first, 'a', 'FAILED_WITH_TERMINAL_ERROR');
    expect((await ended(first)).tasks).toHaveLength(1);
    const second = await begin([task('SIMPLE', 'a', { name: 'terminal', retryCount: 0 })]);
    await fail(second, 'a');
    expect((await ended(second)).tasks).toHaveLength(1);
  });

  test('an optional task that fails is passed', async () => {
    await defined('may-fail', {});
    const id = await begin([task('SIMPLE', 'a', { name: 'may-fail', optional: true }), inline('b', '7')]);
    await fail(id, 'a');
    const done = await ended(id);
    expect(done).toMatchObject({ status: 'COMPLETED', output: { result: 7 } });
    expect(done.tasks[0].status).toBe('COMPLETED_WITH_ERRORS');
  });

  test('asyncComplete: the request ends, the task waits for a word from outside', async () => {
    const http_request = { uri: `${address}/order`, method: 'GET' };
    const id = await begin([task('HTTP', 'h', { asyncComplete: true, inputParameters: { http_request } })]);
    await until(
      () => reached(id, 'h'),
      ({ status, outputData }) => status === 'IN_PROGRESS' && 'response' in outputData,
    );
    await complete(id, 'h', { confirmed: true });
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { confirmed: true } });
  });

  test('the failure workflow starts with the reason and the id', async () => {
    await defined('fails', {});
    const failureWorkflow = await register([task('NOOP', 'x')], {
      outputParameters: { of: '${workflow.input.workflowId}', why: '${workflow.input.reason}' },
    });
    const id = await begin([task('SIMPLE', 'a', { name: 'fails' })], { failureWorkflow });
    await fail(id, 'a');
    const { output, reasonForIncompletion } = await ended(id);
    const other = await until(
      () => get(output['conductor.failure_workflow']).catch(() => undefined),
      (seen) => seen?.status === 'COMPLETED',
    );
    expect(other.output).toEqual({ of: id, why: reasonForIncompletion });
  });

  test.each([
    ['TIME_OUT_WF', 'TIMED_OUT', ['TIMED_OUT']],
    ['RETRY', 'TIMED_OUT', ['TIMED_OUT', 'TIMED_OUT']],
  ])('timeoutSeconds under %s', async (timeoutPolicy, status, statuses) => {
    const name = `slow-${timeoutPolicy}`;
    await defined(name, { retryCount: 1, timeoutSeconds: 1, responseTimeoutSeconds: 1, timeoutPolicy });
    const id = await begin([task('SIMPLE', 'a', { name })]);
    for (const _ of statuses) await polled(name);
    const done = await ended(id);
    expect([done.status, done.tasks.map((each: Seen) => each.status)]).toEqual([status, statuses]);
  });

  test('ALERT_ONLY: the time is over, and the task goes on', async () => {
    await defined('alert', { timeoutSeconds: 1, responseTimeoutSeconds: 1, timeoutPolicy: 'ALERT_ONLY' });
    const id = await begin([task('WAIT', 'alert', { name: 'alert' }), inline('b', '1')]);
    const other = await begin([task('WAIT', 'w', { inputParameters: { duration: '2s' } })]);
    await ended(other);
    expect((await get(id)).status).toBe('RUNNING');
    await complete(id, 'alert');
    expect((await ended(id)).status).toBe('COMPLETED');
  });

  test('totalTimeoutSeconds ends what no worker has asked for', async () => {
    await defined('total', {
      retryCount: 3,
      timeoutSeconds: 1,
      responseTimeoutSeconds: 1,
      totalTimeoutSeconds: 1,
    });
    const done = await ended(await begin([task('SIMPLE', 'a', { name: 'total' })]));
    expect(done).toMatchObject({ status: 'TIMED_OUT', tasks: [{ status: 'TIMED_OUT' }] });
    expect(done.reasonForIncompletion).toContain('exceeded total timeout of 1 seconds');
  });

  test('the time of a workflow', async () => {
    const done = await run([task('WAIT', 'w')], { timeoutSeconds: 1, timeoutPolicy: 'TIME_OUT_WF' });
    expect(done).toMatchObject({ status: 'TIMED_OUT', tasks: [{ status: 'CANCELED' }] });
  });

  async function polled(type: string): Promise<void> {
    await until(
      () => stage.raw(`/api/tasks/poll/${type}?workerid=w`),
      ({ status }) => status === 200,
    );
  }
});

describe('bounds', () => {
  test.each([
    ['time', 'while (true) {}', /longer than/],
    ['memory', "var a = []; while (true) a.push('x'.repeat(1e6) + a.length)", /memory|longer than/],
    ['result', "'x'.repeat(2 * 1024 * 1024)", /characters/],
    ['the server', 'process.exit(1)', /ReferenceError|not defined/],
  ])('a script cannot exceed its %s', async (_, expression, reason) => {
    const done = await run([inline('i', expression)]);
    expect(done.status).toMatch(/^FAILED/);
    expect(done.reasonForIncompletion).toMatch(reason);
    expect((await run([inline('i', '1 + 1')])).output).toEqual({ result: 2 });
  });

  test('the 2,001st task fails the workflow, with the advice', async () => {
    const loopOver = Array.from({ length: 100 }, (_, index) => task('NOOP', `n${index}`));
    const done = await run([task('DO_WHILE', 'l', { loopCondition: 'true', loopOver })]);
    expect(done.status).toBe('FAILED');
    expect(done.reasonForIncompletion).toMatch(/more than 2000 tasks.*cluster/);
    expect(done.tasks).toHaveLength(2000);
  });
});

describe('rerun, retry and the family of a workflow', () => {
  async function family() {
    const child = await register([task('SIMPLE', 'c1'), task('SIMPLE', 'c2')], {
      outputParameters: { o: '${c2.output.r}' },
    });
    const sub = task('SUB_WORKFLOW', 's', { subWorkflowParam: { name: child } });
    const id = await begin([sub, task('SIMPLE', 'after')], { outputParameters: { o: '${s.output.o}' } });
    const { subWorkflowId } = await until(
      () => reached(id, 's'),
      (seen) => seen.subWorkflowId !== undefined,
    );
    await until(
      () => get(subWorkflowId).catch(() => undefined),
      (seen) => seen !== undefined,
    );
    return { id, child: String(subWorkflowId) };
  }

  test('a workflow that is terminated terminates its sub-workflows', async () => {
    const { id, child } = await family();
    await executor.terminate(id, 'enough');
    expect((await ended(child)).status).toBe('TERMINATED');
  });

  test('rerun of a workflow from a task of its sub-workflow: both begin again there', async () => {
    const { id, child } = await family();
    await complete(child, 'c1', { r: 1 });
    await complete(child, 'c2', { r: 1 });
    await reached(id, 'after');
    await complete(id, 'after');
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { o: 1 } });
    const { taskId } = await reached(child, 'c2');
    await executor.reRun(id, { reRunFromTaskId: taskId, taskInput: { again: true } });
    expect(await get(id)).toMatchObject({ status: 'RUNNING', tasks: [{ referenceTaskName: 's' }] });
    expect(await get(child)).toMatchObject({
      status: 'RUNNING',
      tasks: [{ status: 'COMPLETED' }, { taskId, status: 'SCHEDULED', inputData: { again: true } }],
    });
    await complete(child, 'c2', { r: 2 });
    await until(
      () => get(id),
      ({ tasks: list }) => list.length === 2,
    );
    await complete(id, 'after');
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { o: 2 } });
  });

  test('a sub-workflow of a workflow that was complete is restarted, and the workflow waits for it again', async () => {
    const { id, child } = await family();
    for (const reference of ['c1', 'c2']) await complete(child, reference, { r: 1 });
    await reached(id, 'after');
    await complete(id, 'after');
    await ended(id);
    await executor.restart(child, false);
    expect((await get(id)).status).toBe('RUNNING');
    for (const reference of ['c1', 'c2']) {
      await reached(child, reference);
      await complete(child, reference, { r: 5 });
    }
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { o: 5 } });
  });

  test('a sub-workflow of a workflow that goes on is restarted, and its task waits for it again', async () => {
    const { id, child } = await family();
    for (const reference of ['c1', 'c2']) await complete(child, reference, { r: 1 });
    await reached(id, 'after');
    await executor.restart(child, false);
    expect(['SCHEDULED', 'IN_PROGRESS']).toContain((await reached(id, 's')).status);
    await complete(id, 'after');
    for (const reference of ['c1', 'c2']) {
      expect((await get(id)).status).toBe('RUNNING');
      await reached(child, reference);
      await complete(child, reference, { r: 6 });
    }
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { o: 6 } });
  });

  test('rerun from the start with other input, and from a task with other input of its own', async () => {
    const list = [
      task('SIMPLE', 'a', { inputParameters: { n: '${workflow.input.n}' } }),
      task('SIMPLE', 'b', { inputParameters: { n: '${workflow.input.n}' } }),
    ];
    const id = await begin(list, {}, { n: 1 });
    for (const reference of ['a', 'b']) await complete(id, reference);
    await ended(id);
    await executor.reRun(id, { workflowInput: { n: 2 } });
    expect((await reached(id, 'a')).inputData).toEqual({ n: 2 });
    for (const reference of ['a', 'b']) await complete(id, reference);
    const { tasks: before } = await ended(id);
    await executor.reRun(id, { reRunFromTaskId: before[1].taskId, taskInput: { n: 3 } });
    const { tasks: after } = await get(id);
    expect(after).toMatchObject([
      { taskId: before[0].taskId, status: 'COMPLETED' },
      { taskId: before[1].taskId, status: 'SCHEDULED', inputData: { n: 3 } },
    ]);
    expect(await tasks.getTask(before[1].taskId)).toMatchObject({ status: 'SCHEDULED' });
  });
});
