/** The official TypeScript client, unmodified, against our door. */
import {
  Client,
  NamespaceNotFoundError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  ServiceError,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrpcStage, schedule } from './grpc-stage.ts';

let stage: GrpcStage;
let client: Client;

const types = { Text: 1, Keyword: 2, Int: 3, Double: 4, Bool: 5, Datetime: 6, KeywordList: 7 };

beforeAll(async () => {
  stage = await GrpcStage.open();
  client = stage.client;
  await stage.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: {
      CustomText: types.Text,
      CustomKeyword: types.Keyword,
      CustomInt: types.Int,
      CustomDouble: types.Double,
      CustomBool: types.Bool,
      CustomDatetime: types.Datetime,
      CustomList: types.KeywordList,
    },
  });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

describe('specs', () => {
  test('calendars come back cleaned: single values as ranges of one, steps of 1', async () => {
    const handle = await client.schedule.create(
      schedule('calendars', {
        spec: {
          calendars: [
            { hour: { start: 2, end: 7, step: 1 } },
            { hour: [3, 5], minute: '*', dayOfWeek: ['MONDAY', 'FRIDAY'], month: 'JUNE', year: 2030 },
            { comment: 'midnight' },
          ],
        },
      }),
    );
    const { spec } = await handle.describe();
    const midnight = [{ start: 0, end: 0, step: 1 }];
    expect(spec.calendars).toMatchObject([
      { second: midnight, minute: midnight, hour: [{ start: 2, end: 7, step: 1 }], year: [] },
      {
        minute: [{ start: 0, end: 59, step: 1 }],
        hour: [
          { start: 3, end: 3, step: 1 },
          { start: 5, end: 5, step: 1 },
        ],
        dayOfWeek: [
          { start: 'MONDAY', end: 'MONDAY', step: 1 },
          { start: 'FRIDAY', end: 'FRIDAY', step: 1 },
        ],
        month: [{ start: 'JUNE', end: 'JUNE', step: 1 }],
        year: [{ start: 2030, end: 2030, step: 1 }],
      },
      { comment: 'midnight', hour: midnight, dayOfMonth: [{ start: 1, end: 31, step: 1 }] },
    ]);
  });

  test('intervals, bounds, jitter, zone and exclusions come back as they were sent', async () => {
    const startAt = new Date('2030-01-01T00:00:00.500Z');
    const endAt = new Date('2031-01-01T00:00:00Z');
    const handle = await client.schedule.create(
      schedule('intervals', {
        spec: {
          intervals: [{ every: '1h', offset: '5m' }, { every: '90s' }],
          skip: [{ hour: 12, comment: 'lunch' }],
          startAt,
          endAt,
          jitter: '30s',
          timezone: 'America/New_York',
        },
      }),
    );
    const { spec } = await handle.describe();
    expect(spec.intervals).toEqual([
      { every: 3_600_000, offset: 300_000 },
      { every: 90_000, offset: undefined },
    ]);
    expect(spec.skip).toMatchObject([{ hour: [{ start: 12, end: 12, step: 1 }], comment: 'lunch' }]);
    expect(spec).toMatchObject({ startAt, endAt, jitter: 30_000, timezone: 'America/New_York' });
  });

  test('cron texts come back as calendars and intervals, with their comments and zone', async () => {
    const handle = await client.schedule.create(
      schedule('crons', {
        spec: {
          cronExpressions: ['CRON_TZ=Asia/Tokyo 0 9 * * MON-FRI # opening', 'CRON_TZ=Asia/Tokyo @daily'],
        },
      }),
    );
    const { spec, raw } = await handle.describe();
    expect(raw.schedule?.spec?.cronString).toEqual([]);
    expect(spec.timezone).toBe('Asia/Tokyo');
    expect(spec.calendars).toMatchObject([
      { hour: [{ start: 9, end: 9, step: 1 }], comment: 'opening' },
      { hour: [{ start: 0, end: 0, step: 1 }] },
    ]);
    const every = await client.schedule.create(
      schedule('every', { spec: { cronExpressions: ['@every 5h/45m'] } }),
    );
    expect((await every.describe()).spec.intervals).toEqual([{ every: 18_000_000, offset: 2_700_000 }]);
  });

  test('a schedule without a spec never fires and is as good as any', async () => {
    const handle = await client.schedule.create(schedule('manual', { spec: {} }));
    const { info, spec } = await handle.describe();
    expect(info.nextActionTimes).toEqual([]);
    expect(spec).toMatchObject({ calendars: [], intervals: [] });
  });

  test.each([
    ['interval is too small', { intervals: [{ every: 100 }] }],
    ['phase cannot be greater than Interval', { intervals: [{ every: '1h', offset: '2h' }] }],
    ['CronString does not have 5-7 fields', { cronExpressions: ['* *'] }],
    ['Hour is not in range [0-23]', { cronExpressions: ['0 25 * * *'] }],
    ['unknown time zone', { intervals: [{ every: '1h' }], timezone: 'Mars/Base' }],
    ['conflicting timezone names', { cronExpressions: ['TZ=UTC 0 0 * * *', '0 1 * * *'] }],
    ['Year Start is not in range [2000-2100]', { calendars: [{ year: 1999 }] }],
  ])('%s is a TypeError at the client', async (message, spec) => {
    const refused = client.schedule.create(schedule('refused', { spec }));
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(message);
    await expect(client.schedule.getHandle('refused').describe()).rejects.toThrow(ScheduleNotFoundError);
  });
});

