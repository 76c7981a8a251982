/**
 * What a real server did with real workers, played here in virtual time. Each case is the recorded steps in code; its answer
 * is compared with the recorded one, or with Carillon's own where the difference is deliberate.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { second } from '../../../packages/carillon/src/base/time.ts';
import { VirtualStage } from '../../door/temporal/virtual-stage.ts';
import { deliberateBehaviours } from './deliberate.ts';
import { jsonPayload, readGolden } from './golden.ts';

const { cases } = readGolden<{ cases: readonly { readonly name: string; readonly answer: unknown }[] }>(
  'behaviours',
);

const namespace = 'default';
const statuses = [
  '',
  'Running',
  'Completed',
  'Failed',
  'Canceled',
  'Terminated',
  'ContinuedAsNew',
  'TimedOut',
];
const [skip, bufferOne, bufferAll, cancelOther, , allowAll] = [1, 2, 3, 4, 5, 6];
const seconds = (value: number) => ({ seconds: value as never });
const at = (text: string) => seconds(Date.parse(text) / 1000);
const every = (length: number, fields: object = {}) => ({
  interval: [{ interval: seconds(length) }],
  ...fields,
});
const hourly = { cronString: ['0 * * * *'] };
const isoSeconds = (stamp: { seconds?: unknown } | null | undefined) =>
  new Date(Number(String(stamp?.seconds ?? 0)) * 1000).toISOString().replace('.000Z', 'Z');

/** One schedule on a stage of its own. Workflow ids begin with `ID-wf`, as in the recording. */
class Play implements AsyncDisposable {
  readonly stage: VirtualStage;
  readonly scheduleId: string;

  private constructor(stage: VirtualStage, scheduleId: string) {
    this.stage = stage;
    this.scheduleId = scheduleId;
  }

  static async open(scheduleId = 'ID'): Promise<Play> {
    const stage = await VirtualStage.open((carillon, sleep) => {
      const options = { queue: 'tq' };
      carillon.handle('quick', () => 'done', options);
      carillon.handle('failer', () => Promise.reject(new Error('boom')), options);
      carillon.handle(
        'sleeper',
        async ({ input, signal }) => await sleep((input as { ms: number }).ms, signal),
        options,
      );
    });
    return new Play(stage, scheduleId);
  }

  start(type: string, ms = 0, fields: object = {}) {
    return {
      startWorkflow: {
        workflowId: `${this.scheduleId}-wf`,
        workflowType: { name: type },
        taskQueue: { name: 'tq' },
        ...(ms === 0 ? {} : { input: { payloads: [jsonPayload({ ms })] } }),
        ...fields,
      },
    };
  }

  async create(schedule: object, fields: object = {}, scheduleId = this.scheduleId): Promise<void> {
    const action = this.start('quick');
    await this.stage.service.createSchedule({
      namespace,
      scheduleId,
      requestId: randomUUID(),
      schedule: { spec: {}, action, ...schedule },
      ...fields,
    });
    await this.stage.world.settle();
  }

  async patch(patch: object): Promise<void> {
    const { scheduleId } = this;
    await this.stage.service.patchSchedule({ namespace, scheduleId, requestId: randomUUID(), patch });
    await this.stage.world.settle();
  }

  async trigger(fields: object = {}): Promise<void> {
    await this.patch({ triggerImmediately: fields });
  }

  async update(schedule: object, fields: object = {}): Promise<void> {
    const { scheduleId } = this;
    await this.stage.service.updateSchedule({
      namespace,
      scheduleId,
      requestId: randomUUID(),
      schedule,
      ...fields,
    });
    await this.stage.world.settle();
  }

  async describe(scheduleId = this.scheduleId) {
    return await this.stage.service.describeSchedule({ namespace, scheduleId });
  }

