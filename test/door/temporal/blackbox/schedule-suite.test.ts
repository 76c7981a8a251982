/**
 * What the TypeScript SDK's own schedule tests ask of a server, each rebuilt from its description: they need no worker and
 * nothing ever fires. Asked twice: over the client's own transport, and over the Rust one that other SDKs share.
 */
import { randomUUID } from 'node:crypto';
import {
  Client,
  type ConnectionLike,
  defaultPayloadConverter,
  type ScheduleDescription,
  type ScheduleHandle,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { GrpcStage } from '../grpc-stage.ts';

const { IndexedValueType } = temporal.api.enums.v1;

let stage: GrpcStage;
let native: NativeConnection;
let connection: ConnectionLike;
let client: Client;
const made: ScheduleHandle[] = [];

beforeAll(async () => {
  stage = await GrpcStage.open();
  native = await NativeConnection.connect({ address: stage.address });
  await stage.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: {
      CustomIntField: IndexedValueType.INDEXED_VALUE_TYPE_INT,
      CustomDoubleField: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
      CustomTextField: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
      CustomKeywordField: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
    },
  });
});
afterEach(async () => {
  for (const handle of made.splice(0)) await handle.delete();
});
afterAll(async () => {
  await native.close();
  await stage[Symbol.asyncDispose]();
});

const noop: ScheduleOptionsStartWorkflowAction<() => Promise<void>> = {
  type: 'startWorkflow',
  workflowType: 'dummyWorkflow',
  taskQueue: 'queue',
};

async function create(spec: ScheduleOptions['spec'], rest: Partial<ScheduleOptions> = {}, by = client) {
  const options = { scheduleId: `schedule-${randomUUID()}`, spec, action: noop, ...rest } as ScheduleOptions;
  const handle = await by.schedule.create(options);
  made.push(handle);
  return handle;
}
function range(start: number, end = start, step = 1) {
  return { start, end, step };
}
const daily = {
  comment: '',
  year: [],
  dayOfMonth: [range(1, 31)],
  month: [{ start: 'JANUARY', end: 'DECEMBER', step: 1 }],
  dayOfWeek: [{ start: 'SUNDAY', end: 'SATURDAY', step: 1 }],
};

