// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** What clients may do to workflows and tasks over REST, beyond the recorded answers. The answers were compared with those of a real server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const simple = (name: string, taskReferenceName: string, fields: object = {}) => ({
  name,
  taskReferenceName,
  type: 'SIMPLE',
  ...fields,
});

async function register(...definitions: readonly object[]): Promise<void> {
  const body = definitions.map((definition) => ({ version: 1, schemaVersion: 2, ...definition }));
  expect((await stage.raw('/api/metadata/workflow', { method: 'PUT', body })).status).toBe(200);
}

async function registerTask(name: string, fields: object): Promise<void> {
  const body = [{ name, retryCount: 0, retryDelaySeconds: 0, responseTimeoutSeconds: 60, ...fields }];
  expect((await stage.raw('/api/metadata/taskdefs', { body })).status).toBe(200);
}

async function start(name: string, fields: object = {}): Promise<string> {
  return String((await stage.raw('/api/workflow', { body: { name, ...fields } })).body);
}

const get = async (id: string) => (await stage.raw(`/api/workflow/${id}`)).body;
const ended = async (id: string) =>
  await until(
    () => get(id),
    ({ status }) => status !== 'RUNNING',
  );

async function poll(type: string): Promise<{ readonly taskId: string; readonly workflowInstanceId: string }> {
  const { body } = await until(
    () => stage.raw(`/api/tasks/poll/batch/${type}?workerid=w&count=1`),
    (heard) => heard.body.length === 1,
  );
  return body[0];
}

async function report(type: string, fields: object): Promise<string> {
  const { taskId, workflowInstanceId } = await poll(type);
  const heard = await stage.raw('/api/tasks', { body: { taskId, workflowInstanceId, ...fields } });
  expect(heard.status).toBe(200);
  return workflowInstanceId;
}

const tasksOf = ({ tasks }: { readonly tasks: readonly Readonly<Record<string, unknown>>[] }) =>
  tasks.map(({ referenceTaskName, status, retryCount }) => `${referenceTaskName} ${status} ${retryCount}`);

async function family(name: string): Promise<void> {
  await registerTask(name, {});
  await register(
    { name: `${name}-child`, tasks: [simple(name, 'c')], outputParameters: { o: '${c.output.r}' } },
    {
      name: `${name}-parent`,
      tasks: [
        {
          name: 's',
          taskReferenceName: 's',
          type: 'SUB_WORKFLOW',
          subWorkflowParam: { name: `${name}-child` },
        },
        simple('after', 'after', { type: 'NOOP' }),
      ],
      outputParameters: { o: '${s.output.o}' },
    },
    {
      name: `${name}-grandparent`,
      tasks: [
        {
          name: 'p',
          taskReferenceName: 'p',
          type: 'SUB_WORKFLOW',
          subWorkflowParam: { name: `${name}-parent` },
        },
      ],
      outputParameters: { o: '${p.output.o}' },
    },
  );
}

test('a sub-workflow that is tried again takes its parents along, each with the task that waited for it', async () => {
  await family('again');
  const top = await start('again-grandparent');
  const child = await report('again', { status: 'FAILED', reasonForIncompletion: 'boom' });
  const failed = await ended(top);
  expect(failed.status).toBe('FAILED');
  expect(failed.reasonForIncompletion).toContain(`Sub workflow again-child.1/${child} failure reason: `);
  expect((await stage.raw(`/api/workflow/${child}/retry`, { method: 'POST' })).status).toBe(204);
  expect(await get(top)).toMatchObject({ status: 'RUNNING' });
  await report('again', { status: 'COMPLETED', outputData: { r: 5 } });
  const done = await ended(top);
  expect(done).toMatchObject({ status: 'COMPLETED', output: { o: 5 } });
  expect(tasksOf(done)).toEqual(['p COMPLETED 0']);
  const parent = await get(done.tasks[0].subWorkflowId);
  expect(tasksOf(parent)).toEqual(['s COMPLETED 0', 'after COMPLETED 0']);
  expect(parent.tasks[0].subWorkflowId).toBe(child);
});

test('a parent is retried with another child, or into the one that failed', async () => {
  await family('into');
  for (const isInto of [false, true]) {
    const id = await start('into-parent');
    const child = await report('into', { status: 'FAILED' });
    expect((await ended(id)).status).toBe('FAILED');
    await stage.raw(`/api/workflow/${id}/retry?resumeSubworkflowTasks=${isInto}`, { method: 'POST' });
    const next = await report('into', { status: 'COMPLETED', outputData: { r: 1 } });
    expect(next === child).toBe(isInto);
    const done = await ended(id);
    expect(done).toMatchObject({ status: 'COMPLETED', output: { o: 1 } });
    expect(tasksOf(done)).toHaveLength(isInto ? 2 : 3);
  }
});

