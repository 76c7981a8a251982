/** What Temporal's Web UI asks on its pages: the answers that fill them, and the flags by which it hides what is not here. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { GrpcStage } from './grpc-stage.ts';

const namespace = 'default';
let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('quick', () => 'done', { queue: 'pages' });
    carillon.handle(
      'slow',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
      {
        queue: 'pages',
      },
    );
  });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const seconds = (value: number) => ({ seconds: value as never });

async function create(scheduleId: string, startWorkflow: object): Promise<void> {
  await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId: randomUUID(),
    schedule: {
      spec: { interval: [{ interval: seconds(3600) }] },
      action: { startWorkflow: { workflowId: scheduleId, taskQueue: { name: 'pages' }, ...startWorkflow } },
      policies: { overlapPolicy: 6 },
      state: { paused: true },
    },
  });
}

const patch = async (scheduleId: string, change: object) =>
  await stage.service.patchSchedule({ namespace, scheduleId, requestId: randomUUID(), patch: change });

const backfill = (hours: number) => ({
  backfillRequest: [
    {
      startTime: seconds(Date.parse('2026-01-01T00:00:00Z') / 1000),
      endTime: seconds(Date.parse('2026-01-01T00:00:00Z') / 1000 + (hours - 1) * 3600),
      overlapPolicy: 6,
    },
  ],
});

const infoOf = async (scheduleId: string) =>
  (await stage.service.describeSchedule({ namespace, scheduleId })).info ?? {};

test('flags of what is left out are unset, so the pages say that it is disabled', async () => {
  const { capabilities } = await stage.service.getSystemInfo({});
  expect(JSON.parse(JSON.stringify(capabilities))).toEqual({
    supportsSchedules: true,
    internalErrorDifferentiation: true,
    countGroupByExecutionStatus: true,
    activityFailureIncludeHeartbeat: true,
  });
  const { namespaceInfo } = await stage.service.describeNamespace({ namespace });
  expect(JSON.parse(JSON.stringify(namespaceInfo?.capabilities))).toEqual({
    workerHeartbeats: true,
    workerCommands: true,
  });
});

test('the page of a running workflow gets pollers, queries, its counters, and the lists around it', async () => {
  await create('page-open', {
    workflowType: { name: 'slow' },
    workflowExecutionTimeout: seconds(7200),
    workflowRunTimeout: seconds(3600),
  });
  await patch('page-open', { triggerImmediately: {} });
  const execution = await until(
    async () => (await infoOf('page-open')).recentActions?.[0]?.startWorkflowResult,
  );
  for (const taskQueueType of [1, 2, 3]) {
    const { pollers } = await stage.service.describeTaskQueue({
      namespace,
      taskQueue: { name: 'pages' },
      taskQueueType,
    });
    expect(pollers).toHaveLength(taskQueueType === 3 ? 0 : 1);
  }
  const query = async (queryType: string) => {
    const { queryResult } = await stage.service.queryWorkflow({ namespace, execution, query: { queryType } });
    return JSON.parse(Buffer.from(queryResult?.payloads?.[0]?.data ?? []).toString()) as unknown;
  };
  expect(await query('__temporal_workflow_metadata')).toMatchObject({
    definition: { type: 'slow', signalDefinitions: [], updateDefinitions: [] },
  });
  expect(await query('__stack_trace')).toEqual(expect.any(String));
  await expect(query('custom')).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  const { workflowExecutionInfo: info, workflowExtendedInfo } = await stage.service.describeWorkflowExecution(
    {
      namespace,
      execution,
    },
  );
  expect(Number(String(info?.historySizeBytes))).toBeGreaterThan(0);
  expect(Number(String(info?.stateTransitionCount))).toBeGreaterThan(0);
  const started = Number(String(info?.startTime?.seconds));
  expect(Number(String(workflowExtendedInfo?.executionExpirationTime?.seconds))).toBe(started + 7200);
  expect(Number(String(workflowExtendedInfo?.runExpirationTime?.seconds))).toBe(started + 3600);
  expect((await stage.service.listBatchOperations({ namespace })).operationInfo).toEqual([]);
  expect((await stage.service.listWorkerDeployments({ namespace })).workerDeployments).toEqual([]);
  expect((await stage.connection.operatorService.listNexusEndpoints({})).endpoints).toEqual([]);
  for (const refused of [
    stage.service.signalWorkflowExecution({ namespace, workflowExecution: execution, signalName: 's' }),
    stage.service.resetWorkflowExecution({ namespace, workflowExecution: execution }),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  }
  await stage.service.terminateWorkflowExecution({ namespace, workflowExecution: execution, reason: 'over' });
  const closed = await stage.service.describeWorkflowExecution({ namespace, execution });
  expect(closed.workflowExtendedInfo?.cancelRequested).toBe(false);
});

test('a backfill is seen first among recent actions, at times that a page can tell apart, and moves no update time', async () => {
  await create('page-backfill', { workflowType: { name: 'quick' } });
  const { updateTime: before } = await infoOf('page-backfill');
  await patch('page-backfill', { triggerImmediately: {} });
  await until(async () => (await infoOf('page-backfill')).recentActions?.length === 1);
  await patch('page-backfill', backfill(12));
  const { recentActions, updateTime } = await until(async () => {
    const info = await infoOf('page-backfill');
    return Number(String(info.actionCount)) === 13 ? info : undefined;
  });
  expect(updateTime).toEqual(before);
  const at = (recentActions ?? []).map(
    ({ actualTime }) =>
      Number(String(actualTime?.seconds)) * 1000 + Math.floor((actualTime?.nanos ?? 0) / 1e6),
  );
  expect(new Set(at).size).toBe(10);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  const slots = (recentActions ?? []).map(({ scheduleTime }) => Number(String(scheduleTime?.seconds)));
  expect(slots.every((slot) => slot < Date.parse('2026-01-02T00:00:00Z') / 1000)).toBe(true);
});

test('queries of the pages know every system attribute', async () => {
  for (const query of [
    'TemporalExternalPayloadCount > 0',
    'TemporalUsedWorkerDeploymentVersions = "a"',
    'StateTransitionCount > 1000000',
    'HistorySizeBytes > 100000000',
  ]) {
    const { executions } = await stage.service.listWorkflowExecutions({ namespace, query });
    expect(executions, query).toEqual([]);
  }
});