  /** The recorded summary of a description. */
  async info() {
    const { info } = await this.describe();
    const number = (value: unknown) => Number(String(value ?? 0));
    return {
      actions: number(info?.actionCount),
      missed: number(info?.missedCatchupWindow),
      skipped: number(info?.overlapSkipped),
      dropped: number(info?.bufferDropped),
      buffer: number(info?.bufferSize),
      running: info?.runningWorkflows?.length ?? 0,
      recent: (info?.recentActions ?? []).map(
        ({ startWorkflowStatus }) => statuses[startWorkflowStatus ?? 0],
      ),
    };
  }

  /** The workflows in order of their start. */
  async workflows(query = '') {
    const { executions } = await this.stage.service.listWorkflowExecutions({ namespace, query });
    const ordinal = new Map<string, number>();
    const { info } = await this.describe().catch(() => ({ info: null }));
    for (const [place, { startWorkflowResult }] of (info?.recentActions ?? []).entries()) {
      ordinal.set(startWorkflowResult?.runId ?? '', place);
    }
    return [...(executions ?? [])]
      .sort(
        (a, b) => (ordinal.get(a.execution?.runId ?? '') ?? 0) - (ordinal.get(b.execution?.runId ?? '') ?? 0),
      )
      .map(({ execution, status, type, searchAttributes }) => ({
        id: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        status: statuses[status ?? 0] ?? '',
        type: type?.name ?? '',
        scheduled: JSON.parse(
          Buffer.from(searchAttributes?.indexedFields?.TemporalScheduledStartTime?.data ?? []).toString(),
        ) as string,
      }));
  }

  async ids(): Promise<readonly string[]> {
    return (await this.workflows()).map(({ id }) => id).sort();
  }

  async scheduled(): Promise<readonly string[]> {
    return (await this.workflows()).map(({ scheduled }) => scheduled);
  }

  async advance(length: number): Promise<void> {
    await this.stage.world.advance(length * second);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }
}

/** Times and the ids that end with one, as they stand in the recording. */
function normal(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME');
}

const backfill = (from: string, to: string, overlapPolicy = 0) => ({
  startTime: at(`2026-06-01T${from}Z`),
  endTime: at(`2026-06-01T${to}Z`),
  overlapPolicy,
});

/** The seconds after T0 that ran, and the counters, after 24 s without a server. */
async function downtime(play: Play, schedule: (t0: number) => object) {
  const t0 = Math.ceil(play.stage.now / 30_000) * 30 + 30;
  await play.create(schedule(t0));
  await play.advance(t0 + 1.5 - play.stage.now / 1000);
  await play.stage.crashFor(24_000);
  await play.advance(60);
  const { info, schedule: shown } = await play.describe();
  const slots = (await play.scheduled()).map((text) => Date.parse(text) / 1000 - t0);
  const number = (value: unknown) => Number(String(value ?? 0));
  return {
    at: slots.sort((a, b) => a - b).join(','),
    actions: number(info?.actionCount),
    missed: number(info?.missedCatchupWindow),
    skipped: number(info?.overlapSkipped),
    remaining: number(shown?.state?.remainingActions),
    buffer: number(info?.bufferSize),
  };
}

const duringIt = (t0: number) => every(3, { startTime: seconds(t0), endTime: seconds(t0 + 24) });