describe('policies and state', () => {
  test('the defaults are skip, a year of catching up, and no pause on failure', async () => {
    const handle = await client.schedule.create(schedule('defaults'));
    const { policies, state } = await handle.describe();
    expect(policies).toEqual({ overlap: 'SKIP', catchupWindow: 365 * 86_400_000, pauseOnFailure: false });
    expect(state).toEqual({ paused: false, note: '', remainingActions: undefined });
  });

  test.each(['SKIP', 'BUFFER_ONE', 'BUFFER_ALL', 'CANCEL_OTHER', 'TERMINATE_OTHER', 'ALLOW_ALL'] as const)(
    'overlap policy %s comes back',
    async (overlap) => {
      const handle = await client.schedule.create(schedule(`overlap-${overlap}`, { policies: { overlap } }));
      expect((await handle.describe()).policies.overlap).toBe(overlap);
    },
  );

  test.each([
    ['1s', 10_000],
    ['1h', 3_600_000],
    [0, 365 * 86_400_000],
  ])('a catch-up window of %s is %d ms', async (catchupWindow, shown) => {
    const handle = await client.schedule.create(
      schedule(`window-${catchupWindow}`, { policies: { catchupWindow, pauseOnFailure: true } }),
    );
    const { policies } = await handle.describe();
    expect(policies).toMatchObject({ catchupWindow: shown, pauseOnFailure: true });
  });

  test('a schedule is created paused, with a note and a number of actions', async () => {
    const state = { paused: true, note: 'not yet', remainingActions: 3 };
    const handle = await client.schedule.create(schedule('limited', { state }));
    const described = await handle.describe();
    expect(described.state).toEqual(state);
    expect(described.info.nextActionTimes).toHaveLength(3);
  });

  test('zero remaining actions is exhausted, not unlimited', async () => {
    const handle = await client.schedule.create(schedule('exhausted', { state: { remainingActions: 0 } }));
    const { state, info } = await handle.describe();
    expect(state.remainingActions).toBe(0);
    expect(info.nextActionTimes).toEqual([]);
  });
});

