/** Every row of the table of errors (wire reference, section 4): code, words and details, as raw clients and as the SDK see them. */
import { status } from '@grpc/grpc-js';
import {
  Client,
  Connection,
  NamespaceNotFoundError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ServiceError,
} from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCarillon } from '../../../../packages/carillon/src/main.ts';
import { hashKey, newKey } from '../../../../packages/server/src/server/keys.ts';
import { startServer } from '../../../../packages/server/src/server/server.ts';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import {
  create,
  describeRaw,
  hourly,
  namespace,
  refusal,
  scheduleOf,
  startWorkflow,
  timestamp,
} from './raw-schedules.ts';

const details = temporal.api.errordetails.v1;
const typeUrl = (name: string) => `type.googleapis.com/temporal.api.errordetails.v1.${name}`;

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

describe('an unknown schedule', () => {
  test.each([
    ['describe', () => describeRaw(stage, 'absent')],
    [
      'update',
      () => stage.service.updateSchedule({ namespace, scheduleId: 'absent', schedule: scheduleOf(hourly) }),
    ],
    ['patch', () => stage.service.patchSchedule({ namespace, scheduleId: 'absent', patch: { pause: 'x' } })],
    ['delete', () => stage.service.deleteSchedule({ namespace, scheduleId: 'absent' })],
    [
      'matching times',
      () =>
        stage.service.listScheduleMatchingTimes({
          namespace,
          scheduleId: 'absent',
          startTime: timestamp('2027-01-01T00:00:00Z'),
          endTime: timestamp('2027-01-02T00:00:00Z'),
        }),
    ],
  ])('%s: NOT_FOUND with NotFoundFailure', async (_, call) => {
    const refused = await refusal(call());
    expect(refused.code).toBe(status.NOT_FOUND);
    expect(refused.detail?.type).toBe(typeUrl('NotFoundFailure'));
  });

  test('is ScheduleNotFoundError with our words', async () => {
    const handle = stage.client.schedule.getHandle('absent');
    for (const call of [
      () => handle.describe(),
      () => handle.pause(),
      () => handle.trigger(),
      () => handle.delete(),
      () => handle.update((same) => same),
      () => handle.backfill({ start: new Date('2026-01-01'), end: new Date('2026-01-02') }),
    ]) {
      await expect(call()).rejects.toThrow(ScheduleNotFoundError);
    }
  });
});

test('a taken id: ALREADY_EXISTS with the detail Go and Python look for', async () => {
  await create(stage, 'taken', scheduleOf(hourly));
  const refused = await refusal(create(stage, 'taken', scheduleOf(hourly)));
  expect(refused.code).toBe(status.ALREADY_EXISTS);
  expect(refused.details).toContain('taken');
  expect(refused.detail?.type).toBe(typeUrl('WorkflowExecutionAlreadyStartedFailure'));
  await expect(stage.client.schedule.create(schedule('taken'))).rejects.toThrow(ScheduleAlreadyRunning);
});

test('an unknown namespace: NOT_FOUND with its name in the detail', async () => {
  const refused = await refusal(stage.service.listSchedules({ namespace: 'nowhere' }));
  expect(refused.code).toBe(status.NOT_FOUND);
  expect(refused.detail?.type).toBe(typeUrl('NamespaceNotFoundFailure'));
  expect(details.NamespaceNotFoundFailure.decode(refused.detail?.value as Uint8Array).namespace).toBe(
    'nowhere',
  );
  const client = new Client({ connection: stage.connection, namespace: 'nowhere' });
  await expect(client.schedule.getHandle('x').describe()).rejects.toThrow(NamespaceNotFoundError);
});

test('a bad spec: INVALID_ARGUMENT with the prefix, without details; a TypeError without the prefix in the SDK', async () => {
  const bad = scheduleOf({ interval: [{}] });
  const refused = await refusal(create(stage, 'bad', bad));
  expect(refused).toMatchObject({ code: status.INVALID_ARGUMENT, detail: undefined });
  expect(refused.details).toMatch(/^Invalid schedule spec: interval is too small/);
  await create(stage, 'good', scheduleOf(hourly));
  const update = stage.service.updateSchedule({ namespace, scheduleId: 'good', schedule: bad });
  expect((await refusal(update)).details).toMatch(/^Invalid schedule spec: /);
  const inSdk = stage.client.schedule.create(schedule('bad', { spec: { cronExpressions: ['60 * * * *'] } }));
  await expect(inSdk).rejects.toThrow(TypeError);
  await expect(inSdk).rejects.toThrow(/^Minute is not in range \[0-59\]/);
  const zone = create(stage, 'bad', scheduleOf({ ...hourly, timezoneName: 'Mars/Olympus' }));
  expect((await refusal(zone)).details).toMatch(/^Invalid schedule spec: unknown time zone Mars\/Olympus/);
});

test('other mistakes: INVALID_ARGUMENT without the prefix, a ServiceError in the SDK', async () => {
  const refused = await refusal(
    create(stage, 'mistake', { ...scheduleOf(hourly), action: { startWorkflow: { workflowId: 'w' } } }),
  );
  expect(refused).toMatchObject({ code: status.INVALID_ARGUMENT, detail: undefined });
  expect(refused.details).not.toContain('Invalid schedule spec');
  const unknown = stage.client.schedule.create(
    schedule('mistake', { searchAttributes: { NobodyKnows: ['x'] } }),
  );
  await expect(unknown).rejects.toThrow(ServiceError);
});