const plays: Readonly<Record<string, (play: Play) => Promise<unknown>>> = {
  trigger_scheduledTime: async (play) => {
    await play.create({});
    await play.trigger({ scheduledTime: at('2026-02-03T04:05:06Z') });
    return (await play.workflows()).map(({ id, scheduled }) => ({
      id,
      sched: scheduled === '2026-02-03T04:05:06Z' ? 'given' : 'now',
    }));
  },
  trigger_paused: async (play) => {
    await play.create({ spec: every(3600), state: { paused: true, notes: 'hold' } });
    await play.trigger();
    const { schedule } = await play.describe();
    const { paused, notes } = schedule?.state ?? {};
    return { info: await play.info(), paused, notes, n: (await play.ids()).length };
  },
  initial_trigger: async (play) => {
    await play.create({}, { initialPatch: { triggerImmediately: { overlapPolicy: skip } } });
    return await play.info();
  },
  initial_backfill: async (play) => {
    const range = { startTime: at('2026-01-01T00:00:00Z'), endTime: at('2026-01-01T03:00:00Z') };
    const patch = { pause: 'start paused', backfillRequest: [{ ...range, overlapPolicy: allowAll }] };
    await play.create({ spec: hourly }, { initialPatch: patch });
    const { notes, paused } = (await play.describe()).schedule?.state ?? {};
    return { info: await play.info(), state: { notes, paused }, sched: await play.scheduled() };
  },
  backfill_ranges: async (play) => {
    await play.create({ spec: hourly, state: { paused: true } });
    await play.patch({
      backfillRequest: [
        {
          startTime: at('2026-01-01T00:00:00Z'),
          endTime: at('2026-01-01T03:00:00Z'),
          overlapPolicy: allowAll,
        },
        {
          startTime: at('2025-06-01T00:30:00Z'),
          endTime: at('2025-06-01T02:30:00Z'),
          overlapPolicy: allowAll,
        },
      ],
    });
    const { info } = await play.describe();
    const recentOrder = (info?.recentActions ?? []).map(({ scheduleTime }) =>
      isoSeconds(scheduleTime).replace('Z', '.000Z'),
    );
    // The order of starts within one patch is the order of the store on either side.
    return { info: await play.info(), ids: await play.ids(), recentOrder: recentOrder.sort() };
  },
  backfill_skip: async (play) => {
    await play.create({ spec: every(60), action: play.start('sleeper', 1500), state: { paused: true } });
    await play.patch({ backfillRequest: [backfill('00:00:00', '00:04:00')] });
    await play.advance(30);
    return { info: await play.info(), sched: await play.scheduled() };
  },
  backfill_bufferall: async (play) => {
    await play.create({ spec: every(60), action: play.start('sleeper', 1000), state: { paused: true } });
    await play.patch({ backfillRequest: [backfill('00:00:00', '00:02:00', bufferAll)] });
    await play.advance(30);
    return { info: await play.info(), sched: await play.scheduled() };
  },
  backfill_bufferone: async (play) => {
    await play.create({ spec: every(60), action: play.start('sleeper', 1500), state: { paused: true } });
    await play.patch({ backfillRequest: [backfill('00:00:00', '00:04:00', bufferOne)] });
    await play.advance(30);
    return { info: await play.info(), sched: await play.scheduled() };
  },
  backfill_same_twice: async (play) => {
    await play.create({ spec: every(60), state: { paused: true } });
    for (let i = 0; i < 2; i += 1) {
      await play.patch({ backfillRequest: [backfill('00:00:00', '00:01:00', allowAll)] });
      await play.advance(4);
    }
    return { info: await play.info(), ids: await play.ids() };
  },
  backfill_overlapping_ranges_running: async (play) => {
    await play.create({ spec: every(60), action: play.start('sleeper', 4000), state: { paused: true } });
    const range = backfill('00:00:00', '00:01:00', allowAll);
    await play.patch({ backfillRequest: [range, range] });
    await play.advance(10);
    return { info: await play.info(), ids: await play.ids() };
  },
  pause_on_failure: async (play) => {
    await play.create({ spec: every(3), action: play.start('failer'), policies: { pauseOnFailure: true } });
    await play.advance(8);
    const { paused, notes } = (await play.describe()).schedule?.state ?? {};
    return { info: await play.info(), paused, notes: normal(notes ?? '') };
  },
  pause_on_timeout: async (play) => {
    const action = play.start('sleeper', 10_000, { workflowRunTimeout: seconds(2) });
    await play.create({ action, policies: { pauseOnFailure: true } });
    await play.trigger();
    await play.advance(7.5);
    const { paused, notes } = (await play.describe()).schedule?.state ?? {};
    return { info: await play.info(), paused, notes: normal(notes ?? '') };
  },
  pause_on_terminate: async (play) => {
    await play.create({ action: play.start('sleeper', 60_000), policies: { pauseOnFailure: true } });
    await play.trigger();
    const [workflow] = await play.workflows();
    const workflowExecution = { workflowId: workflow?.id ?? '' };
    await play.stage.service.terminateWorkflowExecution({ namespace, workflowExecution, reason: 'x' });
    await play.stage.world.settle();
    const { paused, notes } = (await play.describe()).schedule?.state ?? {};
    return { info: await play.info(), paused, notes };
  },
  keep_original: async (play) => {
    await play.create({ policies: { keepOriginalWorkflowId: true } });
    await play.trigger();
    return (await play.ids()).map(normal);
  },
  same_wfid_two_schedules: async (play) => {
    const spec = every(4, { endTime: seconds(play.stage.now / 1000 + 9) });
    const action = play.start('sleeper', 2000);
    await play.create({ spec, action });
    await play.create({ spec, action }, {}, 'other');
    await play.advance(20);
    const workflows = await play.workflows();
    const infos = [(await play.describe()).info, (await play.describe('other')).info];
    const sum = (pick: (info: (typeof infos)[number]) => unknown) =>
      infos.reduce((total, info) => total + Number(String(pick(info) ?? 0)), 0);
    return {
      total: workflows.length,
      distinctIds: new Set(workflows.map(({ id }) => id)).size,
      actions: sum((info) => info?.actionCount),
      skipped: sum((info) => info?.overlapSkipped),
    };
  },
  backfill_then_auto: async (play) => {
    const t0 = play.stage.now / 1000 + 30;
    const [startTime, endTime] = [seconds(t0), seconds(t0 + 3)];
    await play.create({ spec: every(3, { startTime, endTime }) });
    await play.patch({ backfillRequest: [{ startTime, endTime, overlapPolicy: allowAll }] });
    await play.advance(60);
    const slots = (await play.scheduled()).map((text) => Date.parse(text) / 1000 - t0);
    return { info: await play.info(), slots: slots.sort((a, b) => a - b) };
  },
  update_spec: async (play) => {
    await play.create({ spec: every(300) });
    const t0 = play.stage.now / 1000 + 20;
    await play.update({
      spec: every(2, { startTime: seconds(t0), endTime: seconds(t0 + 4) }),
      action: { startWorkflow: { ...play.start('quick').startWorkflow, workflowId: 'ID-other' } },
    });
    await play.advance(40);
    const { info } = await play.describe();
    const ids = (await play.ids()).map((id) => Date.parse(id.slice('ID-other-'.length)) / 1000 - t0);
    const { futureActionTimes, updateTime } = info ?? {};
    return {
      info: await play.info(),
      ids,
      future: futureActionTimes?.length ?? 0,
      hasUpdate: Number(String(updateTime?.seconds ?? 0)) > 0,
    };
  },
  update_while_buffered: async (play) => {
    const spec = {};
    await play.create({ action: play.start('sleeper', 5000) });
    await play.trigger({ overlapPolicy: bufferAll });
    await play.advance(1);
    await play.trigger({ overlapPolicy: bufferAll });
    await play.update({
      spec,
      action: { startWorkflow: { ...play.start('quick').startWorkflow, workflowId: 'ID-other' } },
    });
    await play.advance(20);
    return (await play.workflows()).map(({ type, id, status }) => ({ type, id: normal(id), st: status }));
  },
  delete_running: async (play) => {
    await play.create({ action: play.start('sleeper', 3000) });
    await play.trigger();
    const states = async () => (await play.workflows()).map(({ status }) => status);
    const before = await states();
    const { scheduleId } = play;
    await play.stage.service.deleteSchedule({ namespace, scheduleId });
    await play.advance(10);
    return { before, after: await states() };
  },
  token_bytes: async (play) => {
    const tokens: string[] = [];
    const { scheduleId } = play;
    const note = (token: Uint8Array | null | undefined) =>
      tokens.push(Buffer.from(token ?? []).toString('hex'));
    const schedule = { spec: {}, action: play.start('quick') };
    const created = await play.stage.service.createSchedule({
      namespace,
      scheduleId,
      requestId: randomUUID(),
      schedule,
    });
    note(created.conflictToken);
    note((await play.describe()).conflictToken);
    await play.patch({ pause: 'x' });
    note((await play.describe()).conflictToken);
    await play.update(schedule);
    note((await play.describe()).conflictToken);
    return tokens;
  },
  running_list: async (play) => {
    await play.create({ action: play.start('sleeper', 6000) });
    for (let i = 0; i < 3; i += 1) {
      await play.trigger({ overlapPolicy: allowAll });
      await play.advance(1);
    }
    const { info } = await play.describe();
    const running = info?.runningWorkflows ?? [];
    const times = (info?.recentActions ?? []).map(({ actualTime }) => Number(String(actualTime?.seconds)));
    const seen = {
      running: running.length,
      hasRunId: running.every(({ runId }) => /^[0-9a-f-]{36}$/.test(runId ?? '')),
      recent: times.length,
      order: times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0)),
    };
    await play.advance(30);
    return { ...seen, after: await play.info() };
  },
  cancel_other_trigger: async (play) => {
    await play.create({ action: play.start('sleeper', 8000) });
    await play.trigger();
    await play.advance(2);
    await play.trigger({ overlapPolicy: cancelOther });
    await play.advance(1);
    const workflows = await play.workflows();
    const [first] = workflows;
    const execution = { workflowId: first?.id ?? '', runId: first?.runId ?? '' };
    const { history } = await play.stage.service.getWorkflowExecutionHistory({ namespace, execution });
    const asked = (history?.events ?? []).map(
      (event) => event.workflowExecutionCancelRequestedEventAttributes,
    );
    const { cause, identity } = asked.find((each) => each !== null && each !== undefined) ?? {};
    return { st: workflows.map(({ status }) => status), cause, identity };
  },
  memo_update: async (play) => {
    const memos: unknown[] = [];
    const schedule = { spec: {}, action: play.start('quick') };
    const shown = async () => {
      const { memo } = await play.describe();
      const fields = Object.entries(memo?.fields ?? {}).map(([name, { metadata, data }]) => [
        name,
        {
          encoding: Buffer.from(metadata?.encoding ?? []).toString(),
          data: Buffer.from(data ?? []).toString(),
        },
      ]);
      memos.push({ fields: Object.fromEntries(fields) });
    };
    await play.create({}, { memo: { fields: { a: jsonPayload(1), b: jsonPayload(2) } } });
    await shown();
    await play.update(schedule);
    await shown();
    await play.update(schedule, { memo: { fields: { c: jsonPayload(3) } } });
    await shown();
    await play.update(schedule, { memo: {} });
    await shown();
    return memos;
  },
  limited_skip: async (play) => {
    const t0 = play.stage.now / 1000 + 10;
    await play.create({
      spec: every(2, { startTime: seconds(t0) }),
      action: play.start('sleeper', 5000),
      state: { limitedActions: true, remainingActions: 2 as never },
    });
    await play.advance(40);
    const { schedule, info } = await play.describe();
    const after = (stamp: { seconds?: unknown } | null | undefined) => Number(String(stamp?.seconds)) - t0;
    const slots = (info?.recentActions ?? []).map(({ scheduleTime, actualTime }) => ({
      at: after(scheduleTime),
      started: after(actualTime),
    }));
    const remaining = Number(String(schedule?.state?.remainingActions ?? 0));
    return { info: await play.info(), remaining, slots };
  },
  downtime_bufAll: async (play) =>
    await downtime(play, (t0) => ({ spec: duringIt(t0), policies: { overlapPolicy: bufferAll } })),
  downtime_cancel: async (play) =>
    await downtime(play, (t0) => ({ spec: duringIt(t0), policies: { overlapPolicy: cancelOther } })),
  downtime_once: async (play) =>
    await downtime(play, (t0) => ({
      spec: every(3, { startTime: seconds(t0 + 9), endTime: seconds(t0 + 9) }),
    })),
  downtime_limited: async (play) =>
    await downtime(play, (t0) => ({
      spec: duringIt(t0),
      policies: { overlapPolicy: allowAll },
      state: { limitedActions: true, remainingActions: 4 as never },
    })),
  downtime_paused: async (play) =>
    await downtime(play, (t0) => ({ spec: duringIt(t0), state: { paused: true } })),
  fresh_describe: async (play) => {
    await play.create(
      {
        spec: { cronString: ['0 12 * * MON-FRI # office'], timezoneName: 'Europe/Berlin', jitter: {} },
        action: play.start('quick', 0, {
          input: { payloads: [jsonPayload({ a: 1 })] },
          workflowRunTimeout: seconds(60),
          retryPolicy: { maximumAttempts: 3 },
          memo: { fields: { wm: jsonPayload('x') } },
          header: { fields: { h: jsonPayload('y') } },
          userMetadata: { summary: jsonPayload('sum') },
          priority: { priorityKey: 2 },
        }),
        policies: { overlapPolicy: skip, pauseOnFailure: true },
        state: { notes: 'note', paused: true },
      },
      { memo: { fields: { k: jsonPayload({ v: 1 }) } } },
    );
    return described(await play.describe());
  },
  unregistered_type: async (play) => {
    await play.create({ action: play.start('unknown') });
    await play.trigger();
    await play.advance(5);
    return await play.info();
  },
};

