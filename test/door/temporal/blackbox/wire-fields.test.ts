/** What clients send in odd forms and what they cannot live without in answers, field by field (wire reference, section 3). */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { Client, type ScheduleOptions } from '@temporalio/client';
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
  seconds,
  startWorkflow,
} from './raw-schedules.ts';

const { ScheduleOverlapPolicy, IndexedValueType } = temporal.api.enums.v1;

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('work', () => 'done');
  });
  await stage.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: {
      Anything: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
      Number: IndexedValueType.INDEXED_VALUE_TYPE_INT,
    },
  });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const everyDay = {
  dayOfMonth: [{ start: 1, end: 31 }],
  month: [{ start: 1, end: 12 }],
  dayOfWeek: [{ end: 6 }],
};
async function specOf(scheduleId: string) {
  return (await describeRaw(stage, scheduleId)).schedule?.spec;
}

describe('what arrives', () => {
  test('empty ranges are zero, echoed as a range of one', async () => {
    await create(
      stage,
      'empty-ranges',
      scheduleOf({ structuredCalendar: [{ second: [{}], minute: [{}], hour: [{ start: 5 }], ...everyDay }] }),
    );
    expect((await specOf('empty-ranges'))?.structuredCalendar?.[0]).toMatchObject({
      second: [{ start: 0, end: 0, step: 1 }],
      minute: [{ start: 0, end: 0, step: 1 }],
      hour: [{ start: 5, end: 5, step: 1 }],
      dayOfWeek: [{ start: 0, end: 6, step: 1 }],
    });
  });

  test('an end before its start that is not zero is refused', async () => {
    const odd = scheduleOf({
      structuredCalendar: [{ second: [{}], minute: [{}], hour: [{ start: 5, end: 1 }], ...everyDay }],
    });
    expect((await refusal(create(stage, 'odd-end', odd))).details).toContain(
      'Hour End is before Start or not in range [0-23]',
    );
  });

  test('durations of zero are none', async () => {
    await create(
      stage,
      'zero-durations',
      scheduleOf(
        { interval: [{ interval: seconds(60), phase: seconds(0) }], jitter: seconds(0) },
        {
          action: {
            startWorkflow: startWorkflow({
              workflowExecutionTimeout: seconds(0),
              workflowRunTimeout: seconds(0),
              workflowTaskTimeout: seconds(0),
            }),
          },
        },
      ),
    );
    await stage.client.schedule.getHandle('zero-durations').trigger();
    const { info } = await until(
      () => stage.client.schedule.getHandle('zero-durations').describe(),
      (shown) => shown.info.runningActions.length === 0 && shown.info.numActionsTaken === 1,
    );
    expect(info.recentActions).toHaveLength(1);
    const { raw } = await stage.client.schedule.getHandle('zero-durations').describe();
    expect(raw.info?.recentActions?.[0]?.startWorkflowStatus).toBe(2);
  });

  test.each([
    ['absent', undefined, 365 * 86_400],
    ['zero', 0, 365 * 86_400],
    ['negative', -1, 365 * 86_400],
    ['a second', 1, 10],
    ['an hour', 3600, 3600],
  ])(
    'a catch-up window that is %s comes back as what counts, after create and update',
    async (name, window, effective) => {
      const policies = window === undefined ? {} : { catchupWindow: seconds(window) };
      const id = `window-${name}`;
      await create(stage, id, scheduleOf(hourly, { policies }));
      const shown = async () => {
        const described = (await describeRaw(stage, id)).schedule?.policies;
        return [Number(described?.catchupWindow?.seconds), described?.overlapPolicy];
      };
      const wanted = [effective, ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP];
      expect(await shown()).toEqual(wanted);
      await stage.service.updateSchedule({
        namespace,
        scheduleId: id,
        schedule: scheduleOf(hourly, { policies }),
      });
      expect(await shown()).toEqual(wanted);
    },
  );

  test('limited to none is exhausted: no coming times, and a trigger still runs', async () => {
    await create(
      stage,
      'exhausted',
      scheduleOf({ interval: [{ interval: seconds(1) }] }, { state: { limitedActions: true } }),
    );
    const before = await describeRaw(stage, 'exhausted');
    expect(before.info?.futureActionTimes).toEqual([]);
    expect(before.schedule?.state).toMatchObject({ limitedActions: true });
    expect(Number(before.schedule?.state?.remainingActions)).toBe(0);
    await stage.client.schedule.getHandle('exhausted').trigger();
    const { info } = await stage.client.schedule.getHandle('exhausted').describe();
    expect(info.numActionsTaken).toBe(1);
  });

  test('fields the client loses are kept for those who send them', async () => {
    const policies = { keepOriginalWorkflowId: true };
    const versioningOverride = { autoUpgrade: true };
    await create(
      stage,
      'rare',
      scheduleOf(hourly, { policies, action: { startWorkflow: startWorkflow({ versioningOverride }) } }),
    );
    const { schedule: shown } = await describeRaw(stage, 'rare');
    expect(shown?.policies?.keepOriginalWorkflowId).toBe(true);
    expect(shown?.action?.startWorkflow?.versioningOverride?.autoUpgrade).toBe(true);
  });

  test('memo is kept by an update without one, replaced by one, and cleared by an empty one', async () => {
    const payload = (text: string) => ({
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from(JSON.stringify(text)),
    });
    await create(stage, 'memo', scheduleOf(hourly), { memo: { fields: { a: payload('1') } } });
    const update = async (memo?: object) => {
      await stage.service.updateSchedule({
        namespace,
        scheduleId: 'memo',
        schedule: scheduleOf(hourly),
        ...(memo === undefined ? {} : { memo }),
      });
      return Object.keys((await describeRaw(stage, 'memo')).memo?.fields ?? {});
    };
    expect(await update()).toEqual(['a']);
    expect(await update({ fields: { b: payload('2'), c: payload('3') } })).toEqual(['b', 'c']);
    expect(await update({ fields: {} })).toEqual([]);
  });

  test('attributes: a list without a type and a scalar with one both gain or keep their type', async () => {
    const json = (value: unknown, type?: string) => ({
      metadata: {
        encoding: Buffer.from('json/plain'),
        ...(type === undefined ? {} : { type: Buffer.from(type) }),
      },
      data: Buffer.from(JSON.stringify(value)),
    });
    await create(stage, 'typed', scheduleOf(hourly), {
      searchAttributes: { indexedFields: { Anything: json(['x']), Number: json(7, 'Int') } },
    });
    const { searchAttributes } = await describeRaw(stage, 'typed');
    const types = Object.entries(searchAttributes?.indexedFields ?? {}).map(([name, { metadata }]) => [
      name,
      Buffer.from(metadata?.type ?? []).toString(),
    ]);
    expect(Object.fromEntries(types)).toEqual({ Anything: 'Keyword', Number: 'Int' });
  });

  test('a trigger without a policy follows the schedule, like Go and Python send it', async () => {
    await create(stage, 'plain-trigger', scheduleOf(hourly));
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'plain-trigger',
      requestId: randomUUID(),
      patch: { triggerImmediately: {} },
    });
    expect(Number((await describeRaw(stage, 'plain-trigger')).info?.actionCount)).toBe(1);
  });

  test('an initial patch without anything in it is none', async () => {
    const { conflictToken } = await create(stage, 'no-patch', scheduleOf(hourly), { initialPatch: {} });
    expect(conflictToken).toHaveLength(8);
    expect(Number((await describeRaw(stage, 'no-patch')).info?.actionCount)).toBe(0);
  });

  test('a note with a stray quote stays as it is', async () => {
    await create(stage, 'quoted', scheduleOf(hourly));
    await stage.service.patchSchedule({
      namespace,
      scheduleId: 'quoted',
      patch: { pause: 'Paused via TypeScript SDK"' },
    });
    expect((await describeRaw(stage, 'quoted')).schedule?.state?.notes).toBe('Paused via TypeScript SDK"');
  });

  test('a note too long is refused in a patch', async () => {
    await create(stage, 'long-note', scheduleOf(hourly));
    const patch = (text: string) =>
      stage.service.patchSchedule({ namespace, scheduleId: 'long-note', patch: { pause: text } });
    await patch('x'.repeat(1000));
    expect(await refusal(patch('x'.repeat(1001)))).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await refusal(patch('ü'.repeat(501)))).toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});

