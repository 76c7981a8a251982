/** Fields of clients newer than this server, in every message inside a schedule, come back bit for bit. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrpcStage } from '../grpc-stage.ts';
import { RawClient } from '../raw-client.ts';
import { namespace, seconds, startWorkflow } from './raw-schedules.ts';
import { delimited, find, plant, strangers } from './wire-bytes.ts';

const { CreateScheduleRequest, DescribeScheduleRequest, DescribeScheduleResponse, UpdateScheduleRequest } =
  temporal.api.workflowservice.v1;

const folder = mkdtempSync(join(tmpdir(), 'carillon-unknown-'));
const store = `sqlite:${join(folder, 'carillon.db')}`;
let stage: GrpcStage;
let raw: RawClient;
async function open(): Promise<void> {
  stage = await GrpcStage.open({}, { store });
  raw = new RawClient(stage.address);
}
async function close(): Promise<void> {
  raw.close();
  await stage[Symbol.asyncDispose]();
}
beforeAll(open);
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const payload = {
  metadata: { encoding: Buffer.from('binary/encrypted'), key: Buffer.from([0, 255]) },
  data: Buffer.from([0, 255, 1]),
};
const calendar = {
  second: [{ start: 0, end: 0, step: 1 }],
  minute: [{ start: 0, end: 0, step: 1 }],
  hour: [{ start: 3, end: 3, step: 1 }],
  dayOfMonth: [{ start: 1, end: 31, step: 1 }],
  month: [{ start: 1, end: 12, step: 1 }],
  year: [{ start: 2030, end: 2030, step: 1 }],
  dayOfWeek: [{ start: 0, end: 6, step: 1 }],
  comment: 'c',
};
const schedule = {
  spec: {
    structuredCalendar: [calendar],
    excludeStructuredCalendar: [calendar],
    interval: [{ interval: seconds(3600), phase: seconds(60) }],
    startTime: seconds(1_700_000_000, 5),
    endTime: seconds(4_000_000_000, 7),
    jitter: seconds(2),
    timezoneName: 'Europe/Berlin',
  },
  action: {
    startWorkflow: startWorkflow({
      input: { payloads: [payload, payload] },
      workflowExecutionTimeout: seconds(60),
      workflowRunTimeout: seconds(50),
      workflowTaskTimeout: seconds(10),
      retryPolicy: { initialInterval: seconds(1), backoffCoefficient: 2, maximumAttempts: 3 },
      memo: { fields: { m: payload } },
      header: { fields: { h: payload } },
      userMetadata: { summary: payload, details: payload },
      priority: { priorityKey: 3 },
    }),
  },
  policies: { overlapPolicy: 3, catchupWindow: seconds(600), pauseOnFailure: true },
  state: { notes: 'n', paused: true },
};

/** From the schedule down. */
const inside: Readonly<Record<string, readonly number[]>> = {
  schedule: [],
  spec: [1],
  interval: [1, 2],
  'interval.interval': [1, 2, 1],
  'interval.phase': [1, 2, 2],
  startTime: [1, 4],
  endTime: [1, 5],
  jitter: [1, 6],
  calendar: [1, 7],
  'calendar.second': [1, 7, 1],
  'calendar.hour': [1, 7, 3],
  'calendar.year': [1, 7, 6],
  exclusion: [1, 9],
  'exclusion.hour': [1, 9, 3],
  action: [2],
  workflow: [2, 1],
  workflowType: [2, 1, 2],
  taskQueue: [2, 1, 3],
  input: [2, 1, 4],
  'input payload': [2, 1, 4, 1],
  'payload metadata': [2, 1, 4, 1, 1],
  'execution timeout': [2, 1, 5],
  'retry policy': [2, 1, 9],
  'retry interval': [2, 1, 9, 1],
  'workflow memo': [2, 1, 11],
  'workflow memo entry': [2, 1, 11, 1],
  header: [2, 1, 13],
  'header payload': [2, 1, 13, 1, 2],
  userMetadata: [2, 1, 14],
  'summary payload': [2, 1, 14, 1],
  priority: [2, 1, 16],
  policies: [3],
  state: [4],
};
/** From the request or the answer down; the numbers of the outermost fields differ. */
const memoPlaces: Readonly<Record<string, readonly number[]>> = {
  memo: [],
  'memo entry': [1],
  'memo payload': [1, 2],
  'memo payload metadata': [1, 2, 1],
};

async function describeBytes(scheduleId: string): Promise<Buffer> {
  return await raw.call(
    'DescribeSchedule',
    DescribeScheduleRequest.encode({ namespace, scheduleId }).finish(),
  );
}

function expectAll(answer: Buffer, sent: Buffer): void {
  const lost = [
    ...Object.entries(inside).filter(([where, path]) =>
      find(answer, [1, ...path]).some((one) => !one.includes(strangers(where))),
    ),
    ...Object.entries(memoPlaces).filter(([where, path]) =>
      find(answer, [3, ...path]).some((one) => !one.includes(strangers(where))),
    ),
  ].map(([where]) => where);
  expect(lost).toEqual([]);
  expect(find(answer, [1, 2])).toEqual(find(sent, [3, 2]));
  expect(find(answer, [3])).toEqual(find(sent, [7]));
}

describe('unknown fields', () => {
  let sent: Buffer;

  test('come back from every message of a schedule and its memo', async () => {
    sent = Buffer.from(
      CreateScheduleRequest.encode({
        namespace,
        scheduleId: 'newer',
        requestId: randomUUID(),
        schedule,
        memo: { fields: { m: payload } },
      }).finish(),
    );
    for (const [where, path] of Object.entries(inside)) sent = plant(sent, [3, ...path], strangers(where));
    for (const [where, path] of Object.entries(memoPlaces))
      sent = plant(sent, [7, ...path], strangers(where));
    await raw.call('CreateSchedule', sent);
    expectAll(await describeBytes('newer'), sent);
  });

  test('survive patches, and an update that sends back what was read', async () => {
    await stage.service.patchSchedule({ namespace, scheduleId: 'newer', patch: { unpause: 'go' } });
    const read = await describeBytes('newer');
    expectAll(read, sent);
    await raw.call(
      'UpdateSchedule',
      Buffer.concat([
        UpdateScheduleRequest.encode({ namespace, scheduleId: 'newer', requestId: randomUUID() }).finish(),
        delimited(3, find(read, [1])[0] as Buffer),
      ]),
    );
    expectAll(await describeBytes('newer'), sent);
    await stage.service.patchSchedule({ namespace, scheduleId: 'newer', patch: { pause: 'stop' } });
    const answer = DescribeScheduleResponse.decode(await describeBytes('newer'));
    expect(answer.schedule?.state).toMatchObject({ paused: true, notes: 'stop' });
  });

  test('survive a pause through another door, and a restart', async () => {
    await stage.carillon.schedules.resume('newer', { note: 'natively' });
    await stage.carillon.schedules.pause('newer', { note: 'natively' });
    expectAll(await describeBytes('newer'), sent);
    await close();
    await open();
    expectAll(await describeBytes('newer'), sent);
  });

  test('are given up with the message they were in', async () => {
    await stage.service.updateSchedule({ namespace, scheduleId: 'newer', schedule });
    const answer = await describeBytes('newer');
    expect(find(answer, [1, 2, 1])[0]?.includes(strangers('workflow'))).toBe(false);
    expect(find(answer, [1])[0]?.includes(strangers('schedule'))).toBe(false);
    // The memo was not mentioned, so it is the old one.
    expect(find(answer, [3])).toEqual(find(sent, [7]));
  });
});
