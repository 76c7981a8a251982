/** The calls of the Web UI's pages in their order, and the queries people type into it (wire reference 9, scheduler 3.7). */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import {
  create,
  describeRaw,
  hourly,
  namespace,
  refusal,
  scheduleOf,
  startWorkflow,
} from './raw-schedules.ts';

const { IndexedValueType } = temporal.api.enums.v1;
const kinds = {
  Word: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Words: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  Prose: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
  Whole: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  Real: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
  Truth: IndexedValueType.INDEXED_VALUE_TYPE_BOOL,
  Moment: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
};

let stage: GrpcStage;
const held: (() => void)[] = [];
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
    carillon.handle('fail', () => {
      throw new Error('on purpose');
    });
    carillon.handle('hold', async () => await new Promise<void>((resolve) => held.push(resolve)));
  });
  await stage.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: kinds });
});
afterAll(async () => {
  for (const release of held) release();
  await stage[Symbol.asyncDispose]();
});

async function idsOf(query: string): Promise<string[]> {
  const { schedules } = await stage.service.listSchedules({ namespace, query });
  return (schedules ?? []).map(({ scheduleId }) => scheduleId ?? '').sort();
}

test('every page finds what it asks for', async () => {
  const { service, connection } = stage;
  const handle = await stage.client.schedule.create(
    schedule('page', {
      state: { paused: true },
      action: { type: 'startWorkflow', workflowType: 'work', workflowId: 'page-wf', taskQueue: 'default' },
    }),
  );
  await handle.trigger();
  await until(
    () => handle.describe(),
    ({ info }) => info.runningActions.length === 0 && info.numActionsTaken === 1,
  );
  // Any page.
  const system = await service.getSystemInfo({});
  expect(system.capabilities?.supportsSchedules).toBe(true);
  expect(system.capabilities?.internalErrorDifferentiation).toBe(true);
  expect(system.serverVersion).toMatch(/^\d+\.\d+\.\d+/);
  const cluster = await service.getClusterInfo({});
  expect(cluster.clusterId).not.toBe('');
  expect(cluster.serverVersion).toMatch(/^\d+\.\d+\.\d+/);
  expect(Object.keys(cluster.supportedClients ?? {}).length).toBeGreaterThan(0);
  const { namespaces } = await service.listNamespaces({ pageSize: 100 });
  expect(namespaces?.map(({ namespaceInfo }) => namespaceInfo?.name)).toContain('default');
  // The layout of a namespace.
  const attributes = await connection.operatorService.listSearchAttributes({ namespace });
  expect(attributes.customAttributes).toMatchObject(kinds);
  expect(Object.keys(attributes.systemAttributes ?? {})).toEqual(
    expect.arrayContaining([
      'WorkflowId',
      'ExecutionStatus',
      'TemporalScheduledById',
      'TemporalSchedulePaused',
    ]),
  );
  const described = await service.describeNamespace({ namespace });
  expect(described.namespaceInfo).toMatchObject({ name: 'default', state: 1 });
  expect(described.namespaceInfo?.id).not.toBe('');
  expect(Number(described.config?.workflowExecutionRetentionTtl?.seconds)).toBeGreaterThan(0);
  // The list.
  const { schedules } = await service.listSchedules({ namespace, maximumPageSize: 100 });
  expect(schedules?.find(({ scheduleId }) => scheduleId === 'page')?.info).toMatchObject({ paused: true });
  expect(Number((await service.countSchedules({ namespace })).count)).toBeGreaterThanOrEqual(1);
  // The detail page and its live numbers.
  expect((await describeRaw(stage, 'page')).info?.recentActions).toHaveLength(1);
  const counted = await service.countWorkflowExecutions({
    namespace,
    query: 'TemporalScheduledById="page" GROUP BY ExecutionStatus',
  });
  expect(Number(counted.count)).toBe(1);
  const group = counted.groups?.[0];
  expect(Number(group?.count)).toBe(1);
  expect(JSON.parse(Buffer.from(group?.groupValues?.[0]?.data ?? []).toString())).toBe('Completed');
  const recent = (await handle.describe()).info.recentActions[0]?.action.workflow;
  const listed = await service.listWorkflowExecutions({
    namespace,
    query: `TemporalScheduledById="page" AND WorkflowId in ("${recent?.workflowId}") AND ExecutionStatus != "ContinuedAsNew"`,
  });
  expect(listed.executions?.map(({ execution }) => execution)).toMatchObject([
    { workflowId: recent?.workflowId, runId: recent?.firstExecutionRunId },
  ]);
  // Edit, act, delete.
  const before = await describeRaw(stage, 'page');
  await service.updateSchedule({
    namespace,
    scheduleId: 'page',
    requestId: randomUUID(),
    schedule: { ...before.schedule, state: { ...before.schedule?.state, notes: 'edited' } },
  });
  expect((await describeRaw(stage, 'page')).schedule?.state?.notes).toBe('edited');
  await service.patchSchedule({
    namespace,
    scheduleId: 'page',
    requestId: randomUUID(),
    patch: { unpause: 'from the UI' },
  });
  await service.deleteSchedule({ namespace, scheduleId: 'page' });
  expect(await idsOf('ScheduleId = "page"')).toEqual([]);
});

