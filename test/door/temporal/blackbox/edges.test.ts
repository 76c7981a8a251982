/** Values at the edge of what the messages can hold: what Temporal takes is taken, and comes back as it was. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../../../packages/carillon/src/client/index.ts';
import { until } from '../../../support/until.ts';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import {
  create,
  describeRaw,
  hourly,
  matchingTimes,
  namespace,
  refusal,
  type Spec,
  scheduleOf,
  seconds,
} from './raw-schedules.ts';

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
  });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** Every number and text in it, zeros left out: absent and zero are the same on the wire. */
function flat(value: unknown): unknown[] {
  const leaves: unknown[] = [];
  JSON.stringify(value, (_, inner) => {
    if (typeof inner !== 'object' && String(inner) !== '0') leaves.push(String(inner));
    return inner;
  });
  return leaves;
}

describe('specs that are odd but legal', () => {
  const cases: readonly [string, Spec][] = [
    ['an end in the year 9999', { ...hourly, endTime: seconds(253_402_300_799, 999_999_999) }],
    ['a start before 1970', { ...hourly, startTime: seconds(-1_000_000_000, 5) }],
    [
      'a start after the end',
      { ...hourly, startTime: seconds(2_000_000_000), endTime: seconds(1_900_000_000) },
    ],
    ['an end in the past', { ...hourly, endTime: seconds(1_000_000_000) }],
    ['the longest duration of protobuf', { interval: [{ interval: seconds(315_576_000_000) }] }],
    [
      'nanoseconds',
      { interval: [{ interval: seconds(90, 123_456_789), phase: seconds(0, 1) }], jitter: seconds(0, 999) },
    ],
    ['jitter longer than a month', { ...hourly, jitter: seconds(4_000_000) }],
    ['a comment in other letters', { calendar: [{ comment: 'ночью 夜 🌙' }] }],
    [
      'a hundred intervals',
      { interval: Array.from({ length: 100 }, (_, at) => ({ interval: seconds(60 + at) })) },
    ],
    ['zones by old names', { ...hourly, timezoneName: 'US/Pacific' }],
    ['UTC by name', { ...hourly, timezoneName: 'UTC' }],
  ];
  test.each(cases)('%s', async (name, spec) => {
    await create(stage, `spec ${name}`, scheduleOf(spec));
    const shown = (await describeRaw(stage, `spec ${name}`)).schedule?.spec;
    for (const field of ['interval', 'startTime', 'endTime', 'jitter', 'timezoneName'] as const) {
      if (spec[field] !== undefined) expect(flat(shown?.[field])).toEqual(flat(spec[field]));
    }
    if (spec.calendar) expect(shown?.structuredCalendar?.[0]?.comment).toBe(spec.calendar[0]?.comment);
  });

  test('a start after the end never fires, and says so', async () => {
    expect((await describeRaw(stage, 'spec a start after the end')).info?.futureActionTimes).toEqual([]);
    expect(
      await matchingTimes(
        stage,
        'spec a start after the end',
        '2020-01-01T00:00:00Z',
        '2080-01-01T00:00:00Z',
      ),
    ).toEqual([]);
  });
});