test('a sub-workflow that is terminated terminates its parent; restarted, both go on', async () => {
  await family('end');
  const id = await start('end-parent');
  const { workflowInstanceId: child } = await poll('end');
  await stage.raw(`/api/workflow/${child}`, { method: 'DELETE' });
  expect(await ended(id)).toMatchObject({ status: 'TERMINATED', tasks: [{ status: 'CANCELED' }] });
  await stage.raw(`/api/workflow/${child}/restart`, { method: 'POST' });
  await report('end', { status: 'COMPLETED', outputData: { r: 2 } });
  expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: { o: 2 } });
});

test('a worker that is silent for too long uses up a retry; the next silence ends the workflow', async () => {
  await registerTask('silent', { retryCount: 1, responseTimeoutSeconds: 1 });
  await register({ name: 'silence', tasks: [simple('silent', 't')] });
  const id = await start('silence');
  const { taskId } = await poll('silent');
  expect((await poll('silent')).taskId).not.toBe(taskId);
  const done = await ended(id);
  expect(done.status).toBe('TIMED_OUT');
  expect(tasksOf(done)).toEqual(['t TIMED_OUT 0', 't TIMED_OUT 1']);
  expect(done.tasks[0].reasonForIncompletion).toBe(
    `responseTimeout: 1 exceeded for the taskId: ${taskId} with Task Definition: silent`,
  );
});

test('concurrentExecLimit: workers of all kinds together hold at most so many tasks of a type', async () => {
  await registerTask('narrow', { concurrentExecLimit: 2 });
  await register({ name: 'narrows', tasks: [simple('narrow', 't')] });
  for (let count = 0; count < 5; count += 1) await start('narrows');
  const polls = await Promise.all(
    Array.from({ length: 6 }, (_, worker) =>
      stage.raw(`/api/tasks/poll/batch/narrow?workerid=w${worker}&count=2`),
    ),
  );
  const taken = polls.flatMap(({ body }) => body);
  expect(taken.length).toBeLessThanOrEqual(2);
  const { body: more } = await stage.raw('/api/tasks/poll/batch/narrow?workerid=w&count=5');
  const held = [...taken, ...more];
  expect(held).toHaveLength(2);
  const [{ taskId, workflowInstanceId }] = held;
  await stage.raw('/api/tasks', { body: { taskId, workflowInstanceId, status: 'COMPLETED' } });
  expect((await stage.raw('/api/tasks/poll/batch/narrow?workerid=w&count=5')).body).toHaveLength(1);
});

test('rateLimitPerFrequency: so many tasks of a type are handed out within so many seconds', async () => {
  await registerTask('slow', { rateLimitPerFrequency: 2, rateLimitFrequencyInSeconds: 2 });
  await register({ name: 'slows', tasks: [simple('slow', 't')] });
  for (let count = 0; count < 5; count += 1) await start('slows');
  const ask = async () => (await stage.raw('/api/tasks/poll/batch/slow?workerid=w&count=5')).body;
  const began = Date.now();
  expect(await ask()).toHaveLength(2);
  const next = await until(ask, (tasks) => tasks.length > 0);
  expect(Date.now() - began).toBeGreaterThanOrEqual(1900);
  expect(next.length).toBeLessThanOrEqual(2);
});

test('a workflow is tested with answers instead of workers, requests and sub-workflows', async () => {
  await family('mock');
  await register({
    name: 'tested',
    tasks: [
      simple('w', 'first'),
      simple('h', 'request', {
        type: 'HTTP',
        inputParameters: { http_request: { uri: 'http://127.0.0.1:9/never', method: 'GET' } },
      }),
      { name: 's', taskReferenceName: 'sub', type: 'SUB_WORKFLOW', subWorkflowParam: { name: 'mock-child' } },
    ],
    outputParameters: { a: '${first.output.a}', b: '${request.output.b}', c: '${sub.output.o}' },
  });
  const { status, body } = await stage.raw('/api/workflow/test', {
    body: {
      name: 'tested',
      version: 1,
      taskRefToMockOutput: {
        first: [{ status: 'FAILED' }, { status: 'COMPLETED', output: { a: 1 } }],
        request: [{ status: 'COMPLETED', output: { b: 2 } }],
      },
      subWorkflowTestRequest: { sub: { taskRefToMockOutput: { c: [{ output: { r: 3 } }] } } },
    },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'COMPLETED', output: { a: 1, b: 2, c: 3 } });
  const left = await stage.raw('/api/workflow/test', { body: { name: 'tested', taskRefToMockOutput: {} } });
  expect(left.body).toMatchObject({ status: 'RUNNING' });
  expect((await stage.raw('/api/workflow/test', { body: {} })).status).toBe(400);
});

