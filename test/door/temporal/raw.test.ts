/** What the official client's schedule API does not show: tokens, request ids, limits, and unknown fields. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { google, temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { field, fieldsOf } from '../../../packages/server/src/door/temporal/fields.ts';
import { GrpcStage } from './grpc-stage.ts';
import { RawClient } from './raw-client.ts';

let stage: GrpcStage;
let raw: RawClient;

beforeAll(async () => {
  stage = await GrpcStage.open();
  raw = new RawClient(stage.address);
});
afterAll(async () => {
  raw.close();
  await stage[Symbol.asyncDispose]();
});

const namespace = 'default';
const action = {
  startWorkflow: { workflowId: 'w', workflowType: { name: 'work' }, taskQueue: { name: 'default', kind: 1 } },
};
const hourly = { interval: [{ interval: { seconds: 3600 as never } }] };

async function create(scheduleId: string, fields: object = {}, requestId: string = randomUUID()) {
  return await stage.service.createSchedule({
    namespace,
    scheduleId,
    requestId,
    schedule: { spec: hourly, action, state: { paused: true } },
    ...fields,
  });
}
async function describeIt(scheduleId: string) {
  return await stage.service.describeSchedule({ namespace, scheduleId });
}
async function refusal(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    return error as { code: number; details: string; metadata: { get(name: string): Buffer[] } };
  }
  throw new Error('it was not refused');
}
async function detailOf(call: Promise<unknown>) {
  const [bytes] = (await refusal(call)).metadata.get('grpc-status-details-bin');
  return google.rpc.Status.decode(bytes as Buffer).details?.[0];
}

describe('conflict tokens', () => {
  test('an update with the token of a later version is refused, one without goes through', async () => {
    const { conflictToken } = await create('token');
    const seen = await describeIt('token');
    expect(Buffer.from(seen.conflictToken ?? [])).toEqual(Buffer.from(conflictToken ?? []));
    const update = (token: Uint8Array | null) =>
      stage.service.updateSchedule({
        namespace,
        scheduleId: 'token',
        schedule: seen.schedule!,
        conflictToken: token,
      });
    await update(conflictToken ?? null);
    expect(await refusal(update(conflictToken ?? null))).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: expect.stringContaining('mismatched conflict token'),
    });
    expect((await refusal(update(Buffer.from('nonsense, and long')))).code).toBe(status.FAILED_PRECONDITION);
    await update(null);
  });

  test('every patch makes a new token', async () => {
    await create('patched');
    const before = await describeIt('patched');
    await stage.service.patchSchedule({ namespace, scheduleId: 'patched', patch: { pause: 'why not' } });
    const after = await describeIt('patched');
    expect(Buffer.from(after.conflictToken ?? [])).not.toEqual(Buffer.from(before.conflictToken ?? []));
  });
});

describe('request ids', () => {
  test('a repeated create is answered like the first and creates nothing', async () => {
    const first = await create('again', { initialPatch: { triggerImmediately: {} } }, 'same');
    const second = await create('again', { initialPatch: { triggerImmediately: {} } }, 'same');
    expect(Buffer.from(second.conflictToken ?? [])).toEqual(Buffer.from(first.conflictToken ?? []));
    expect((await describeIt('again')).info?.actionCount?.toNumber()).toBe(1);
    const { code, details } = await refusal(create('again', {}, 'another'));
    expect(code).toBe(status.ALREADY_EXISTS);
    expect(details).toBe('schedule "again" is already registered');
  });

  test('a repeated trigger fires once', async () => {
    await create('fires-once');
    const patch = { triggerImmediately: { overlapPolicy: 6 } };
    const trigger = (requestId: string) =>
      stage.service.patchSchedule({ namespace, scheduleId: 'fires-once', requestId, patch });
    await Promise.all([trigger('a'), trigger('a'), trigger('a')]);
    expect((await describeIt('fires-once')).info?.actionCount?.toNumber()).toBe(1);
    await trigger('b');
    expect((await describeIt('fires-once')).info?.actionCount?.toNumber()).toBe(2);
  });

  test('creating without one, or with one too long, is refused', async () => {
    expect((await refusal(create('no-id', {}, ''))).details).toBe('RequestId is not set on request.');
    expect((await refusal(create('no-id', {}, 'x'.repeat(1001)))).details).toBe(
      'RequestId length exceeds limit.',
    );
  });
});

describe('patches', () => {
  test('are one change: when the last part is refused, nothing of it happened', async () => {
    await create('all-or-none', { schedule: { spec: hourly, action } });
    const range = { startTime: { seconds: 0 as never }, endTime: { seconds: 3600 as never } };
    const patch = { pause: 'now', triggerImmediately: {}, backfillRequest: Array(101).fill(range) };
    const { code, details } = await refusal(
      stage.service.patchSchedule({ namespace, scheduleId: 'all-or-none', patch }),
    );
    expect(code).toBe(status.FAILED_PRECONDITION);
    expect(details).toContain('too many concurrent backfillers');
    const { schedule, info } = await describeIt('all-or-none');
    expect(schedule?.state?.paused).toBeFalsy();
    expect(info?.actionCount?.toNumber()).toBe(0);
  });

  test('the time a trigger is for is honoured', async () => {
    await create('timed');
    const seconds = Date.UTC(2026, 1, 3, 4, 5, 6) / 1000;
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'timed',
      patch: { triggerImmediately: { scheduledTime: { seconds: seconds as never } } },
    });
    const { info } = await describeIt('timed');
    expect(info?.recentActions?.[0]?.startWorkflowResult?.workflowId).toBe('w-2026-02-03T04:05:06Z');
    expect(info?.recentActions?.[0]?.scheduleTime?.seconds?.toNumber()).toBe(seconds);
  });

  test('a backfill without a policy follows the schedule, which skips', async () => {
    await create('skipping');
    const day = Date.UTC(2026, 0, 1) / 1000;
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'skipping',
      patch: {
        backfillRequest: [
          { startTime: { seconds: day as never }, endTime: { seconds: (day + 5 * 3600) as never } },
        ],
      },
    });
    const { info } = await describeIt('skipping');
    expect(info?.actionCount?.toNumber()).toBe(1);
    expect(info?.overlapSkipped?.toNumber()).toBe(5);
  });

  test('pause and unpause together end unpaused', async () => {
    await create('both');
    await stage.service.patchSchedule({ namespace, scheduleId: 'both', patch: { pause: 'p', unpause: 'u' } });
    expect((await describeIt('both')).schedule?.state).toMatchObject({ paused: false, notes: 'u' });
  });

  test.each([
    ['no patch', {}, 'Patch is not set on request.'],
    ['a long note', { patch: { pause: 'x'.repeat(1001) } }, 'Schedule notes exceeds limit.'],
    ['a range without ends', { patch: { backfillRequest: [{}] } }, 'a backfill needs StartTime and EndTime'],
    [
      'an overlap policy from the future',
      { patch: { triggerImmediately: { overlapPolicy: 99 } } },
      'no overlap policy 99',
    ],
  ])('%s is refused', async (_, fields, message) => {
    const refused = await refusal(stage.service.patchSchedule({ namespace, scheduleId: 'both', ...fields }));
    expect(refused.code).toBe(status.INVALID_ARGUMENT);
    expect(refused.details).toContain(message);
  });
});

describe('unknown fields', () => {
  const { CreateScheduleRequest, DescribeScheduleResponse, UpdateScheduleRequest } =
    temporal.api.workflowservice.v1;
  const unknown = (text: string) => Buffer.from(field(4000, Buffer.from(text)));
  /** Appends a field to the message at the end of a path of field numbers. */
  const plant = (message: Uint8Array, path: readonly number[], extra: Uint8Array): Uint8Array => {
    const [number, ...rest] = path;
    if (number === undefined) return Buffer.concat([message, extra]);
    const parts = [...fieldsOf(message)].map((each) =>
      each.number === number && each.content !== undefined
        ? field(number, plant(each.content, rest, extra))
        : each.bytes,
    );
    return Buffer.concat(parts);
  };
  const find = (message: Uint8Array, path: readonly number[]): Uint8Array => {
    const [number, ...rest] = path;
    if (number === undefined) return message;
    const found = [...fieldsOf(message)].find((each) => each.number === number);
    return find(found?.content ?? new Uint8Array(), rest);
  };
  const request = () => ({
    namespace,
    scheduleId: 'unknown',
    requestId: randomUUID(),
    schedule: {
      spec: {
        ...hourly,
        structuredCalendar: [
          {
            second: [{}],
            minute: [{}],
            hour: [{ start: 3 }],
            dayOfMonth: [{ start: 1 }],
            month: [{ start: 1 }],
            dayOfWeek: [{ end: 6 }],
          },
        ],
      },
      action: {
        startWorkflow: {
          ...action.startWorkflow,
          input: {
            payloads: [
              { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.from([0, 255, 1]) },
            ],
          },
          header: { fields: { h: { data: Buffer.from([7]) } } },
        },
      },
      policies: { overlapPolicy: 3 },
      state: { paused: true, notes: 'n' },
    },
    memo: { fields: { m: { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') } } },
  });
  const places = {
    schedule: [3],
    spec: [3, 1],
    interval: [3, 1, 2],
    calendar: [3, 1, 7],
    action: [3, 2],
    workflow: [3, 2, 1],
    queue: [3, 2, 1, 3],
    policies: [3, 3],
    state: [3, 4],
  };

  test('survive create, describe, update and patch, bit for bit, wherever they stand', async () => {
    let message: Uint8Array = CreateScheduleRequest.encode(
      CreateScheduleRequest.create(request() as never),
    ).finish();
    for (const [name, path] of Object.entries(places))
      message = plant(message, path, unknown(`new in ${name}`));
    message = plant(message, [7], unknown('new in memo'));
    await raw.call('CreateSchedule', message);
    const described = await raw.call(
      'DescribeSchedule',
      UpdateScheduleRequest.encode({ namespace, scheduleId: 'unknown' }).finish(),
    );
    // In the response the schedule is field 1 and the memo field 3.
    const check = (response: Uint8Array) => {
      for (const [name, [, ...path]] of Object.entries(places)) {
        expect(Buffer.from(find(response, [1, ...path])).includes(unknown(`new in ${name}`)), name).toBe(
          true,
        );
      }
      expect(Buffer.from(find(response, [3])).includes(unknown('new in memo'))).toBe(true);
    };
    check(described);
    // The action is not taken apart at all.
    expect(Buffer.from(find(described, [1, 2]))).toEqual(Buffer.from(find(message, [3, 2])));
    expect(Buffer.from(find(described, [3]))).toEqual(Buffer.from(find(message, [7])));
    // A client that knows the fields sends back what it got.
    const update = Buffer.concat([
      UpdateScheduleRequest.encode({ namespace, scheduleId: 'unknown' }).finish(),
      field(3, find(described, [1])),
    ]);
    await raw.call('UpdateSchedule', update);
    await stage.service.patchSchedule({ namespace, scheduleId: 'unknown', patch: { unpause: 'go' } });
    const again = await raw.call(
      'DescribeSchedule',
      UpdateScheduleRequest.encode({ namespace, scheduleId: 'unknown' }).finish(),
    );
    check(again);
    expect(Buffer.from(find(again, [1, 2]))).toEqual(Buffer.from(find(message, [3, 2])));
    expect(DescribeScheduleResponse.decode(again).schedule?.state).toMatchObject({ notes: 'go' });
  });
});

describe('errors', () => {
  test('carry the details clients look for', async () => {
    expect((await detailOf(describeIt('absent')))?.type_url).toMatch(/NotFoundFailure$/);
    await create('taken');
    expect((await detailOf(create('taken')))?.type_url).toMatch(/WorkflowExecutionAlreadyStartedFailure$/);
    const missing = await detailOf(stage.service.describeSchedule({ namespace: 'nowhere', scheduleId: 'x' }));
    expect(missing?.type_url).toMatch(/NamespaceNotFoundFailure$/);
    const { NamespaceNotFoundFailure } = temporal.api.errordetails.v1;
    expect(NamespaceNotFoundFailure.decode(missing?.value as Uint8Array).namespace).toBe('nowhere');
  });

  test.each([
    ['no namespace', { namespace: '' }, 'Namespace not set on request.'],
    ['no id', { scheduleId: '' }, 'ScheduleId is not set on request.'],
    ['an id too long', { scheduleId: 'x'.repeat(978) }, 'ScheduleId exceeds limit'],
    ['no schedule', { schedule: null }, 'Only StartWorkflow action is supported for schedules'],
    ['no action', { schedule: { spec: hourly } }, 'Only StartWorkflow action is supported for schedules'],
    ['no workflow type', startOf({ workflowType: null }), 'WorkflowType is not set on request.'],
    ['no task queue', startOf({ taskQueue: null }), 'taskQueue is not set'],
    ['a queue of ours', startOf({ taskQueue: { name: '@http' } }), "beginning with '@'"],
    [
      'a long workflow id',
      startOf({ workflowId: 'x'.repeat(980) }),
      'WorkflowId exceeds maximum allowed length (1001/1000)',
    ],
    ['a reuse policy', startOf({ workflowIdReusePolicy: 3 }), 'must not contain WorkflowIDReusePolicy'],
    [
      'a negative timeout',
      startOf({ workflowRunTimeout: { seconds: -1 } }),
      'WorkflowRunTimeout cannot be negative.',
    ],
    [
      'a shrinking backoff',
      startOf({ retryPolicy: { backoffCoefficient: 0.5 } }),
      'BackoffCoefficient cannot be less than 1',
    ],
    [
      'a duration no protobuf has',
      { schedule: { action, spec: { interval: [{ interval: { seconds: 5, nanos: -1 } }] } } },
      'Invalid schedule spec: interval is not a valid duration',
    ],
    [
      'a negative exclusion',
      { schedule: { action, spec: { ...hourly, excludeStructuredCalendar: [{ hour: [{ start: -5 }] }] } } },
      'Invalid schedule spec: ',
    ],
  ])('%s is refused with a reason', async (_, fields, message) => {
    const { code, details } = await refusal(create('refused', fields));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toContain(message);
    expect((await refusal(describeIt('refused'))).code).toBe(status.NOT_FOUND);
  });

  test('times that no message may have, and zones that depend on the host, are invalid arguments', async () => {
    await create('malformed');
    const never = { seconds: 300_000_000_000 as never };
    const backwards = { seconds: 1_700_000_000 as never, nanos: -1 };
    const fine = { seconds: 1_700_000_000 as never };
    for (const malformed of [never, backwards]) {
      const patch = { triggerImmediately: { scheduledTime: malformed } };
      const refused = [
        stage.service.patchSchedule({ namespace, scheduleId: 'malformed', patch }),
        ...[
          { startTime: malformed, endTime: fine },
          { startTime: fine, endTime: malformed },
        ].map((range) =>
          stage.service.listScheduleMatchingTimes({ namespace, scheduleId: 'malformed', ...range }),
        ),
      ];
      for (const call of refused) expect((await refusal(call)).code).toBe(status.INVALID_ARGUMENT);
    }
    for (const timezoneName of ['Local', 'posix/Europe/Berlin', 'right/Europe/Berlin']) {
      const schedule = { spec: { ...hourly, timezoneName }, action };
      expect((await refusal(create('elsewhere', { schedule }))).code).toBe(status.INVALID_ARGUMENT);
    }
  });

  test('a sticky task queue has a second name, which may be no longer than the first', async () => {
    const on = (kind: number, normalName: string) => ({
      schedule: {
        spec: hourly,
        state: { paused: true },
        action: { startWorkflow: { ...action.startWorkflow, taskQueue: { name: 'q', kind, normalName } } },
      },
    });
    const [longest, tooLong] = ['q'.repeat(1000), 'q'.repeat(1001)];
    expect(await refusal(create('sticky', on(2, tooLong)))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'taskQueue length exceeds limit.',
    });
    await create('sticky', on(2, longest));
    await create('not-sticky', on(1, tooLong));
  });

  test('input and memo above two MiB are refused as such, not by the transport', async () => {
    const data = Buffer.alloc(3 * 1024 * 1024, 'x');
    const payload = { metadata: { encoding: Buffer.from('binary/plain') }, data };
    const large = startOf({ input: { payloads: [payload] } });
    expect(await refusal(create('large', large))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'Blob data size exceeds limit.',
    });
    expect((await refusal(create('large', { memo: { fields: { a: payload } } }))).code).toBe(
      status.INVALID_ARGUMENT,
    );
    const huge = { metadata: {}, data: Buffer.alloc(17 * 1024 * 1024) };
    const message = temporal.api.workflowservice.v1.CreateScheduleRequest.encode({
      namespace,
      scheduleId: 'large',
      requestId: 'r',
      memo: { fields: { a: huge } },
    }).finish();
    expect((await refusal(raw.call('CreateSchedule', message))).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('methods we do not serve say so in the words clients look for', async () => {
    const { code, details } = await refusal(stage.service.resetWorkflowExecution({ namespace }));
    expect(code).toBe(status.UNIMPLEMENTED);
    expect(details).toMatch(/^unknown method ResetWorkflowExecution for service/);
  });

  test('a body that is no message is the caller’s fault', async () => {
    const { code } = await refusal(raw.call('DescribeSchedule', Buffer.from([0x0a, 0xff, 0xff])));
    expect(code).toBe(status.INVALID_ARGUMENT);
  });
});

function startOf(fields: object) {
  return { schedule: { spec: hourly, action: { startWorkflow: { ...action.startWorkflow, ...fields } } } };
}

describe('the rest', () => {
  test('matching times: the start is exclusive, the end inclusive, and there are at most 1000', async () => {
    await create('matching');
    const ask = async (from: number, to: number) =>
      (
        await stage.service.listScheduleMatchingTimes({
          namespace,
          scheduleId: 'matching',
          startTime: { seconds: from as never },
          endTime: { seconds: to as never },
        })
      ).startTime?.map(({ seconds }) => seconds?.toNumber());
    expect(await ask(7200, 7200 + 5 * 3600)).toEqual([3, 4, 5, 6, 7].map((n) => n * 3600));
    expect(await ask(0, 2_000_000_000)).toHaveLength(1000);
    const refused = stage.service.listScheduleMatchingTimes({ namespace, scheduleId: 'matching' });
    expect((await refusal(refused)).code).toBe(status.INVALID_ARGUMENT);
  });

  test('schedules are counted', async () => {
    await create('counted-1');
    await create('counted-2');
    const count = async (query: string) =>
      (await stage.service.countSchedules({ namespace, query })).count?.toNumber();
    expect(await count('ScheduleId STARTS_WITH "counted-"')).toBe(2);
    expect(await count('ScheduleId STARTS_WITH "counted-" AND TemporalSchedulePaused = false')).toBe(0);
  });

  test('the server tells what it can do, and keeps its name', async () => {
    const { capabilities } = await stage.service.getSystemInfo({});
    expect(capabilities).toMatchObject({ supportsSchedules: true, internalErrorDifferentiation: true });
    const first = await stage.service.getClusterInfo({});
    expect(first.clusterId).not.toBe('');
    expect((await stage.service.getClusterInfo({})).clusterId).toBe(first.clusterId);
  });

  test('health is served, by name and as a whole', async () => {
    const { healthService } = stage.connection;
    expect(await healthService.check({})).toMatchObject({ status: 1 });
    const service = 'temporal.api.workflowservice.v1.WorkflowService';
    expect(await healthService.check({ service })).toMatchObject({ status: 1 });
    expect((await refusal(healthService.check({ service: 'absent' }))).code).toBe(status.NOT_FOUND);
  });

  test('listings cut long specs and leave zone data out', async () => {
    const interval = Array.from({ length: 20 }, (_, n) => ({ interval: { seconds: (3600 + n) as never } }));
    await create('long', { schedule: { spec: { interval }, action, state: { paused: true } } });
    expect((await describeIt('long')).schedule?.spec?.interval).toHaveLength(20);
    const { schedules } = await stage.service.listSchedules({ namespace, query: 'ScheduleId = "long"' });
    expect(schedules?.[0]?.info?.spec?.interval).toHaveLength(10);
  });

  test('keepOriginalWorkflowId gives runs the very id', async () => {
    await create('kept', {
      schedule: { spec: {}, action, policies: { keepOriginalWorkflowId: true } },
      initialPatch: { triggerImmediately: {} },
    });
    const { info, schedule } = await describeIt('kept');
    expect(schedule?.policies?.keepOriginalWorkflowId).toBe(true);
    expect(info?.runningWorkflows?.[0]?.workflowId).toBe('w');
  });
});