test('another token: FAILED_PRECONDITION, never ABORTED, and nothing has changed', async () => {
  await create(stage, 'token', scheduleOf(hourly));
  const before = await describeRaw(stage, 'token');
  for (const conflictToken of [Buffer.from('nonsense'), Buffer.from([1]), Buffer.alloc(8, 255)]) {
    const update = stage.service.updateSchedule({
      namespace,
      scheduleId: 'token',
      conflictToken,
      schedule: scheduleOf({}),
    });
    const refused = await refusal(update);
    expect(refused.code).toBe(status.FAILED_PRECONDITION);
    expect(refused.details).toMatch(/^mismatched conflict token/);
  }
  const after = await describeRaw(stage, 'token');
  expect(after.schedule).toEqual(before.schedule);
  expect(after.conflictToken).toEqual(before.conflictToken);
});

describe('requests that cannot be', () => {
  const long = 'x'.repeat(1001);
  test.each([
    ['an update without a schedule', () => stage.service.updateSchedule({ namespace, scheduleId: 'taken' })],
    [
      'an update with a long request id',
      () =>
        stage.service.updateSchedule({
          namespace,
          scheduleId: 'taken',
          requestId: long,
          schedule: scheduleOf(hourly),
        }),
    ],
    [
      'a patch with a long request id',
      () =>
        stage.service.patchSchedule({
          namespace,
          scheduleId: 'taken',
          requestId: long,
          patch: { pause: 'x' },
        }),
    ],
    ['a create without a request id', () => create(stage, 'no-id', scheduleOf(hourly), { requestId: '' })],
    ...['workflowId', 'workflowType', 'taskQueue'].map((field) => [
      `a ${field} too long`,
      () => {
        const value = field === 'workflowId' ? long : { name: long };
        const action = { startWorkflow: { ...startWorkflow(), [field]: value } };
        return create(stage, 'too-long', scheduleOf(hourly, { action }));
      },
    ]),
    ...(['create', 'update'] as const).map((verb) => [
      `a task queue of the server’s own, by ${verb}`,
      () => {
        const taskQueue = { name: '@http' };
        const schedule = scheduleOf(hourly, { action: { startWorkflow: startWorkflow({ taskQueue }) } });
        return verb === 'create'
          ? create(stage, 'internal', schedule)
          : stage.service.updateSchedule({ namespace, scheduleId: 'taken', schedule });
      },
    ]),
  ] as [string, () => Promise<unknown>][])('%s: INVALID_ARGUMENT', async (_, call) => {
    expect((await refusal(call())).code).toBe(status.INVALID_ARGUMENT);
  });
});

describe('patches that cannot be', () => {
  test.each([
    ['none', null, 'Patch is not set on request.'],
    ['a backfill without times', { backfillRequest: [{}] }, ''],
    [
      'a backfill upside down',
      {
        backfillRequest: [
          { startTime: timestamp('2026-01-02T00:00:00Z'), endTime: timestamp('2026-01-01T00:00:00Z') },
        ],
      },
      '',
    ],
  ])('%s: INVALID_ARGUMENT', async (_, patch, words) => {
    const refused = await refusal(stage.service.patchSchedule({ namespace, scheduleId: 'taken', patch }));
    expect(refused.code).toBe(status.INVALID_ARGUMENT);
    expect(refused.details).toContain(words);
  });
});

describe('matching times', () => {
  test.each([
    ['no start', { endTime: timestamp('2027-01-01T00:00:00Z') }],
    ['no end', { startTime: timestamp('2027-01-01T00:00:00Z') }],
  ])('%s: INVALID_ARGUMENT', async (_, range) => {
    const refused = await refusal(
      stage.service.listScheduleMatchingTimes({ namespace, scheduleId: 'taken', ...range }),
    );
    expect(refused.code).toBe(status.INVALID_ARGUMENT);
  });

  test('of five hours from an hour are five, not six', async () => {
    const { startTime } = await stage.service.listScheduleMatchingTimes({
      namespace,
      scheduleId: 'taken',
      startTime: timestamp('2027-01-01T00:00:00Z'),
      endTime: timestamp('2027-01-01T05:00:00Z'),
    });
    expect(startTime).toHaveLength(5);
  });
});

describe('who may not', () => {
  const viewer = newKey();
  const keys = [{ name: 'reader', hash: hashKey(viewer), role: 'viewer' as const }];

  test('a role too low is PERMISSION_DENIED with its detail; no or a wrong key UNAUTHENTICATED without', async () => {
    const server = await startServer({
      carillon: await openCarillon({ store: 'memory:' }),
      port: 0,
      drainMs: 100,
      keys,
      grpc: { port: 0 },
    });
    const connect = (apiKey: string) =>
      Connection.lazy({ address: server.grpc?.address ?? '', tls: false, apiKey });
    const [reader, stranger] = [connect(viewer), connect('nonsense')];
    const pause = (by: Connection) =>
      by.workflowService.patchSchedule({ namespace, scheduleId: 'x', patch: { pause: 'x' } });
    try {
      const denied = await refusal(pause(reader));
      expect(denied.code).toBe(status.PERMISSION_DENIED);
      expect(denied.detail?.type).toBe(typeUrl('PermissionDeniedFailure'));
      expect(await refusal(pause(stranger))).toMatchObject({
        code: status.UNAUTHENTICATED,
        detail: undefined,
      });
      await expect(new Client({ connection: reader }).schedule.getHandle('x').pause()).rejects.toThrow(
        ServiceError,
      );
    } finally {
      await reader.close();
      await stranger.close();
      await server.stop();
    }
  });
});
