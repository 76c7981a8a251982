/** Namespaces of the Temporal door whose workflows are started on a Temporal cluster. */
import { type google, temporal } from '@temporalio/proto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReceivedStart } from '../../action/temporal-stub.ts';
import { TemporalStub } from '../../action/temporal-stub.ts';
import { until } from '../../support/until.ts';
import { GrpcStage } from './grpc-stage.ts';

const { StartWorkflowExecutionRequest } = temporal.api.workflowservice.v1;
const completedStatus = 2;

const received: ReceivedStart[] = [];
let cluster: TemporalStub;
let stage: GrpcStage;

const bytes = (text: string) => Buffer.from(text);
const json = (value: unknown) => ({
  metadata: { encoding: bytes('json/plain') },
  data: bytes(JSON.stringify(value)),
});
const encrypted = {
  metadata: { encoding: bytes('binary/encrypted'), key: Buffer.from([0, 255, 128]) },
  data: Buffer.from([255, 0, 1, 2]),
};
/** A number that JavaScript would round, and blanks that it would drop. */
const exact = { metadata: { encoding: bytes('json/plain') }, data: bytes('[ 12345678901234567890 ]') };

// The types ask for an object where a number is encoded just the same.
const seconds = (whole: number, nanos = 0) =>
  ({ seconds: whole, nanos }) as unknown as google.protobuf.IDuration;

const action = {
  workflowId: 'wf',
  workflowType: { name: 'report' },
  taskQueue: { name: 'reports' },
  input: { payloads: [exact, encrypted] },
  workflowExecutionTimeout: seconds(3600, 5),
  workflowRunTimeout: seconds(60, 7),
  workflowTaskTimeout: seconds(9),
  retryPolicy: {
    initialInterval: seconds(1, 1),
    backoffCoefficient: 1.5,
    maximumInterval: seconds(100),
    maximumAttempts: 3,
    nonRetryableErrorTypes: ['Fatal'],
  },
  memo: { fields: { m: json({ a: 1 }), secret: encrypted } },
  searchAttributes: { indexedFields: { BuildIds: json(['ignored']), Color: json('red') } },
  header: { fields: { trace: encrypted } },
  userMetadata: { summary: json('short'), details: encrypted },
  versioningOverride: { pinned: { behavior: 1, version: { deploymentName: 'd', buildId: 'b' } } },
  priority: { priorityKey: 2, fairnessKey: 'tenant', fairnessWeight: 2.5 },
};

beforeAll(async () => {
  const ended = { workflowExecutionCompletedEventAttributes: { result: { payloads: [encrypted] } } };
  cluster = await TemporalStub.open((start) => void received.push(start), {
    getWorkflowExecutionHistory: () => ({ history: { events: [{ eventId: 2, ...ended }] } }),
  });
  stage = await GrpcStage.open(
    { grpc: { port: 0, namespaces: { default: { cluster: 'eu', namespace: 'there' } } } },
    { temporal: { clusters: { eu: { address: cluster.address } } } },
    (carillon) => void carillon.handle('report', () => 'done here', { queue: 'reports' }),
  );
  await stage.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { Color: 2 },
  });
  await stage.service.registerNamespace({ namespace: 'own' });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

async function create(scheduleId: string, namespace = 'default'): Promise<void> {
  await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId: scheduleId,
    schedule: {
      spec: { interval: [{ interval: seconds(3600) }] },
      action: { startWorkflow: { ...action, ...(namespace === 'own' ? { searchAttributes: {} } : {}) } },
      state: { paused: true, notes: 'until triggered' },
    },
  });
}

async function trigger(scheduleId: string, namespace = 'default'): Promise<void> {
  await stage.service.patchSchedule({
    namespace,
    scheduleId,
    patch: { triggerImmediately: {} },
    requestId: `trigger ${scheduleId}`,
  });
}

function encode(fields: object): Buffer {
  return Buffer.from(StartWorkflowExecutionRequest.encode(fields).finish());
}

async function completed(workflowId: string) {
  return await until(
    async () =>
      await stage.service.describeWorkflowExecution({ namespace: 'default', execution: { workflowId } }),
    ({ workflowExecutionInfo: info }) => info?.status === completedStatus,
  );
}