describe('queries for schedules', () => {
  beforeAll(async () => {
    const json = (value: unknown) => ({
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from(JSON.stringify(value)),
    });
    const make = async (id: string, fields: Record<string, unknown>, isPaused: boolean) =>
      await create(stage, id, scheduleOf(hourly, { state: { paused: isPaused } }), {
        searchAttributes: {
          indexedFields: Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, json(value)]),
          ),
        },
      });
    await make(
      'q-one',
      {
        Word: ['red'],
        Words: ['a', 'b'],
        Prose: ['the quick fox'],
        Whole: [1],
        Real: [1.5],
        Truth: [true],
        Moment: ['2026-01-01T00:00:00Z'],
      },
      true,
    );
    await make(
      'q-two',
      {
        Word: ['blue'],
        Words: ['b', 'c'],
        Prose: ['a slow fox'],
        Whole: [2],
        Real: [2.5],
        Truth: [false],
        Moment: ['2026-06-01T00:00:00Z'],
      },
      true,
    );
    await make('q-three', { Word: ["it's"], Whole: [-3] }, false);
    await make('other', {}, false);
  });

  test.each([
    [`ScheduleId = 'q-one'`, ['q-one']],
    [`ScheduleId != 'q-one' AND ScheduleId STARTS_WITH 'q-'`, ['q-three', 'q-two']],
    [`ScheduleId STARTS_WITH 'q-t'`, ['q-three', 'q-two']],
    [`ScheduleId NOT STARTS_WITH 'q-'`, ['other']],
    [`ScheduleId IN ('q-one', 'other', 'absent')`, ['other', 'q-one']],
    [`ScheduleId NOT IN ('q-one', 'other')`, ['q-three', 'q-two']],
    [`ScheduleId IS NOT NULL`, ['other', 'q-one', 'q-three', 'q-two']],
    [`ScheduleId IS NULL`, []],
    [`TemporalScheduleId = 'other'`, ['other']],
    [`TemporalSchedulePaused = true`, ['q-one', 'q-two']],
    [`TemporalSchedulePaused = false`, ['other', 'q-three']],
    [`Word = 'red'`, ['q-one']],
    [`Word = "red" OR Word = "blue"`, ['q-one', 'q-two']],
    [`Word = 'it''s'`, ['q-three']],
    [`Word IS NULL`, ['other']],
    [`Words = 'b'`, ['q-one', 'q-two']],
    [`Words IN ('a', 'z')`, ['q-one']],
    [`Prose = 'fox'`, ['q-one', 'q-two']],
    [`Prose = 'quick'`, ['q-one']],
    [`Whole > 1`, ['q-two']],
    [`Whole BETWEEN -5 AND 1`, ['q-one', 'q-three']],
    [`Whole = -3`, ['q-three']],
    [`Real < 2`, ['q-one']],
    [`Real >= 1.5`, ['q-one', 'q-two']],
    [`Truth = true`, ['q-one']],
    [`Moment > '2026-03-01T00:00:00Z'`, ['q-two']],
    [`Moment <= '2026-01-01T00:00:00+00:00'`, ['q-one']],
    [`Word = 'red' AND TemporalSchedulePaused = false`, []],
    [`(Word = 'red' OR Word = 'blue') AND NOT Whole = 2`, ['q-one']],
    [`ScheduleRunningWorkflowCount >= 1`, []],
    [`ScheduleBufferedStartsCount = 0 AND Word = 'red'`, ['q-one']],
    [`ScheduleNextActionTime > '2020-01-01T00:00:00Z' AND ScheduleId = 'other'`, ['other']],
  ])('%s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
    expect(Number((await stage.service.countSchedules({ namespace, query })).count)).toBe(ids.length);
  });

  test.each([
    [`ExecutionDuration > 5`, 'cannot filter on "ExecutionDuration"'],
    [`ExecutionStatus = 'Running'`, 'cannot filter on "ExecutionStatus"'],
    [`Whole = 'x'`, 'Whole'],
    [`NobodyKnows = 1`, 'NobodyKnows'],
    [`Word =`, ''],
    [`Word = 'red' GROUP BY Word`, ''],
    [`Word = 'red`, ''],
  ])('%s is refused', async (query, words) => {
    const refused = await refusal(stage.service.listSchedules({ namespace, query }));
    expect(refused.code).toBe(status.INVALID_ARGUMENT);
    expect(refused.details).toContain(words);
    expect((await refusal(stage.service.countSchedules({ namespace, query }))).code).toBe(
      status.INVALID_ARGUMENT,
    );
  });

  test('pages of one keep to the query, and a token of another query is refused or harmless', async () => {
    const query = "ScheduleId STARTS_WITH 'q-'";
    const seen: string[] = [];
    let nextPageToken: Uint8Array | null = null;
    do {
      const page: temporal.api.workflowservice.v1.IListSchedulesResponse = await stage.service.listSchedules({
        namespace,
        query,
        maximumPageSize: 1,
        nextPageToken,
      });
      seen.push(...(page.schedules ?? []).map(({ scheduleId }) => scheduleId ?? ''));
      nextPageToken = page.nextPageToken ?? null;
    } while ((nextPageToken?.length ?? 0) > 0);
    expect(seen.sort()).toEqual(['q-one', 'q-three', 'q-two']);
    const nonsense = stage.service.listSchedules({ namespace, nextPageToken: Buffer.from('nonsense') });
    expect((await refusal(nonsense)).code).toBe(status.INVALID_ARGUMENT);
  });

  test('a running workflow is counted with its schedule', async () => {
    await create(
      stage,
      'busy',
      scheduleOf(hourly, { action: { startWorkflow: startWorkflow({ workflowType: { name: 'hold' } }) } }),
    );
    await stage.client.schedule.getHandle('busy').trigger();
    await until(
      () => idsOf('ScheduleRunningWorkflowCount >= 1'),
      (ids) => ids.includes('busy'),
    );
  });
});

test('workflows are grouped by how they ended', async () => {
  for (const [id, workflowType, times] of [
    ['done', 'work', 2],
    ['failed', 'fail', 1],
    ['open', 'hold', 1],
  ] as const) {
    const handle = await stage.client.schedule.create(
      schedule(`group-${id}`, {
        action: { type: 'startWorkflow', workflowType, workflowId: `g-${id}`, taskQueue: 'default' },
      }),
    );
    for (let count = 0; count < times; count += 1) await handle.trigger();
    await until(
      () => handle.describe(),
      ({ info }) => info.numActionsTaken === times && info.runningActions.length === (id === 'open' ? 1 : 0),
    );
  }
  const { groups } = await stage.service.countWorkflowExecutions({
    namespace,
    query: 'TemporalScheduledById IN ("group-done", "group-failed", "group-open") GROUP BY ExecutionStatus',
  });
  const found = Object.fromEntries(
    (groups ?? []).map(({ groupValues, count }) => [
      JSON.parse(Buffer.from(groupValues?.[0]?.data ?? []).toString()),
      Number(count),
    ]),
  );
  expect(found).toEqual({ Completed: 2, Failed: 1, Running: 1 });
});
