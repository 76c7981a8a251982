// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** Workers of the official SDK, unmodified, against our server. */
import { orkesConductorClient, TaskManager } from 'conductor-sdk-4';
import { expect, it } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

async function open(): Promise<DoorStage> {
  const archetype = flow();
  return await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
}

const task = (reference: string, more: object = {}) => ({
  name: 'sum',
  taskReferenceName: reference,
  type: 'SIMPLE',
  ...more,
});

async function define(stage: DoorStage, definition: object, settings: object = {}): Promise<void> {
  await stage.raw('/api/metadata/taskdefs', {
    body: [
      {
        name: 'sum',
        retryCount: 2,
        retryDelaySeconds: 0,
        responseTimeoutSeconds: 30,
        timeoutSeconds: 60,
        ...settings,
      },
    ],
  });
  const { status } = await stage.raw('/api/metadata/workflow', { body: { version: 1, ...definition } });
  expect(status).toBe(200);
}

const silent = { info: () => {}, error: () => {}, debug: () => {}, warn: () => {} };

async function worker(
  stage: DoorStage,
  execute: (task: { inputData?: Record<string, unknown>; taskId?: string }) => Promise<object>,
) {
  const client = await orkesConductorClient({ serverUrl: `${stage.server.url}/api` });
  const manager = new TaskManager(client, [{ taskDefName: 'sum', execute: execute as never }], {
    logger: silent,
    options: { pollInterval: 20, concurrency: 2, workerID: 'js' },
  });
  manager.startPolling();
  return manager;
}

const ended = (stage: DoorStage, id: string) =>
  until(async () => {
    const { body } = await stage.raw(`/api/workflow/${id}`);
    return ['COMPLETED', 'FAILED', 'TIMED_OUT'].includes(body.status) ? body : undefined;
  });

it('polls, logs, fails once, is tried again, and finishes the tasks of a scheduled workflow', async () => {
  await using stage = await open();
  await define(stage, {
    name: 'sums',
    tasks: [
      task('a', { inputParameters: { x: 1, y: '${workflow.input.y}' } }),
      task('b', { inputParameters: { x: '${a.output.sum}', y: 10 } }),
    ],
    outputParameters: { sum: '${b.output.sum}' },
  });
  let calls = 0;
  const manager = await worker(stage, async ({ inputData = {} }) => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return {
      status: 'COMPLETED',
      outputData: { sum: Number(inputData.x) + Number(inputData.y) },
      logs: [{ log: 'adding', createdTime: 1 }],
    };
  });
  try {
    await stage.raw('/api/scheduler/schedules', {
      body: {
        name: 's',
        cronExpression: '* * * * * *',
        startWorkflowRequest: { name: 'sums', version: 1, input: { y: 2 } },
      },
    });
    const record = await until(async () => {
      const { body } = await stage.raw(
        '/api/scheduler/search/executions?query=scheduleName%20IN%20(s)&sort=scheduledTime:ASC',
      );
      return body.results[0]?.workflowId === undefined ? undefined : body.results[0];
    });
    await stage.raw('/api/scheduler/schedules/s', { method: 'DELETE' });
    const workflow = await ended(stage, record.workflowId);
    expect(workflow).toMatchObject({ status: 'COMPLETED', output: { sum: 13 } });
    const tasks = workflow.tasks as readonly {
      status: string;
      retryCount: number;
      taskId: string;
      referenceTaskName: string;
      reasonForIncompletion?: string;
    }[];
    const failed = tasks.filter(({ status }) => status === 'FAILED');
    for (const each of failed) expect(each.reasonForIncompletion).toContain('not yet');
    const last = tasks.findLast(({ referenceTaskName }) => referenceTaskName === 'b');
    const { body: logs } = await stage.raw(`/api/tasks/${last?.taskId}/log`);
    expect(logs).toMatchObject([{ log: 'adding' }]);
  } finally {
    await manager.stopPolling();
  }
});

it('a task whose worker fell silent goes to another after its response timeout, and the late result has no effect', async () => {
  await using stage = await open();
  await define(
    stage,
    { name: 'one', tasks: [task('a')], outputParameters: { by: '${a.output.by}' } },
    { responseTimeoutSeconds: 1 },
  );
  const { body: id } = await stage.raw('/api/workflow', { body: { name: 'one' } });
  const { body: held } = await until(
    async () => await stage.raw('/api/tasks/poll/sum?workerid=dead'),
    ({ status }) => status === 200,
  );
  // The worker that holds the task is never heard of again.
  const manager = await worker(stage, async () => ({ status: 'COMPLETED', outputData: { by: 'alive' } }));
  try {
    const workflow = await ended(stage, String(id));
    expect(workflow).toMatchObject({ status: 'COMPLETED', output: { by: 'alive' } });
    expect(workflow.tasks.map(({ status }: { status: string }) => status)).toEqual([
      'TIMED_OUT',
      'COMPLETED',
    ]);
  } finally {
    await manager.stopPolling();
  }
  const late = await stage.raw('/api/tasks', {
    body: { workflowInstanceId: id, taskId: held.taskId, status: 'COMPLETED', outputData: { by: 'dead' } },
  });
  expect(late.status).toBe(200);
  expect((await stage.raw(`/api/workflow/${id}`)).body.output).toEqual({ by: 'alive' });
});