describe.each(['grpc-js', 'Rust'])('over %s', (transport) => {
  beforeAll(() => {
    connection = transport === 'Rust' ? native : stage.connection;
    client = new Client({ connection });
  });

  test('a calendar comes back with every field filled in', async () => {
    const { spec } = await (
      await create({ calendars: [{ hour: { start: 2, end: 7, step: 1 } }] })
    ).describe();
    expect(spec.calendars).toEqual([
      { ...daily, second: [range(0)], minute: [range(0)], hour: [range(2, 7)] },
    ]);
    expect(spec.intervals).toEqual([]);
  });

  test('an interval comes back with its offset', async () => {
    const { spec } = await (await create({ intervals: [{ every: '1h', offset: '5m' }] })).describe();
    expect(spec.intervals).toEqual([{ every: 3_600_000, offset: 300_000 }]);
    expect(spec.calendars).toEqual([]);
  });

  test('a cron expression comes back as a calendar', async () => {
    const { spec } = await (await create({ cronExpressions: ['0 12 * * MON-WED,FRI'] })).describe();
    expect(spec.calendars).toEqual([
      {
        ...daily,
        second: [range(0)],
        minute: [range(0)],
        hour: [range(12)],
        dayOfWeek: [
          { start: 'MONDAY', end: 'WEDNESDAY', step: 1 },
          { start: 'FRIDAY', end: 'FRIDAY', step: 1 },
        ],
      },
    ]);
  });

  test('a schedule may have no spec at all', async () => {
    const described = await (await create({})).describe();
    expect(described.spec).toMatchObject({ calendars: [], intervals: [] });
    expect(described.info.nextActionTimes).toEqual([]);
  });

  test('a structured calendar with everything in it is encoded and decoded exactly', async () => {
    const { spec } = await (
      await create({
        calendars: [
          {
            year: 2100,
            month: ['APRIL', { start: 'JULY', end: 'NOVEMBER', step: 2 }],
            dayOfMonth: [1, { start: 6, end: 10 }],
            dayOfWeek: ['TUESDAY', { start: 'THURSDAY', end: 'SATURDAY' }],
            hour: [0, { start: 8, end: 18, step: 5 }],
            minute: 45,
            second: [{ start: 10, end: 50, step: 20 }],
            comment: 'everything',
          },
        ],
        skip: [{ hour: 8, comment: 'not at eight' }],
        startAt: new Date('2030-01-01T00:00:00.250Z'),
        endAt: new Date('2099-01-01T00:00:00.500Z'),
        jitter: '1.5s',
        timezone: 'America/Lima',
      })
    ).describe();
    expect(spec).toMatchObject({
      calendars: [
        {
          year: [range(2100)],
          month: [
            { start: 'APRIL', end: 'APRIL', step: 1 },
            { start: 'JULY', end: 'NOVEMBER', step: 2 },
          ],
          dayOfMonth: [range(1), range(6, 10)],
          dayOfWeek: [
            { start: 'TUESDAY', end: 'TUESDAY', step: 1 },
            { start: 'THURSDAY', end: 'SATURDAY', step: 1 },
          ],
          hour: [range(0), range(8, 18, 5)],
          minute: [range(45)],
          second: [range(10, 50, 20)],
          comment: 'everything',
        },
      ],
      skip: [{ hour: [range(8)], comment: 'not at eight' }],
      startAt: new Date('2030-01-01T00:00:00.250Z'),
      endAt: new Date('2099-01-01T00:00:00.500Z'),
      jitter: 1500,
      timezone: 'America/Lima',
    });
  });

  test('an action without arguments keeps type, queue, id and timeouts', async () => {
    const { action } = await (
      await create(
        {},
        {
          action: {
            ...noop,
            workflowId: 'own-id',
            workflowRunTimeout: '10 minutes',
            workflowTaskTimeout: '5 seconds',
            workflowExecutionTimeout: '1 hour',
            retry: {
              maximumAttempts: 3,
              initialInterval: '2s',
              backoffCoefficient: 3,
              nonRetryableErrorTypes: ['Bad'],
            },
            memo: { note: 'kept', list: [1, 2] },
          },
        },
      )
    ).describe();
    expect(action).toMatchObject({
      type: 'startWorkflow',
      workflowType: 'dummyWorkflow',
      taskQueue: 'queue',
      workflowId: 'own-id',
      workflowRunTimeout: 600_000,
      workflowTaskTimeout: 5_000,
      workflowExecutionTimeout: 3_600_000,
      retry: {
        maximumAttempts: 3,
        initialInterval: 2000,
        backoffCoefficient: 3,
        nonRetryableErrorTypes: ['Bad'],
      },
      memo: { note: 'kept', list: [1, 2] },
    });
    expect(action.args ?? []).toEqual([]);
  });

  test('an action with arguments gives them back in order', async () => {
    const args = [3, 'four', { five: [5] }, null];
    const { action } = await (
      await create({}, { action: { ...noop, workflowType: 'withArgs', args } as never })
    ).describe();
    expect(action.args).toEqual(args);
  });

  test('a header that an interceptor adds arrives, and is kept by an update', async () => {
    const intercepted = new Client({
      connection,
      interceptors: {
        schedule: [
          {
            create: async (input, next) =>
              await next({
                ...input,
                headers: { intercepted: defaultPayloadConverter.toPayload('intercepted') as never },
              }),
          },
        ],
      },
    });
    const handle = await create({}, {}, intercepted);
    const header = ({ raw }: ScheduleDescription) => {
      const payload = raw.schedule?.action?.startWorkflow?.header?.fields?.intercepted;
      return defaultPayloadConverter.fromPayload(payload as never);
    };
    expect(header(await handle.describe())).toBe('intercepted');
    await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '5h' }] } }));
    const after = await handle.describe();
    expect(after.spec.intervals).toEqual([{ every: 18_000_000, offset: undefined }]);
    expect(header(after)).toBe('intercepted');
  });

  test('user metadata of the action comes back', async () => {
    const handle = await create(
      {},
      { action: { ...noop, staticSummary: 'a summary', staticDetails: 'many\nlines' } as never },
    );
    const { raw } = await handle.describe();
    const metadata = raw.schedule?.action?.startWorkflow?.userMetadata;
    expect(defaultPayloadConverter.fromPayload(metadata?.summary as never)).toBe('a summary');
    expect(defaultPayloadConverter.fromPayload(metadata?.details as never)).toBe('many\nlines');
    await handle.update(({ info: _, raw: __, scheduleId: ___, ...before }) => before as never);
    const after = (await handle.describe()).raw.schedule?.action?.startWorkflow?.userMetadata;
    expect(after).toEqual(metadata);
  });

  test('pause and unpause are seen by the next describe, notes included', async () => {
    const handle = await create({}, { state: { paused: true, note: 'born asleep' } });
    expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'born asleep' });
    await handle.unpause();
    const awake = (await handle.describe()).state;
    expect(awake.paused).toBe(false);
    expect(awake.note).toContain('Unpaused via TypeScript SDK');
    await handle.pause();
    const asleep = (await handle.describe()).state;
    expect(asleep.paused).toBe(true);
    expect(asleep.note).toContain('Paused via TypeScript SDK');
  });

  test('an update of the calendar is seen', async () => {
    const handle = await create({ calendars: [{ hour: { start: 2, end: 7, step: 1 } }] });
    await handle.update((before) => ({
      ...before,
      spec: { calendars: [{ hour: { start: 6, end: 9, step: 1 } }] },
    }));
    expect((await handle.describe()).spec.calendars?.[0]?.hour).toEqual([range(6, 9)]);
  });

  test('an update of the action is seen', async () => {
    const handle = await create({}, { action: { ...noop, args: [] } as never });
    await handle.update((before) => ({
      ...before,
      action: { ...noop, workflowType: 'other', args: [3, 4], taskQueue: 'elsewhere' } as never,
    }));
    expect((await handle.describe()).action).toMatchObject({
      workflowType: 'other',
      args: [3, 4],
      taskQueue: 'elsewhere',
    });
  });

  test('an update of the intervals is seen', async () => {
    const handle = await create({ intervals: [{ every: '5h' }] });
    await handle.update((before) => ({
      ...before,
      spec: { intervals: [{ every: '3h' }, { every: '1d', offset: '2h' }] },
    }));
    expect((await handle.describe()).spec.intervals).toEqual([
      { every: 10_800_000, offset: undefined },
      { every: 86_400_000, offset: 7_200_000 },
    ]);
  });

  test('what the client can see is wrong never leaves it; what it cannot see comes back as the same kind of error', async () => {
    await expect(create({ calendars: [{ hour: 42 }] })).rejects.toThrow(TypeError);
    const refused = create({ cronExpressions: ['0 42 * * *'] });
    if (transport === 'Rust') {
      // Its errors have no number in front of their text, which is what the client looks for.
      const message = expect.stringMatching(/^Invalid schedule spec: Hour is not in range/);
      await expect(refused).rejects.toMatchObject({ cause: { code: 3, message } });
      return;
    }
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(/^Hour is not in range/);
  });

  test('a list of 24 comes in four pages of six, each schedule once', async () => {
    const group = randomUUID();
    for (let index = 0; index < 24; index += 1) {
      await create({ intervals: [{ every: '1d' }] }, { scheduleId: `${group}-${index}` });
    }
    const found: string[] = [];
    for await (const { scheduleId } of client.schedule.list({ pageSize: 6 })) found.push(scheduleId);
    const ours = found.filter((id) => id.startsWith(group));
    expect(new Set(ours).size).toBe(24);
    expect(ours).toHaveLength(24);
    let token: Uint8Array | null | undefined;
    const sizes: number[] = [];
    do {
      const page = await stage.service.listSchedules({
        namespace: 'default',
        maximumPageSize: 6,
        nextPageToken: token ?? null,
      });
      sizes.push(page.schedules?.length ?? 0);
      token = page.nextPageToken;
    } while ((token?.length ?? 0) > 0);
    expect(sizes.filter((size) => size > 0)).toEqual([6, 6, 6, 6]);
  });

  test('a list by query finds by a keyword, at the latest after a while', async () => {
    const wanted = await create({}, { searchAttributes: { CustomKeywordField: ['some-value'] } });
    await create({}, { searchAttributes: { CustomKeywordField: ['some-other-value'] } });
    const found = await until(
      async () => {
        const ids: string[] = [];
        for await (const one of client.schedule.list({ query: 'CustomKeywordField="some-value"' }))
          ids.push(one.scheduleId);
        return ids;
      },
      (ids) => ids.length > 0,
    );
    expect(found).toEqual([wanted.scheduleId]);
  });

  test('search attributes are replaced, kept and cleared by updates', async () => {
    const keyword = defineSearchAttributeKey('CustomKeywordField', SearchAttributeType.KEYWORD);
    const integer = defineSearchAttributeKey('CustomIntField', SearchAttributeType.INT);
    const double = defineSearchAttributeKey('CustomDoubleField', SearchAttributeType.DOUBLE);
    const text = defineSearchAttributeKey('CustomTextField', SearchAttributeType.TEXT);
    const handle = await create({}, {
      searchAttributes: { CustomKeywordField: ['first'] },
      typedSearchAttributes: [
        { key: integer, value: 1 },
        { key: double, value: 1.5 },
      ],
    } as never);
    const first = await handle.describe();
    expect(first.typedSearchAttributes.getAll()).toEqual(
      expect.arrayContaining([
        { key: integer, value: 1 },
        { key: double, value: 1.5 },
      ]),
    );
    await handle.update(({ searchAttributes: _, ...before }) => ({
      ...before,
      typedSearchAttributes: [
        { key: keyword, value: 'second' },
        { key: text, value: 'some words' },
      ],
    }));
    const second = await handle.describe();
    expect(second.typedSearchAttributes.getAll()).toHaveLength(2);
    expect(second.searchAttributes).toEqual({
      CustomKeywordField: ['second'],
      CustomTextField: ['some words'],
    });
    await handle.update(({ searchAttributes: _, typedSearchAttributes: __, ...before }) => before as never);
    expect((await handle.describe()).searchAttributes).toEqual(second.searchAttributes);
    await handle.update(({ searchAttributes: _, ...before }) => ({ ...before, typedSearchAttributes: [] }));
    const last = await handle.describe();
    expect(last.searchAttributes).toEqual({});
    expect(last.typedSearchAttributes.getAll()).toEqual([]);
  });
});