describe('states and policies', () => {
  test('a count without the limit counts nothing down and comes back', async () => {
    const state = { limitedActions: false, remainingActions: 5 as never, paused: true };
    await create(stage, 'unlimited', scheduleOf(hourly, { state }));
    const { schedule: shown, info } = await describeRaw(stage, 'unlimited');
    expect(shown?.state?.limitedActions).toBe(false);
    expect(Number(shown?.state?.remainingActions)).toBe(5);
    expect(info?.futureActionTimes).toHaveLength(10);
    const limited = { ...state, limitedActions: true, remainingActions: 0 as never };
    await stage.service.updateSchedule({
      namespace,
      scheduleId: 'unlimited',
      schedule: scheduleOf(hourly, { state: limited }),
    });
    const after = (await describeRaw(stage, 'unlimited')).schedule?.state;
    expect([after?.limitedActions, Number(after?.remainingActions)]).toEqual([true, 0]);
  });

  test('a limit set by another door counts, whatever the client once said', async () => {
    const state = { remainingActions: 5 as never, paused: true };
    await create(stage, 'limited-later', scheduleOf(hourly, { state }));
    const rest = new CarillonClient({ url: stage.server.url });
    await rest.schedules.patch('limited-later', { remaining: 0 });
    const shown = (await describeRaw(stage, 'limited-later')).schedule?.state;
    expect([shown?.limitedActions, Number(shown?.remainingActions)]).toEqual([true, 0]);
  });

  test('notes of a state may be longer than those of a patch', async () => {
    const notes = 'n'.repeat(5000);
    await create(stage, 'long-notes', scheduleOf(hourly, { state: { notes, paused: true } }));
    expect((await describeRaw(stage, 'long-notes')).schedule?.state?.notes).toBe(notes);
  });

  test('notes of a schedule that is not paused are kept too', async () => {
    await create(stage, 'awake', scheduleOf(hourly, { state: { notes: 'all well' } }));
    expect((await describeRaw(stage, 'awake')).schedule?.state).toMatchObject({
      notes: 'all well',
      paused: false,
    });
    const { schedules } = await stage.service.listSchedules({ namespace, query: "ScheduleId = 'awake'" });
    expect(schedules?.[0]?.info?.notes).toBe('all well');
  });

  test.each([1, 2, 3, 4, 5, 6])('overlap policy %i comes back', async (overlapPolicy) => {
    await create(stage, `overlap-${overlapPolicy}`, scheduleOf(hourly, { policies: { overlapPolicy } }));
    expect((await describeRaw(stage, `overlap-${overlapPolicy}`)).schedule?.policies?.overlapPolicy).toBe(
      overlapPolicy,
    );
  });

  test('an unknown overlap policy is refused', async () => {
    const odd = create(stage, 'overlap-7', scheduleOf(hourly, { policies: { overlapPolicy: 7 as never } }));
    expect((await refusal(odd)).code).toBe(status.INVALID_ARGUMENT);
  });

  test('a patch with nothing in it changes nothing that is shown', async () => {
    await create(stage, 'empty-patch', scheduleOf(hourly));
    const before = await describeRaw(stage, 'empty-patch');
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'empty-patch',
      requestId: randomUUID(),
      patch: {},
    });
    const after = await describeRaw(stage, 'empty-patch');
    expect(after.schedule).toEqual(before.schedule);
    expect(Number(after.info?.actionCount)).toBe(0);
  });
});

describe('names', () => {
  test.each([
    'with space',
    'a/b/../c',
    "it's",
    'say "hi"',
    'ümläut 夜',
    '%2F',
    '.',
    'a\nb',
    '\\',
    '$ne',
    '__proto__',
  ])('a schedule may be called %j', async (id) => {
    const handle = await stage.client.schedule.create(schedule(id, { memo: { id } }));
    expect((await handle.describe()).memo).toEqual({ id });
    await handle.pause('x');
    const query = `ScheduleId = '${id.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`;
    const { schedules } = await stage.service.listSchedules({ namespace, query });
    expect(schedules?.map(({ scheduleId }) => scheduleId)).toEqual([id]);
    await handle.delete();
    await expect(handle.describe()).rejects.toThrow();
  });

  test('keys of memo, header and attributes may be words of the language', async () => {
    const memo = { constructor: 1, toString: 2, hasOwnProperty: 3 };
    const handle = await stage.client.schedule.create(schedule('words', { memo }));
    expect((await handle.describe()).memo).toEqual(memo);
  });
});

test('a backfill of two thousand slots runs each of them once', async () => {
  const handle = await stage.client.schedule.create(
    schedule('long-backfill', { spec: { intervals: [{ every: '1h' }] }, state: { paused: true } }),
  );
  await handle.backfill({
    start: new Date('2026-01-01T00:00:00Z'),
    end: new Date(Date.UTC(2026, 0, 1) + 1999 * 3_600_000),
    overlap: 'ALLOW_ALL',
  });
  await until(
    () => handle.describe(),
    ({ info }) => info.numActionsTaken >= 2000 && info.runningActions.length === 0,
  );
  expect((await handle.describe()).info.numActionsTaken).toBe(2000);
  const { count } = await stage.service.countWorkflowExecutions({
    namespace,
    query: 'TemporalScheduledById = "long-backfill" AND ExecutionStatus = "Completed"',
  });
  expect(Number(count)).toBe(2000);
});
