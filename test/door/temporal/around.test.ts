/** The calls of the command line and the Web UI that are not about schedules. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { google, temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { GrpcStage } from './grpc-stage.ts';

const namespace = 'default';
let stage: GrpcStage;
let release: () => void;

beforeAll(async () => {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('echo', ({ input }) => input, { queue: 'handlers' });
    carillon.handle(
      'slow',
      ({ signal }) =>
        Promise.race([
          released,
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]),
      { queue: 'handlers' },
    );
  });
});
afterAll(async () => {
  release();
  await stage[Symbol.asyncDispose]();
});

function start(workflowId: string, type: string, fields: object = {}) {
  return {
    namespace,
    workflowId,
    workflowType: { name: type },
    taskQueue: { name: 'handlers' },
    requestId: randomUUID(),
    ...fields,
  };
}
async function codeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'OK',
    (error: { code: number }) => status[error.code] as string,
  );
}

describe('task queues', () => {
  test('a queue with handlers has pollers for workflows and activities, none for Nexus, and others have none', async () => {
    const pollers = async (name: string, taskQueueType: number) =>
      (await stage.service.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType })).pollers ??
      [];
    for (const type of [1, 2]) {
      const [poller] = await pollers('handlers', type);
      expect(poller?.identity).toMatch(/\w/);
      expect(Number(String(poller?.lastAccessTime?.seconds))).toBeGreaterThan(1_700_000_000);
    }
    expect(await pollers('handlers', 3)).toEqual([]);
    expect(await pollers('elsewhere', 1)).toEqual([]);
    const enhanced = await stage.service.describeTaskQueue({
      namespace,
      taskQueue: { name: 'handlers' },
      apiMode: 1,
    });
    expect(Object.keys(enhanced.versionsInfo?.['']?.typesInfo ?? {})).toEqual(['1', '2']);
    expect(await codeOf(stage.service.describeTaskQueue({ namespace }))).toBe('INVALID_ARGUMENT');
  });

  test('who asks for the backlog of a queue gets the runs that wait in it', async () => {
    const asked = { namespace, taskQueue: { name: 'unserved' }, taskQueueType: 1 };
    const status = async () =>
      (await stage.service.describeTaskQueue({ ...asked, includeTaskQueueStatus: true })).taskQueueStatus;
    expect(Number(String((await status())?.backlogCountHint))).toBe(0);
    await stage.service.startWorkflowExecution(
      start('waits-unserved', 'anything', { taskQueue: { name: 'unserved' } }),
    );
    expect(Number(String((await status())?.backlogCountHint))).toBe(1);
    const { stats, taskQueueStatus } = await stage.service.describeTaskQueue({ ...asked, reportStats: true });
    expect(Number(String(stats?.approximateBacklogCount))).toBe(1);
    expect(taskQueueStatus).toBeNull();
  });

  test('workers are found by a query over their names and queues', async () => {
    const leave = new AbortController();
    const polling = stage.connection
      .withAbortSignal(leave.signal, () =>
        stage.service.pollActivityTaskQueue({
          namespace,
          taskQueue: { name: 'asked' },
          identity: 'me',
          workerInstanceKey: 'key-of-me',
        }),
      )
      .catch(() => undefined);
    const found = async (query: string) =>
      ((await stage.service.listWorkers({ namespace, query })).workers ?? []).map(
        ({ workerInstanceKey }) => workerInstanceKey,
      );
    await until(async () => (await found('TaskQueue="asked"')).length === 1);
    for (const query of [
      '',
      'WorkerIdentity STARTS_WITH "m"',
      'TaskQueue IN ("asked", "x") AND StartTime > 0',
    ]) {
      expect(await found(query)).toEqual(['key-of-me']);
    }
    for (const query of ['TaskQueue="other"', 'WorkerIdentity != "me"', 'BuildId="1"'])
      expect(await found(query)).toEqual([]);
    expect(Number((await stage.service.countWorkers({ namespace, query: 'TaskQueue="asked"' })).count)).toBe(
      1,
    );
    expect(await codeOf(stage.service.listWorkers({ namespace, query: 'Nothing = 1' }))).toBe(
      'INVALID_ARGUMENT',
    );
    leave.abort();
    await polling;
  });

  test('there are no deployments and no Nexus endpoints, and one cluster', async () => {
    expect((await stage.service.listWorkerDeployments({ namespace })).workerDeployments ?? []).toEqual([]);
    expect((await stage.connection.operatorService.listNexusEndpoints({})).endpoints ?? []).toEqual([]);
    const { clusters } = await stage.connection.operatorService.listClusters({});
    expect(clusters).toMatchObject([{ clusterName: 'active', isConnectionEnabled: true }]);
  });
});

describe('a workflow started by hand', () => {
  test('runs the handler of its name, and its result, input and memo are shown', async () => {
    const memo = {
      fields: { m: { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') } },
    };
    const handle = await stage.client.workflow.start('echo', {
      workflowId: 'by-hand',
      taskQueue: 'handlers',
      args: [{ a: 1 }],
      memo: { m: 1 },
    });
    expect(await handle.result()).toEqual({ a: 1 });
    expect((await handle.describe()).memo).toEqual({ m: 1 });
    expect(handle.firstExecutionRunId).toMatch(/^[0-9a-f-]{36}$/);
    expect(memo).toBeDefined();
  });

  test('keeps its id to itself while it runs, answers a repeated request, and obeys the policies of ids', async () => {
    const first = start('alone', 'slow');
    const { runId } = await stage.service.startWorkflowExecution(first);
    expect((await stage.service.startWorkflowExecution(first)).runId).toBe(runId);
    const error = await stage.service
      .startWorkflowExecution(start('alone', 'slow'))
      .catch((reason: unknown) => reason);
    const { code, metadata } = error as { code: number; metadata: { get(name: string): Buffer[] } };
    expect(status[code]).toBe('ALREADY_EXISTS');
    const [bytes] = metadata.get('grpc-status-details-bin');
    const [detail] = google.rpc.Status.decode(bytes as Buffer).details ?? [];
    const { WorkflowExecutionAlreadyStartedFailure: Started } = temporal.api.errordetails.v1;
    expect(Started.decode(detail?.value as Uint8Array)).toMatchObject({
      runId,
      startRequestId: first.requestId,
    });
    const existing = await stage.service.startWorkflowExecution(
      start('alone', 'slow', { workflowIdConflictPolicy: 2 }),
    );
    expect(existing).toMatchObject({ runId, started: false, status: 1 });
    const other = await stage.service.startWorkflowExecution(
      start('alone', 'slow', { workflowIdConflictPolicy: 3 }),
    );
    expect(other.runId).not.toBe(runId);
    await stage.client.workflow.getHandle('alone').terminate();
    const again = start('alone', 'slow', { workflowIdReusePolicy: 3 });
    expect(await codeOf(stage.service.startWorkflowExecution(again))).toBe('ALREADY_EXISTS');
  });
});

describe('queries of a workflow', () => {
  test('are the two that every workflow has', async () => {
    const { runId } = await stage.service.startWorkflowExecution(start('asked', 'echo'));
    const execution = { workflowId: 'asked', runId };
    const ask = (queryType: string) =>
      stage.service.queryWorkflow({ namespace, execution, query: { queryType } });
    const { queryResult } = await ask('__temporal_workflow_metadata');
    expect(JSON.parse(Buffer.from(queryResult?.payloads?.[0]?.data ?? []).toString())).toMatchObject({
      definition: {
        type: 'echo',
        queryDefinitions: [{ name: '__stack_trace' }, { name: '__temporal_workflow_metadata' }],
        signalDefinitions: [],
        updateDefinitions: [],
      },
      currentDetails: '',
    });
    expect((await ask('__stack_trace')).queryResult?.payloads).toHaveLength(1);
    expect(await codeOf(ask('mine'))).toBe('INVALID_ARGUMENT');
  });
});

describe('a batch', () => {
  test('terminates what matches its query, and tells how far it has come', async () => {
    for (const id of ['b-1', 'b-2', 'b-3']) await stage.service.startWorkflowExecution(start(id, 'slow'));
    const jobId = randomUUID();
    const request = {
      namespace,
      jobId,
      reason: 'enough',
      visibilityQuery: "WorkflowId STARTS_WITH 'b-' AND ExecutionStatus = 'Running'",
      terminationOperation: { identity: 'me' },
    };
    await stage.service.startBatchOperation(request);
    const done = await until(
      async () => await stage.service.describeBatchOperation({ namespace, jobId }),
      ({ state }) => state === 2,
    );
    expect(done).toMatchObject({ jobId, identity: 'me', reason: 'enough', operationType: 1 });
    expect([done.totalOperationCount, done.completeOperationCount].map(String)).toEqual(['3', '3']);
    expect((await stage.client.workflow.getHandle('b-2').describe()).status.name).toBe('TERMINATED');
    const { operationInfo } = await stage.service.listBatchOperations({ namespace });
    expect(operationInfo).toMatchObject([{ jobId, state: 2 }]);
    expect(await codeOf(stage.service.startBatchOperation(request))).toBe('ALREADY_EXISTS');
    const signal = {
      ...request,
      jobId: randomUUID(),
      terminationOperation: null,
      signalOperation: { signal: 's' },
    };
    expect(await codeOf(stage.service.startBatchOperation(signal))).toBe('INVALID_ARGUMENT');
  });
});

describe('a deleted workflow', () => {
  const open = { namespace, query: "WorkflowId STARTS_WITH 'd-'" };

  test('is gone with its history, also from lists, and its id can be used again', async () => {
    const handle = await stage.client.workflow.start('echo', { workflowId: 'd-1', taskQueue: 'handlers' });
    await handle.result();
    const workflowExecution = { workflowId: 'd-1' };
    await stage.service.deleteWorkflowExecution({ namespace, workflowExecution });
    const about = { namespace, execution: workflowExecution };
    expect(await codeOf(stage.service.describeWorkflowExecution(about))).toBe('NOT_FOUND');
    expect(await codeOf(stage.service.getWorkflowExecutionHistory(about))).toBe('NOT_FOUND');
    expect(Number((await stage.service.countWorkflowExecutions(open)).count)).toBe(0);
    expect(await codeOf(stage.service.deleteWorkflowExecution({ namespace, workflowExecution }))).toBe(
      'NOT_FOUND',
    );
    await stage.service.startWorkflowExecution(start('d-1', 'echo', { workflowIdReusePolicy: 3 }));
    await stage.service.deleteWorkflowExecution({ namespace, workflowExecution });
  });

  test('ends first if it is running, and who waits for it learns that it is gone', async () => {
    const { runId } = await stage.service.startWorkflowExecution(start('d-2', 'slow'));
    const execution = { workflowId: 'd-2', runId };
    const waitForEnd = () =>
      stage.service.getWorkflowExecutionHistory({
        namespace,
        execution,
        waitNewEvent: true,
        historyEventFilterType: 2,
      });
    const waiting = waitForEnd();
    await stage.service.deleteWorkflowExecution({ namespace, workflowExecution: execution });
    // The waiting caller may see the end before the deletion.
    expect(['OK', 'NOT_FOUND']).toContain(await codeOf(waiting));
    expect(await codeOf(waitForEnd())).toBe('NOT_FOUND');
    const audit = await fetch(`${stage.server.url}/api/v1/namespaces/default/audit?limit=2`);
    expect(await audit.json()).toMatchObject({
      items: [
        { action: 'delete', door: 'temporal', after: null },
        { action: 'terminate', door: 'temporal' },
      ],
    });
  });

  test('can be one of many that a batch deletes, whether they have ended or not', async () => {
    await (await stage.client.workflow.start('echo', { workflowId: 'd-3', taskQueue: 'handlers' })).result();
    await stage.service.startWorkflowExecution(start('d-4', 'slow'));
    const jobId = randomUUID();
    await stage.service.startBatchOperation({
      namespace,
      jobId,
      reason: 'tidy',
      visibilityQuery: open.query,
      deletionOperation: { identity: 'me' },
    });
    const done = await until(
      async () => await stage.service.describeBatchOperation({ namespace, jobId }),
      ({ state }) => state === 2,
    );
    expect(done).toMatchObject({ operationType: 4, identity: 'me' });
    expect([done.totalOperationCount, done.completeOperationCount].map(String)).toEqual(['2', '2']);
    expect(Number((await stage.service.countWorkflowExecutions(open)).count)).toBe(0);
  });

  test('may be named to a batch again, which fails only where something is left to do', async () => {
    const counts = async (operation: object) => {
      const jobId = randomUUID();
      const executions = [{ workflowId: 'd-3' }];
      await stage.service.startBatchOperation({
        namespace,
        jobId,
        reason: 'again',
        executions,
        ...operation,
      });
      const { completeOperationCount, failureOperationCount } = await until(
        async () => await stage.service.describeBatchOperation({ namespace, jobId }),
        ({ state }) => state === 2,
      );
      return [completeOperationCount, failureOperationCount].map(String);
    };
    expect(await counts({ deletionOperation: {} })).toEqual(['1', '0']);
    expect(await counts({ terminationOperation: {} })).toEqual(['0', '1']);
  });
});

describe('a namespace', () => {
  test('can be deleted with what is in it, but not the one that always exists', async () => {
    const retention = { seconds: 86_400 as never };
    await stage.service.registerNamespace({ namespace: 'gone', workflowExecutionRetentionPeriod: retention });
    const spec = { interval: [{ interval: { seconds: 3600 as never } }] };
    const action = {
      startWorkflow: { workflowId: 'w', workflowType: { name: 'slow' }, taskQueue: { name: 'handlers' } },
    };
    await stage.service.createSchedule({
      namespace: 'gone',
      scheduleId: 's',
      requestId: randomUUID(),
      schedule: { spec, action },
      initialPatch: { triggerImmediately: {} },
    });
    const { operatorService } = stage.connection;
    expect((await operatorService.deleteNamespace({ namespace: 'gone' })).deletedNamespace).toContain(
      'gone-deleted',
    );
    expect(await codeOf(stage.service.describeNamespace({ namespace: 'gone' }))).toBe('NOT_FOUND');
    expect(await codeOf(operatorService.deleteNamespace({ namespace: 'default' }))).toBe(
      'FAILED_PRECONDITION',
    );
  });
});

describe('what is not served', () => {
  test('says why', async () => {
    const signal = stage.service.signalWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: 'x' },
      signalName: 's',
    });
    await expect(signal).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: expect.stringContaining('not workflow code'),
    });
  });

  test('a worker of workflows gets the reason as a task that its SDK logs, and then as the error of its polls', async () => {
    const poll = () =>
      stage.service.pollWorkflowTaskQueue({
        namespace,
        taskQueue: { name: 'q' },
        identity: 'worker',
        workerInstanceKey: 'k',
      });
    expect((await poll()).workflowType?.name).toContain('not workflow code');
    await expect(poll()).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: expect.stringContaining('docs/temporal.md'),
    });
  });
});