describe('actions', () => {
  test('arguments, memo, timeouts, retries, priority and user metadata come back', async () => {
    const action = {
      type: 'startWorkflow' as const,
      workflowType: 'work',
      workflowId: 'nightly',
      taskQueue: 'somewhere',
      args: ['arg1', { deep: [1, null, true] }, 3],
      memo: { why: 'because' },
      workflowExecutionTimeout: 60_000,
      workflowRunTimeout: 30_000,
      workflowTaskTimeout: 5000,
      retry: {
        maximumAttempts: 5,
        initialInterval: 2000,
        backoffCoefficient: 3,
        nonRetryableErrorTypes: ['Bad'],
      },
      staticSummary: 'a summary',
      staticDetails: 'and *details*',
      priority: { priorityKey: 2, fairnessKey: 'tenant', fairnessWeight: 1.5 },
    };
    const handle = await client.schedule.create(schedule('action', { action }));
    const described = await handle.describe();
    expect(described.action).toMatchObject({ ...action, retry: { ...action.retry, initialInterval: 2000 } });
    await handle.update(({ ...before }) => ({ ...before, state: { ...before.state, note: 'touched' } }));
    const updated = await handle.describe();
    expect(updated.action).toEqual(described.action);
    expect(updated.state.note).toBe('touched');
  });

  test('headers that interceptors add survive an update', async () => {
    const intercepted = new Client({
      connection: stage.connection,
      interceptors: {
        schedule: [
          {
            async create(input, next) {
              const value = {
                metadata: { encoding: Buffer.from('json/plain') },
                data: Buffer.from('"secret"'),
              };
              return await next({ ...input, headers: { ...input.headers, auth: value } });
            },
          },
        ],
      },
    });
    const handle = await intercepted.schedule.create(schedule('headers'));
    const header = async () =>
      Buffer.from(
        (await handle.describe()).raw.schedule?.action?.startWorkflow?.header?.fields?.auth?.data ?? [],
      ).toString();
    expect(await header()).toBe('"secret"');
    await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '2h' }] } }));
    expect(await header()).toBe('"secret"');
  });

  test('an action with a cron schedule of its own is refused', async () => {
    const refused = stage.service.createSchedule({
      namespace: 'default',
      scheduleId: 'with-cron',
      requestId: 'r',
      schedule: {
        action: {
          startWorkflow: {
            workflowId: 'w',
            workflowType: { name: 'work' },
            taskQueue: { name: 'default' },
            cronSchedule: '* * * * *',
          },
        },
      },
    });
    await expect(refused).rejects.toThrow('Scheduled workflow must not contain CronSchedule');
  });
});

describe('changes', () => {
  test('pause and resume carry their notes', async () => {
    const handle = await client.schedule.create(schedule('pausing'));
    await handle.pause('holidays');
    expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'holidays' });
    await handle.unpause('back at work');
    expect((await handle.describe()).state).toMatchObject({ paused: false, note: 'back at work' });
    await handle.pause();
    expect((await handle.describe()).state.note).toBe('Paused via TypeScript SDK"');
  });

  test('an update replaces spec, action, policies and state', async () => {
    const handle = await client.schedule.create(
      schedule('updating', { state: { paused: true, note: 'wait' } }),
    );
    await handle.update((before) => ({
      ...before,
      spec: { calendars: [{ hour: 1 }] },
      action: { ...before.action, workflowType: 'other', args: [1] },
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: '2h', pauseOnFailure: true },
      state: { paused: false, note: 'go', remainingActions: 7 },
    }));
    const after = await handle.describe();
    expect(after).toMatchObject({
      spec: { intervals: [], calendars: [{ hour: [{ start: 1, end: 1, step: 1 }] }] },
      action: { workflowType: 'other', args: [1] },
      policies: { overlap: 'BUFFER_ALL', catchupWindow: 7_200_000, pauseOnFailure: true },
      state: { paused: false, note: 'go', remainingActions: 7 },
    });
    expect(after.info.lastUpdatedAt).toBeInstanceOf(Date);
  });

  test('a trigger starts a run at once, also while paused', async () => {
    const handle = await client.schedule.create(schedule('triggered', { state: { paused: true } }));
    await handle.trigger();
    await handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL);
    const { info } = await handle.describe();
    expect(info.numActionsTaken).toBe(2);
    expect(info.runningActions).toHaveLength(2);
    const ids = info.recentActions.map(({ action }) => action.workflow.workflowId);
    expect(new Set(ids).size).toBe(2);
  });

  test('a backfill runs every slot of its range, both ends included', async () => {
    const handle = await client.schedule.create(schedule('backfilled', { state: { paused: true } }));
    await handle.backfill({
      start: new Date('2026-01-01T00:00:00Z'),
      end: new Date('2026-01-01T05:00:00Z'),
      overlap: ScheduleOverlapPolicy.ALLOW_ALL,
    });
    const { info } = await handle.describe();
    expect(info.numActionsTaken).toBe(6);
    expect(info.recentActions.map(({ scheduledAt }) => scheduledAt.toISOString()).sort()[0]).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  test('a schedule may be triggered and backfilled by its creation', async () => {
    const handle = await client.schedule.create(
      schedule('at-once', {
        state: {
          paused: true,
          triggerImmediately: true,
          backfill: [
            {
              start: new Date('2026-01-01T00:00:00Z'),
              end: new Date('2026-01-01T02:00:00Z'),
              overlap: ScheduleOverlapPolicy.ALLOW_ALL,
            },
          ],
        },
      }),
    );
    expect((await handle.describe()).info.numActionsTaken).toBe(4);
  });

  test('a deleted schedule is gone, and its id is free', async () => {
    const handle = await client.schedule.create(schedule('deleted'));
    await handle.delete();
    for (const ask of [
      () => handle.describe(),
      () => handle.pause(),
      () => handle.trigger(),
      () => handle.delete(),
      () => handle.update((before) => before),
    ]) {
      await expect(ask()).rejects.toThrow(ScheduleNotFoundError);
    }
    await client.schedule.create(schedule('deleted'));
    expect((await handle.describe()).info.numActionsTaken).toBe(0);
  });
});

