/** Thousands of broken messages: no crash, no hang, no half-written schedule, and always an error of the caller. */
import { status } from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../../packages/carillon/src/base/random.ts';
import { GrpcStage } from './grpc-stage.ts';
import { RawClient } from './raw-client.ts';

const {
  CreateScheduleRequest,
  UpdateScheduleRequest,
  PatchScheduleRequest,
  ListSchedulesRequest,
  ListScheduleMatchingTimesRequest,
} = temporal.api.workflowservice.v1;

const seconds = (value: number) => ({ seconds: value as never });
const schedule = {
  spec: {
    structuredCalendar: [
      {
        second: [{}],
        minute: [{ end: 59, step: 5 }],
        hour: [{ start: 3 }],
        dayOfMonth: [{ start: 1, end: 31 }],
        month: [{ start: 1 }],
        dayOfWeek: [{ end: 6 }],
      },
    ],
    cronString: ['0 9 * * MON-FRI'],
    calendar: [{ hour: '5,7', minute: '*/10' }],
    interval: [{ interval: seconds(3600), phase: seconds(60) }],
    excludeStructuredCalendar: [{ hour: [{ start: 4 }] }],
    startTime: seconds(1_700_000_000),
    jitter: seconds(5),
    timezoneName: '',
  },
  action: {
    startWorkflow: {
      workflowId: 'w',
      workflowType: { name: 'work' },
      taskQueue: { name: 'q' },
      input: {
        payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"a":[1]}') }],
      },
      retryPolicy: { backoffCoefficient: 2, initialInterval: seconds(1) },
      workflowRunTimeout: seconds(10),
    },
  },
  policies: { overlapPolicy: 2, catchupWindow: seconds(60) },
  state: { notes: 'n', limitedActions: true, remainingActions: 3 as never },
};
const patch = {
  pause: 'p',
  triggerImmediately: { overlapPolicy: 6, scheduledTime: seconds(1_700_000_000) },
  backfillRequest: [{ startTime: seconds(1_700_000_000), endTime: seconds(1_700_010_000), overlapPolicy: 1 }],
};
const namespace = 'default';
const originals: readonly (readonly [method: string, body: Uint8Array])[] = [
  [
    'CreateSchedule',
    CreateScheduleRequest.encode({
      namespace,
      scheduleId: 'fuzz',
      requestId: 'r',
      schedule,
      initialPatch: patch,
      memo: { fields: { a: { data: Buffer.from('1') } } },
    }).finish(),
  ],
  [
    'UpdateSchedule',
    UpdateScheduleRequest.encode({
      namespace,
      scheduleId: 'stable',
      schedule,
      conflictToken: Buffer.alloc(8),
    }).finish(),
  ],
  [
    'PatchSchedule',
    PatchScheduleRequest.encode({ namespace, scheduleId: 'stable', requestId: 'p', patch }).finish(),
  ],
  [
    'ListSchedules',
    ListSchedulesRequest.encode({
      namespace,
      maximumPageSize: 5,
      query: 'ScheduleId = "a" AND TemporalSchedulePaused = true',
      nextPageToken: Buffer.from('abc'),
    }).finish(),
  ],
  [
    'ListScheduleMatchingTimes',
    ListScheduleMatchingTimesRequest.encode({
      namespace,
      scheduleId: 'stable',
      startTime: seconds(1),
      endTime: seconds(9),
    }).finish(),
  ],
];

/** Flips, cuts, repeats, inserts: what a broken sender or an attacker might make of a message. */
function mutate(body: Uint8Array, random: SeededRandom): Uint8Array {
  let bytes = Buffer.from(body);
  for (let times = random.integer(1, 4); times > 0 && bytes.length > 0; times -= 1) {
    const at = random.integer(0, bytes.length - 1);
    switch (random.integer(0, 5)) {
      case 0:
        bytes[at] = random.integer(0, 255);
        break;
      case 1:
        bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7));
        break;
      case 2:
        bytes = bytes.subarray(0, at);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.integer(0, at))]);
        break;
      case 4: {
        const inserted = Buffer.from(
          Array.from({ length: random.integer(1, 12) }, () =>
            random.pick([0, 1, 8, 127, 128, 255, random.integer(0, 255)]),
          ),
        );
        bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
        break;
      }
      default:
        bytes = Buffer.concat([bytes, bytes.subarray(at)]);
    }
  }
  return bytes;
}

/** The statuses for errors of the caller, and for success. */
const fine: ReadonlySet<number> = new Set([
  status.OK,
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
]);

test('five thousand broken messages are answered, each as an error of the client', async () => {
  await using stage = await GrpcStage.open();
  const raw = new RawClient(stage.address);
  await raw.call(
    'CreateSchedule',
    CreateScheduleRequest.encode({ namespace, scheduleId: 'stable', requestId: 's', schedule }).finish(),
  );
  const random = new SeededRandom(20_261_116);
  const codes = new Map<number, number>();
  const wrong: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const batch = Array.from({ length: 50 }, async () => {
      const [method, body] = random.pick(originals);
      const sent = mutate(body, random);
      const code = await raw.call(method, sent).then(
        () => status.OK,
        (error: { code: number }) => error.code,
      );
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (!fine.has(code)) wrong.push(`${method} ${code} ${Buffer.from(sent).toString('hex')}`);
    });
    await Promise.all(batch);
  }
  expect(wrong).toEqual([]);
  expect(codes.get(status.INVALID_ARGUMENT)).toBeGreaterThan(500);
  // Everything that was stored is complete: it can be listed, described, and deleted.
  const { service } = stage;
  let token: Uint8Array | null | undefined;
  do {
    const page = await service.listSchedules({
      namespace,
      maximumPageSize: 100,
      ...(token ? { nextPageToken: token } : {}),
    });
    for (const { scheduleId } of page.schedules ?? []) {
      const answer = await service.describeSchedule({ namespace, scheduleId: scheduleId ?? '' });
      expect(answer.schedule?.action?.startWorkflow?.workflowType?.name).not.toBe('');
      expect(answer.info?.createTime).not.toBeNull();
      await service.deleteSchedule({ namespace, scheduleId: scheduleId ?? '' });
    }
    token = page.nextPageToken;
  } while (token && token.length > 0);
  raw.close();
});
