/** Starts that fail: the record says FAILED with the reason, the slot says startFailed. */
import { expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { until } from '../../support/until.ts';
import { DoorStage } from '../door-stage.ts';

test('a version that is not there is a start that failed, at every slot', async () => {
  const archetype = flow();
  await using stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
  const task = { name: 's', taskReferenceName: 's', type: 'SET_VARIABLE', inputParameters: { x: 1 } };
  const registered = await stage.raw('/api/metadata/workflow', {
    method: 'PUT',
    body: [{ name: 'report', version: 1, schemaVersion: 2, ownerEmail: 'a@b.c', tasks: [task] }],
  });
  expect(registered.status).toBe(200);
  const startWorkflowRequest = { name: 'report', version: 9 };
  await stage.raw('/api/scheduler/schedules', {
    body: { name: 's', cronExpression: '* * * * * *', startWorkflowRequest },
  });
  const { body } = await until(
    () => stage.raw('/api/scheduler/search/executions?query=status%20IN%20(FAILED)'),
    (heard) => heard.body.totalHits >= 2,
  );
  const [record] = body.results;
  expect(record).toMatchObject({
    scheduleName: 's',
    state: 'FAILED',
    reason: 'No such workflow defined. name=report, version=9',
    startWorkflowRequest,
  });
  expect(record).not.toHaveProperty('workflowId');
  expect(record.stackTrace.length).toBeLessThanOrEqual(2000);
  const at = encodeURIComponent(new Date(record.scheduledTime).toISOString());
  const why = await stage.call(`/schedules/s/why?at=${at}`);
  expect(JSON.stringify(why.body)).toContain('startFailed');
  expect((await stage.raw('/api/scheduler/schedules/s')).body.nextRunTime).toBeGreaterThan(
    record.scheduledTime,
  );
});