test('a schedule brings the definition of its workflow with it; one that cannot run here is refused by name', async () => {
  const save = (workflowDef: object) =>
    stage.raw('/api/scheduler/schedules', {
      body: {
        name: 'inline',
        cronExpression: '* * * * * *',
        startWorkflowRequest: { name: 'never-registered', version: 3, workflowDef },
      },
    });
  const refused = await save({ name: 'x', tasks: [simple('h', 'h', { type: 'HUMAN' })] });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('tasks of type HUMAN do not run here');
  const task = simple('s', 's', { type: 'SET_VARIABLE', inputParameters: { v: 7 } });
  const saved = await save({ tasks: [task], outputParameters: { v: '${workflow.variables.v}' } });
  expect(saved.body.startWorkflowRequest.workflowDef.tasks).toMatchObject([{ name: 's', optional: false }]);
  const { body } = await until(
    () => stage.raw('/api/scheduler/search/executions?query=inline%20AND%20state:EXECUTED'),
    (heard) => heard.body.totalHits > 0,
  );
  expect(await ended(body.results[0].workflowId)).toMatchObject({
    status: 'COMPLETED',
    workflowName: 'never-registered',
    output: { v: 7 },
  });
  await stage.raw('/api/scheduler/schedules/inline', { method: 'DELETE' });
});

test('what consoles ask: queues in detail, tasks that wait, names, several workflows at once, the end of a task by a message', async () => {
  await registerTask('console', {});
  await register({ name: 'consoles', tasks: [simple('console', 'c'), simple('w', 'w', { type: 'WAIT' })] });
  const [first, second] = [await start('consoles', { correlationId: 'k' }), await start('consoles')];
  await poll('console');
  expect((await stage.raw('/api/tasks/queue/all/verbose')).body.console).toEqual({
    a: { size: 1, uacked: 1 },
  });
  expect((await stage.raw('/api/tasks/queue/all')).body.console).toBe(1);
  const { body: waiting } = await stage.raw('/api/admin/task/console?count=5');
  expect(waiting).toMatchObject([{ taskType: 'console', status: 'SCHEDULED' }]);
  expect((await stage.raw('/api/admin/task/console?count=0')).body).toEqual([]);
  expect((await stage.raw('/api/admin/config')).body).toMatchObject({ version: '3.32.3' });
  expect((await stage.raw('/api/metadata/workflow/names')).body).toContain('consoles');
  expect((await stage.raw('/api/workflow/bulk/search', { body: [second, 'nope'] })).body).toMatchObject({
    bulkErrorResults: { nope: 'No such workflow found by id: nope' },
    bulkSuccessfulResults: [{ workflowId: second, status: 'RUNNING', tasks: [{}] }],
  });
  const asked = { correlationIds: ['k', 'none'], workflowNames: ['consoles'] };
  expect((await stage.raw('/api/workflow/correlated/batch', { body: asked })).body).toMatchObject({
    k: [{ workflowId: first }],
    none: [],
  });
  expect((await stage.raw(`/api/admin/sweep/requeue/${first}`, { method: 'POST' })).body).toBe(
    `true.${first}`,
  );
  const end = (path: string) => stage.raw(`/api/queue/update/${first}/${path}`, { body: { by: 'message' } });
  expect((await end('w/COMPLETED')).status).toBe(404);
  const [{ taskId }] = (await get(first)).tasks;
  expect((await end(`task/${taskId}/COMPLETED`)).status).toBe(200);
  expect((await end('w/COMPLETED')).status).toBe(200);
  expect(await ended(first)).toMatchObject({ status: 'COMPLETED', output: { by: 'message' } });
  const removed = await stage.raw('/api/workflow/bulk/delete', { body: [first, second] });
  expect(removed.body.bulkSuccessfulResults).toEqual([first, second]);
  for (const path of ['secrets', 'environment', 'event'])
    expect((await stage.raw(`/api/${path}`)).body).toEqual([]);
});