test('a schedule starts its workflow on the cluster of its namespace, with every field as it came', async () => {
  await create('s');
  await trigger('s');
  const start = await until(() => received.shift());
  const { request } = start;
  expect(request).toMatchObject({
    namespace: 'there',
    workflowType: { name: 'report' },
    taskQueue: { name: 'reports', kind: 1 },
    workflowIdReusePolicy: 1,
  });
  expect(request.workflowId).toMatch(/^wf-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const { workflowId: _, workflowType: __, taskQueue: ___, searchAttributes, ...handedOn } = action;
  for (const [name, value] of Object.entries(handedOn)) {
    const got = request[name as keyof typeof handedOn];
    expect.soft(encode({ [name]: got }), name).toEqual(encode({ [name]: value }));
  }
  expect(Object.keys(request.searchAttributes?.indexedFields ?? {}).sort()).toEqual([
    'Color',
    'TemporalScheduledById',
    'TemporalScheduledStartTime',
  ]);
  expect(request.searchAttributes?.indexedFields?.Color?.data).toEqual(
    searchAttributes.indexedFields.Color.data,
  );
  start.answer();

  // Clients of this door see the workflow under its own type and queue, and its result as the cluster gave it.
  const { workflowExecutionInfo: shown } = await completed(request.workflowId);
  expect(shown).toMatchObject({ type: { name: 'report' }, taskQueue: 'reports' });
  const { executions } = await stage.service.listWorkflowExecutions({
    namespace: 'default',
    query: "WorkflowType = 'report'",
  });
  expect(executions).toHaveLength(1);
  const { schedule, info } = await stage.service.describeSchedule({ namespace: 'default', scheduleId: 's' });
  expect(encode({ input: schedule?.action?.startWorkflow?.input })).toEqual(encode({ input: action.input }));
  expect(info?.recentActions?.[0]?.startWorkflowResult?.workflowId).toBe(request.workflowId);

  // The next start gets the last result in the bytes of the cluster.
  await stage.service.patchSchedule({
    namespace: 'default',
    scheduleId: 's',
    patch: { triggerImmediately: {} },
    requestId: 'second',
  });
  const second = await until(() => received.shift());
  second.answer();
  expect(second.request.lastCompletionResult?.payloads?.[0]?.data).toEqual(encrypted.data);
});

test('other doors show the target, keep it through their updates, and refuse to contradict what was sent', async () => {
  await create('native');
  const { schedules } = stage.carillon;
  const { action: stored } = await schedules.describe('native');
  expect(stored).toMatchObject({
    kind: 'temporal',
    queue: '@temporal/eu',
    input: { workflowType: 'report', taskQueue: 'reports', namespace: 'there' },
  });
  await schedules.patch('native', { description: 'ours' });
  expect((await schedules.describe('native')).action).toEqual(stored);
  const target = stored.input as { readonly sent: object };
  await expect(
    schedules.patch('native', { temporal: { ...target, memo: { m: 2 } } as never }),
  ).rejects.toThrow(/memo is part of what a Temporal client sent/);
  await trigger('native');
  const start = await until(() => received.shift());
  expect(start.request.memo?.fields?.secret?.data).toEqual(encrypted.data);
  start.answer();
});

test('a start by hand goes to the cluster too, under its own id', async () => {
  await stage.service.startWorkflowExecution({
    namespace: 'default',
    ...action,
    workflowId: 'by-hand',
    requestId: 'r',
    searchAttributes: {},
  });
  const start = await until(() => received.shift());
  expect(start.request).toMatchObject({ namespace: 'there', workflowId: 'by-hand' });
  expect(start.request.input?.payloads?.[1]?.data).toEqual(encrypted.data);
  start.answer();
  await completed('by-hand');
});

test('a namespace without a target runs its workflows here', async () => {
  await create('here', 'own');
  await trigger('here', 'own');
  const { recentActions } = await until(
    async () => (await stage.service.describeSchedule({ namespace: 'own', scheduleId: 'here' })).info,
    (info) => info?.recentActions?.[0]?.startWorkflowStatus === 2,
  ).then((info) => info ?? {});
  expect(recentActions).toHaveLength(1);
  expect(received).toEqual([]);
});