describe('search attributes and memo', () => {
  const keyword = defineSearchAttributeKey('CustomKeyword', SearchAttributeType.KEYWORD);
  const int = defineSearchAttributeKey('CustomInt', SearchAttributeType.INT);
  const text = defineSearchAttributeKey('CustomText', SearchAttributeType.TEXT);
  const double = defineSearchAttributeKey('CustomDouble', SearchAttributeType.DOUBLE);
  const bool = defineSearchAttributeKey('CustomBool', SearchAttributeType.BOOL);
  const datetime = defineSearchAttributeKey('CustomDatetime', SearchAttributeType.DATETIME);
  const list = defineSearchAttributeKey('CustomList', SearchAttributeType.KEYWORD_LIST);
  const at = new Date('2026-05-05T05:05:05.123Z');

  test('typed attributes of every type come back, on the schedule and on its action', async () => {
    const typedSearchAttributes = new TypedSearchAttributes([
      { key: keyword, value: 'some value' },
      { key: int, value: 42 },
      { key: text, value: 'words and words' },
      { key: double, value: 1.5 },
      { key: bool, value: true },
      { key: datetime, value: at },
      { key: list, value: ['a', 'b'] },
    ]);
    const base = schedule('typed', { typedSearchAttributes });
    const handle = await client.schedule.create({
      ...base,
      action: { ...base.action, typedSearchAttributes },
    });
    const described = await handle.describe();
    expect(described.typedSearchAttributes.getAll()).toHaveLength(7);
    expect(described.typedSearchAttributes.get(datetime)).toEqual(at);
    expect(described.typedSearchAttributes.get(list)).toEqual(['a', 'b']);
    expect((described.action.typedSearchAttributes as TypedSearchAttributes).get(int)).toBe(42);
  });

  test('untyped attributes gain the type the namespace knows', async () => {
    const handle = await client.schedule.create(
      schedule('untyped', { searchAttributes: { CustomKeyword: ['plain'], CustomInt: [7] } }),
    );
    const described = await handle.describe();
    expect(described.searchAttributes).toEqual({ CustomKeyword: ['plain'], CustomInt: [7] });
    expect(described.typedSearchAttributes.get(keyword)).toBe('plain');
    expect(described.typedSearchAttributes.get(int)).toBe(7);
  });

  test('an update keeps attributes it does not mention, clears them with none, and replaces them otherwise', async () => {
    const handle = await client.schedule.create(
      schedule('attributes', { searchAttributes: { CustomKeyword: ['first'] }, memo: { kept: 'yes' } }),
    );
    const { service } = stage;
    const change = async (searchAttributes?: object, memo?: object) => {
      const { schedule: before } = await service.describeSchedule({
        namespace: 'default',
        scheduleId: 'attributes',
      });
      await service.updateSchedule({
        namespace: 'default',
        scheduleId: 'attributes',
        schedule: before ?? null,
        ...(searchAttributes === undefined ? {} : { searchAttributes }),
        ...(memo === undefined ? {} : { memo }),
      });
      const { searchAttributes: shown, memo: remembered } = await handle.describe();
      return { shown, remembered };
    };
    expect(await change()).toEqual({ shown: { CustomKeyword: ['first'] }, remembered: { kept: 'yes' } });
    const data = Buffer.from('"second"');
    const payload = { metadata: { encoding: Buffer.from('json/plain') }, data };
    expect(
      await change({ indexedFields: { CustomKeyword: payload } }, { fields: { other: payload } }),
    ).toEqual({
      shown: { CustomKeyword: ['second'] },
      remembered: { other: 'second' },
    });
    expect(await change({}, {})).toEqual({ shown: {}, remembered: {} });
  });

  test('an unregistered attribute is refused', async () => {
    const refused = client.schedule.create(
      schedule('unregistered', { searchAttributes: { Unregistered: ['x'] } }),
    );
    await expect(refused).rejects.toThrow(ServiceError);
    await expect(refused).rejects.toMatchObject({ cause: { code: 3 } });
  });
});