describe('what an answer must have', () => {
  test('a bare schedule is described with everything a client dereferences', async () => {
    await create(stage, 'bare', { action: { startWorkflow: startWorkflow() } });
    const { schedule: shown, info, conflictToken } = await describeRaw(stage, 'bare');
    expect(shown?.spec).toBeTruthy();
    expect(shown?.policies?.overlapPolicy).toBe(1);
    expect(shown?.state).toBeTruthy();
    expect(shown?.action?.startWorkflow?.workflowType?.name).toBe('work');
    expect(shown?.action?.startWorkflow?.taskQueue?.name).toBe('default');
    expect(Number(info?.createTime?.seconds)).toBeGreaterThan(1_700_000_000);
    expect(conflictToken).toHaveLength(8);
    expect(Number(info?.bufferSize)).toBe(0);
  });

  test('recent actions have result, both times and status, in describe and in list', async () => {
    await create(stage, 'recent', scheduleOf(hourly));
    await stage.client.schedule.getHandle('recent').trigger();
    const shown = await until(
      () => describeRaw(stage, 'recent'),
      ({ info }) => info?.recentActions?.[0]?.startWorkflowStatus === 2,
    );
    const { schedules } = await stage.service.listSchedules({ namespace, query: "ScheduleId = 'recent'" });
    for (const actions of [shown.info?.recentActions, schedules?.[0]?.info?.recentActions]) {
      expect(actions).toHaveLength(1);
      expect(Number(actions?.[0]?.scheduleTime?.seconds)).toBeGreaterThan(0);
      expect(Number(actions?.[0]?.actualTime?.seconds)).toBeGreaterThan(0);
      expect(actions?.[0]?.startWorkflowResult?.workflowId).toMatch(/^w-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(actions?.[0]?.startWorkflowResult?.runId).not.toBe('');
    }
  });

  test('a list entry has a spec even when it is empty, type, note, pause and coming times', async () => {
    await create(stage, 'entry', {
      action: { startWorkflow: startWorkflow() },
      state: { paused: true, notes: 'quiet' },
    });
    const { schedules } = await stage.service.listSchedules({ namespace, query: "ScheduleId = 'entry'" });
    expect(schedules?.[0]?.info?.spec).toBeTruthy();
    expect(schedules?.[0]?.info).toMatchObject({
      workflowType: { name: 'work' },
      notes: 'quiet',
      paused: true,
      futureActionTimes: [],
    });
  });

  test('weekdays and months are in the ranges the client can name', async () => {
    await create(stage, 'names', scheduleOf({ cronString: ['0 0 * * 7', '0 0 * * 5-7', '0 0 1 */5 *'] }));
    const { spec } = await stage.client.schedule.getHandle('names').describe();
    expect(spec.calendars?.map(({ dayOfWeek }) => dayOfWeek)).toEqual([
      [{ start: 'SUNDAY', end: 'SUNDAY', step: 1 }],
      expect.any(Array),
      [{ start: 'SUNDAY', end: 'SATURDAY', step: 1 }],
    ]);
  });

  test('a retry policy with limited attempts survives a describe followed by the same update', async () => {
    const retryPolicy = { maximumAttempts: 3, initialInterval: seconds(1) };
    await create(
      stage,
      'retrying',
      scheduleOf(hourly, { action: { startWorkflow: startWorkflow({ retryPolicy }) } }),
    );
    const handle = stage.client.schedule.getHandle('retrying');
    const { action } = await handle.describe();
    expect(action.retry).toMatchObject({ maximumAttempts: 3, initialInterval: 1000 });
  });

  test('a trip through the client and back changes nothing that it shows', async () => {
    const options: ScheduleOptions = schedule('round-trip', {
      spec: {
        calendars: [{ hour: [{ start: 8, end: 18, step: 2 }], dayOfWeek: 'MONDAY', comment: 'c' }],
        intervals: [{ every: '90m', offset: '10m' }],
        skip: [{ month: 'AUGUST', hour: '*' }],
        jitter: '30s',
        timezone: 'Asia/Kolkata',
        startAt: new Date('2027-01-01'),
        endAt: new Date('2028-01-01'),
      },
      policies: { overlap: 'BUFFER_ONE', catchupWindow: '1h', pauseOnFailure: true },
      state: { paused: true, note: 'n', remainingActions: 5 },
      memo: { m: 1 },
    });
    const handle = await stage.client.schedule.create(options);
    const shown = async () => {
      const { raw: _, info: __, ...rest } = await handle.describe();
      // The client itself invents an empty priority and sends it back spelled out.
      return JSON.parse(JSON.stringify(rest, (name, value) => (name === 'priority' ? undefined : value)));
    };
    const before = await shown();
    await handle.update((same) => same);
    expect(await shown()).toEqual(before);
    await handle.update((same) => same);
    expect(await shown()).toEqual(before);
  });

  test('ten coming times, fewer when fewer are left, listed while paused too', async () => {
    await create(stage, 'ten', scheduleOf(hourly));
    expect((await describeRaw(stage, 'ten')).info?.futureActionTimes).toHaveLength(10);
    await create(
      stage,
      'three',
      scheduleOf(hourly, { state: { limitedActions: true, remainingActions: 3 as never } }),
    );
    expect((await describeRaw(stage, 'three')).info?.futureActionTimes).toHaveLength(3);
  });
});

describe('tokens', () => {
  test('are eight bytes that every update and patch changes', async () => {
    const seen = new Set<string>();
    const { conflictToken } = await create(stage, 'tokens', scheduleOf(hourly));
    expect(conflictToken).toHaveLength(8);
    const look = async () =>
      seen.add(Buffer.from((await describeRaw(stage, 'tokens')).conflictToken ?? []).toString('hex'));
    await look();
    await stage.service.updateSchedule({ namespace, scheduleId: 'tokens', schedule: scheduleOf(hourly) });
    await look();
    for (const patch of [{ pause: 'p' }, { unpause: 'u' }, { triggerImmediately: {} }]) {
      await stage.service.patchSchedule({ namespace, scheduleId: 'tokens', patch });
      await look();
    }
    expect(seen.size).toBe(5);
  });

  test('two clients at once: without tokens the last one wins, with them the second is told', async () => {
    await create(stage, 'two', scheduleOf(hourly));
    const other = new Client({ connection: stage.connection });
    const [one, two] = [stage.client.schedule.getHandle('two'), other.schedule.getHandle('two')];
    const change = (every: string) => (before: object) =>
      ({ ...before, spec: { intervals: [{ every }] } }) as never;
    await Promise.all([one.update(change('2h')), two.update(change('3h'))]);
    const { spec } = await one.describe();
    expect([7_200_000, 10_800_000]).toContain(spec.intervals?.[0]?.every);
    const { conflictToken } = await describeRaw(stage, 'two');
    const guarded = (notes: string) =>
      stage.service.updateSchedule({
        namespace,
        scheduleId: 'two',
        requestId: randomUUID(),
        conflictToken: conflictToken ?? null,
        schedule: scheduleOf(hourly, { state: { notes, paused: true } }),
      });
    const answers = await Promise.allSettled([guarded('first'), guarded('second')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = answers.find((answer) => answer.status === 'rejected');
    expect(lost?.reason).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: expect.stringMatching(/^mismatched conflict token/),
    });
    const winner = answers[0]?.status === 'fulfilled' ? 'first' : 'second';
    expect((await describeRaw(stage, 'two')).schedule?.state?.notes).toBe(winner);
  });

  test('of a deleted schedule do not fit the one created again under its id', async () => {
    await create(stage, 'reborn', scheduleOf(hourly));
    await stage.service.patchSchedule({ namespace, scheduleId: 'reborn', patch: { pause: 'x' } });
    await stage.client.schedule.getHandle('reborn').trigger();
    const { conflictToken } = await describeRaw(stage, 'reborn');
    await stage.service.deleteSchedule({ namespace, scheduleId: 'reborn' });
    expect((await refusal(describeRaw(stage, 'reborn'))).code).toBe(status.NOT_FOUND);
    expect((await refusal(stage.service.deleteSchedule({ namespace, scheduleId: 'reborn' }))).code).toBe(
      status.NOT_FOUND,
    );
    await create(stage, 'reborn', scheduleOf(hourly));
    const { info } = await describeRaw(stage, 'reborn');
    expect(Number(info?.actionCount)).toBe(0);
    expect(info?.recentActions).toEqual([]);
    const stale = stage.service.updateSchedule({
      namespace,
      scheduleId: 'reborn',
      conflictToken: conflictToken ?? null,
      schedule: scheduleOf(hourly),
    });
    expect(await refusal(stale)).toMatchObject({ code: status.FAILED_PRECONDITION });
  });
});