/** The recording has numbers where JSON has names. */
const enumNumbers: Readonly<Record<string, number>> = {
  TASK_QUEUE_KIND_NORMAL: 1,
  SCHEDULE_OVERLAP_POLICY_SKIP: 1,
};

/** A description in the form of the recording, without empty lists. */
function described(answer: object): unknown {
  const written = JSON.parse(JSON.stringify(answer)) as unknown;
  return shown(written, '');
}

function shown(value: unknown, name: string): unknown {
  if (name === 'futureActionTimes') return (value as unknown[]).length;
  if (name === 'createTime') return 'string';
  if (name === 'stateSizeBytes') return 'number';
  if (name === 'kind' || name === 'overlapPolicy') return enumNumbers[value as string] ?? value;
  if (Array.isArray(value)) return value.map((each) => shown(each, ''));
  if (typeof value !== 'object' || value === null) return value;
  const { metadata, data, seconds: whole, nanos } = value as Record<string, never>;
  if (metadata !== undefined)
    return { encoding: text((metadata as Record<string, never>).encoding), data: text(data) };
  if (name === 'updateTime') return Number(whole) < 0 ? '0001' : 'later';
  if (whole !== undefined || nanos !== undefined) return `${Number(whole ?? 0)}s`;
  if (name === 'jitter' && Object.keys(value).length === 0) return '0s';
  const entries = Object.entries(value)
    .map(([key, each]) => [key, shown(each, key)] as const)
    .filter(([, each]) => !(Array.isArray(each) && each.length === 0));
  return Object.fromEntries(entries);
}

function text(base64: unknown): string {
  return Buffer.from(String(base64), 'base64').toString();
}

/** The recording has the empty lists of the message; an empty map is written in either form. */
function lessEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lessEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, lessEmpty(each)] as const)
    .filter(
      ([key, each]) =>
        !(Array.isArray(each) && each.length === 0) &&
        !(key === 'indexedFields' || key === 'fields' ? Object.keys(each as object).length === 0 : false),
    );
  return Object.fromEntries(entries);
}

describe('the recorded behaviours', () => {
  test.each(cases.map((each) => [each.name, each.answer] as const))('%s', async (name, answer) => {
    await using play = await Play.open();
    const found = await plays[name]?.(play);
    const deliberate = deliberateBehaviours[name];
    if (deliberate === undefined) expect(lessEmpty(found)).toEqual(lessEmpty(answer));
    else {
      expect(found).toEqual(deliberate.ours);
      expect(deliberate.ours).not.toEqual(answer);
    }
  });

  test('all of them are played', () => {
    expect(cases.map(({ name }) => name).filter((name) => plays[name] === undefined)).toEqual([]);
  });
});
