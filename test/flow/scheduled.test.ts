// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
import { expect, it } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

async function open(setup?: Parameters<typeof DoorStage.open>[2]): Promise<DoorStage> {
  const archetype = flow();
  return await DoorStage.open({ flow: archetype }, { archetypes: [archetype] }, setup);
}

const everySecond = (name: string, request: object) => ({
  name,
  cronExpression: '* * * * * *',
  startWorkflowRequest: request,
});

const records = async (stage: DoorStage, name: string) =>
  (await stage.raw(`/api/scheduler/search/executions?query=scheduleName%20IN%20(${name})`)).body
    .results as readonly {
    readonly workflowId?: string;
    readonly scheduledTime: number;
  }[];

it('a schedule of a registered workflow runs the workflow, under the id that its record shows', async () => {
  await using stage = await open();
  const definition = {
    name: 'report',
    version: 2,
    tasks: [
      {
        name: 's',
        taskReferenceName: 's',
        type: 'SET_VARIABLE',
        inputParameters: { at: '${workflow.input._scheduledTime}' },
      },
    ],
    outputParameters: {
      at: '${workflow.variables.at}',
      mine: '${workflow.input.mine}',
      id: '${workflow.correlationId}',
    },
  };
  await stage.raw('/api/metadata/workflow', {
    body: {
      ...definition,
      version: 1,
      tasks: [
        {
          name: 'x',
          taskReferenceName: 'x',
          type: 'TERMINATE',
          inputParameters: { terminationStatus: 'FAILED' },
        },
      ],
    },
  });
  await stage.raw('/api/metadata/workflow', { body: definition });
  await stage.raw('/api/scheduler/schedules', {
    body: everySecond('s1', { name: 'report', version: 2, correlationId: 'c1', input: { mine: 1 } }),
  });
  const record = await until(async () =>
    (await records(stage, 's1')).find(({ workflowId }) => workflowId !== undefined),
  );
  const workflow = await until(async () => {
    const { body } = await stage.raw(`/api/workflow/${record.workflowId}`);
    return body.status === 'COMPLETED' ? body : undefined;
  });
  expect(workflow).toMatchObject({
    workflowName: 'report',
    workflowVersion: 2,
    correlationId: 'c1',
    output: { at: record.scheduledTime, mine: 1, id: 'c1' },
  });
  const run = await until(async () => {
    const { body } = await stage.call(`/runs/${record.workflowId}`);
    return body.state === 'done' ? body : undefined;
  });
  expect(run).toMatchObject({ outcome: 'completed', name: 'report' });
});

it('a name that is only a handler runs the handler; registered later as a workflow, it is the workflow', async () => {
  const ran: unknown[] = [];
  await using stage = await open((carillon) => {
    carillon.handle('plain', ({ input }) => {
      ran.push(input);
    });
  });
  await stage.raw('/api/scheduler/schedules', {
    body: everySecond('s2', { name: 'plain', input: { n: 1 } }),
  });
  await until(() => ran.length > 0);
  expect(ran[0]).toMatchObject({ n: 1, _startedByScheduler: 's2' });
  await stage.raw('/api/metadata/workflow', {
    body: { name: 'plain', version: 1, tasks: [{ name: 'n', taskReferenceName: 'n', type: 'NOOP' }] },
  });
  const { body } = await until(
    async () => await stage.raw('/api/workflow/search?query=workflowType%3Dplain%20AND%20status%3DCOMPLETED'),
    ({ body: found }) => found.totalHits > 0,
  );
  expect(body.results[0].workflowType).toBe('plain');
});

it('a schedule of our own whose handler has the name of a workflow runs the handler', async () => {
  let ran = 0;
  await using stage = await open((carillon) => {
    carillon.handle('both', () => {
      ran += 1;
    });
  });
  await stage.raw('/api/metadata/workflow', {
    body: { name: 'both', version: 1, tasks: [{ name: 'n', taskReferenceName: 'n', type: 'NOOP' }] },
  });
  await stage.carillon.schedules.upsert('mine', { every: '1s', run: 'both' });
  await until(() => ran > 0);
  expect((await stage.raw('/api/workflow/search?query=workflowType%3Dboth')).body.totalHits).toBe(0);
});

it('starting a name that is only a handler runs the handler; an unknown name is refused', async () => {
  const ran: unknown[] = [];
  await using stage = await open((carillon) => {
    carillon.handle('plain', ({ input }) => {
      ran.push(input);
    });
  });
  const { status, body: id } = await stage.raw('/api/workflow', { body: { name: 'plain', input: { n: 1 } } });
  expect(status).toBe(200);
  await until(() => ran.length > 0);
  expect(ran).toEqual([{ n: 1 }]);
  expect((await stage.call(`/runs/${id}`)).body).toMatchObject({ name: 'plain' });
  expect((await stage.raw('/api/workflow', { body: { name: 'nothing' } })).status).toBe(404);
});

it('many workflows are changed at once, and each failure is reported', async () => {
  await using stage = await open();
  await stage.raw('/api/metadata/workflow', {
    body: { name: 'w', version: 1, tasks: [{ name: 'n', taskReferenceName: 'n', type: 'SIMPLE' }] },
  });
  const { body: id } = await stage.raw('/api/workflow', { body: { name: 'w' } });
  const paused = await stage.raw('/api/workflow/bulk/pause', { method: 'PUT', body: [id, 'abc'] });
  expect(paused.body).toEqual({
    bulkErrorResults: { abc: 'No such workflow found by id: abc' },
    bulkSuccessfulResults: [id],
  });
  const none = await stage.raw('/api/workflow/bulk/resume', { method: 'PUT', body: [] });
  expect([none.status, none.body.validationErrors[0].path]).toEqual([400, 'resumeWorkflow.arg0']);
  expect(
    (await stage.raw('/api/workflow/bulk/remove', { method: 'DELETE', body: [id] })).body
      .bulkSuccessfulResults,
  ).toEqual([id]);
  expect((await stage.raw(`/api/workflow/${id}`)).status).toBe(404);
});