describe('listing', () => {
  beforeAll(async () => {
    for (let n = 0; n < 7; n += 1) {
      await client.schedule.create(
        schedule(`list-${n}`, {
          searchAttributes: { CustomKeyword: [n % 2 === 0 ? 'even' : 'odd'] },
          memo: { n },
          state: { paused: n === 3, note: `number ${n}` },
        }),
      );
    }
  });

  const idsOf = async (query: string, pageSize?: number) => {
    const ids: string[] = [];
    for await (const { scheduleId } of client.schedule.list(
      pageSize === undefined ? { query } : { query, pageSize },
    ))
      ids.push(scheduleId);
    return ids.sort();
  };

  test('pages of two find each schedule once', async () => {
    expect(await idsOf('ScheduleId STARTS_WITH "list-"', 2)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((n) => `list-${n}`),
    );
  });

  test.each([
    ['CustomKeyword = "odd" AND ScheduleId STARTS_WITH "list-"', ['list-1', 'list-3', 'list-5']],
    ['TemporalSchedulePaused = true AND ScheduleId STARTS_WITH "list-"', ['list-3']],
    ['ScheduleId IN ("list-1", "list-6", "absent")', ['list-1', 'list-6']],
    [
      'CustomKeyword = "even" AND TemporalSchedulePaused = false AND ScheduleId != "list-0"',
      ['list-2', 'list-4', 'list-6'],
    ],
  ])('%s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test('an entry tells spec, action, memo, attributes, note and coming times', async () => {
    for await (const entry of client.schedule.list({ query: 'ScheduleId = "list-3"' })) {
      expect(entry).toMatchObject({
        scheduleId: 'list-3',
        spec: { intervals: [{ every: 3_600_000 }] },
        action: { workflowType: 'work' },
        memo: { n: 3 },
        searchAttributes: { CustomKeyword: ['odd'] },
        state: { paused: true, note: 'number 3' },
      });
      expect(entry.info.nextActionTimes).toHaveLength(10);
    }
  });

  test('a query that cannot be understood is an error, not an empty list', async () => {
    await expect(idsOf('ExecutionDuration > 1')).rejects.toMatchObject({ cause: { code: 3 } });
    await expect(idsOf('CustomKeyword = ')).rejects.toMatchObject({ cause: { code: 3 } });
  });
});

describe('errors', () => {
  test('an id that is taken is ScheduleAlreadyRunning', async () => {
    await client.schedule.create(schedule('taken'));
    await expect(client.schedule.create(schedule('taken'))).rejects.toThrow(ScheduleAlreadyRunning);
  });

  test('an unknown namespace is NamespaceNotFoundError, for every call', async () => {
    const elsewhere = new Client({ connection: stage.connection, namespace: 'nowhere' });
    await expect(elsewhere.schedule.create(schedule('x'))).rejects.toThrow(NamespaceNotFoundError);
    await expect(elsewhere.schedule.getHandle('x').describe()).rejects.toThrow(NamespaceNotFoundError);
    await expect(elsewhere.schedule.getHandle('x').delete()).rejects.toThrow(NamespaceNotFoundError);
    await expect(elsewhere.schedule.list()[Symbol.asyncIterator]().next()).rejects.toThrow(
      NamespaceNotFoundError,
    );
  });
});
