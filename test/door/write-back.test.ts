/**
 * No door damages schedules of another. Every kind of schedule is read through the Temporal door and sent back as the official
 * clients do it: with its cron strings (Python), without them (Go, TypeScript), by the TypeScript client itself. What was
 * not changed is stored afterwards as before, to the last byte.
 */
import { status } from '@grpc/grpc-js';
import type { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import type { ScheduleInput } from '../../packages/carillon/src/main.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { matchingTimes, refusal } from './temporal/blackbox/raw-schedules.ts';
import { GrpcStage, schedule } from './temporal/grpc-stage.ts';

const namespace = 'default';
const store = new MemoryStore({ clock: new SystemClock() });
let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open({}, { store });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

type Told = temporal.api.schedule.v1.ISchedule;

const described = async (scheduleId: string): Promise<Told> =>
  (await stage.service.describeSchedule({ namespace, scheduleId })).schedule ?? {};

/** The stored definition. */
async function stored(id: string): Promise<string> {
  const [row] = await store.read({ keys: [{ namespace, archetype: 'schedule', id }] });
  const versions = await store.parts({ incarnation: row?.incarnation ?? '', name: 'definition' });
  return versions.toSorted((a, b) => a.at - b.at || a.stamp - b.stamp).at(-1)?.data ?? 'none';
}

/** A schedule as the Conductor door shows it. */
const shown = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${stage.server.url}/api/scheduler/schedules/${encodeURIComponent(id)}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
};

const saved = async (body: object): Promise<Response> =>
  await fetch(`${stage.server.url}/api/scheduler/schedules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const withoutNote = (text: string) => text.replace(/"note":"[^"]*"/, '"note":…');

const common = { run: 'work', queue: 'jobs', input: { a: [1, 'x'] } } as const;

/** Schedules of other doors, one for each kind of spec, action and policy that Temporal says differently or not at all. */
const kinds: Readonly<Record<string, ScheduleInput>> = {
  cron: { ...common, cron: '30 2 * * *', zone: 'Europe/Berlin' },
  'cron of both kinds of days': { ...common, cron: '0 0 13 * 5' },
  'cron with a hash': { ...common, cron: 'H 3 * * *', jitter: '5m' },
  'cron with an explicit rule for clock changes': {
    ...common,
    cron: '30 2 * * *',
    zone: 'America/New_York',
    dst: { gap: 'gapEnd', fold: 'last' },
  },
  'spring cron': { ...common, cron: '0 0 9 ? * MON#1', dialect: 'spring' },
  'last weekday of the month': { ...common, cron: '0 9 LW * *' },
  'recurrence rule': { ...common, rrule: 'FREQ=MONTHLY;BYDAY=-1FR' },
  'cron and recurrence rule': { ...common, cron: '0 5 * * *', rrule: 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU' },
  interval: { ...common, every: '90m' },
  moment: { ...common, at: '2099-06-01T10:00:00Z', zone: 'Asia/Tokyo' },
  'excluded days': { ...common, cron: '0 8 * * *', excludeDates: ['2099-12-25'] },
  'no time at all': { ...common },
  'http action': { every: '1h', http: { url: 'https://example.com/hook' } },
  'command action': { every: '1h', command: { argv: ['true'] } },
  'every policy': {
    ...common,
    every: '1h',
    priority: 7,
    overlap: 'bufferAll',
    limit: 3,
    catchup: '5s',
    missed: 'once',
    pauseAfterFailures: 4,
    idleClose: '1d',
    timeout: '5m',
    retry: { attempts: 3 },
    memo: { m: [1] },
    attributes: { team: 'ops' },
    tags: ['t'],
    owner: 'us',
    description: 'words',
  },
};

const idOf = (kind: string, how: string) => `${kind} ${how}`.replaceAll(' ', '-');

const waysBack: Readonly<Record<string, (id: string, note: string | undefined) => Promise<void>>> = {
  'as Python does': async (scheduleId, note) => {
    const told = await described(scheduleId);
    const state = note === undefined ? told.state : { ...told.state, notes: note };
    await stage.service.updateSchedule({
      namespace,
      scheduleId,
      schedule: { ...told, state: state ?? null },
    });
  },
  'as Go does': async (scheduleId, note) => {
    const told = await described(scheduleId);
    const state = note === undefined ? told.state : { ...told.state, notes: note };
    const spec = { ...told.spec, cronString: [] };
    await stage.service.updateSchedule({
      namespace,
      scheduleId,
      schedule: { ...told, spec, state: state ?? null },
    });
  },
  'with the TypeScript client': async (id, note) => {
    await stage.client.schedule.getHandle(id).update((before) => ({
      ...before,
      state: { ...before.state, ...(note === undefined ? {} : { note }) },
    }));
  },
};

describe.each(Object.keys(kinds))('a native schedule: %s', (kind) => {
  describe.each(Object.keys(waysBack))('sent back %s', (how) => {
    test('unchanged, it is stored as before', async () => {
      const id = idOf(kind, how);
      await stage.carillon.schedules.create(id, kinds[kind] as ScheduleInput);
      const before = await stored(id);
      await waysBack[how]?.(id, undefined);
      expect(await stored(id)).toBe(before);
    });

    test('with a new note, only the note has changed', async () => {
      const id = idOf(kind, how);
      const before = await stored(id);
      await waysBack[how]?.(id, 'touched');
      const after = await stored(id);
      expect(JSON.parse(after)).toMatchObject({ note: 'touched' });
      expect(withoutNote(after)).toBe(withoutNote(before));
    });

    test('paused and resumed, it is what it was', async () => {
      const id = idOf(kind, how);
      const before = await stored(id);
      const handle = stage.client.schedule.getHandle(id);
      await handle.pause('stop');
      await handle.unpause('go');
      expect(withoutNote(await stored(id))).toBe(withoutNote(before));
    });
  });
});

describe('the same is true of what Temporal clients made', () => {
  test.each(Object.keys(waysBack))('sent back %s', async (how) => {
    const id = idOf('made by temporal', how);
    await stage.client.schedule.create(
      schedule(id, {
        spec: { calendars: [{ hour: 2, minute: 30 }], jitter: '1m', timezone: 'Europe/Berlin' },
        memo: { a: 1 },
        policies: { catchupWindow: '1d', overlap: 'BUFFER_ONE' },
      }),
    );
    const before = JSON.parse(await stored(id)) as object;
    await waysBack[how]?.(id, undefined);
    const { origin: _, ...after } = JSON.parse(await stored(id)) as { origin: unknown };
    expect(before).toMatchObject(after);
  });
});

describe('what Temporal clients made, written back natively', () => {
  const made = async (id: string) =>
    await stage.client.schedule.create(
      schedule(id, {
        spec: {
          calendars: [{ hour: 2, minute: 30, comment: 'nightly' }],
          jitter: '1m',
          timezone: 'Europe/Berlin',
        },
        action: {
          type: 'startWorkflow',
          workflowType: 'work',
          taskQueue: 'default',
          args: [{ a: 1 }, 2],
          memo: { inner: true },
          workflowRunTimeout: '1h',
          retry: { maximumAttempts: 3 },
        },
        memo: { a: 1 },
        policies: { catchupWindow: '1d', overlap: 'BUFFER_ONE', pauseOnFailure: true },
        state: { note: 'mine', remainingActions: 7 },
      }),
    );

  test('unchanged, embedded or over HTTP, it is stored as before', async () => {
    await made('there-and-back');
    const before = await stored('there-and-back');
    const { schedules } = stage.carillon;
    await schedules.update('there-and-back', await schedules.definition('there-and-back'));
    expect(await stored('there-and-back')).toBe(before);
    const rest = new CarillonClient({ url: stage.server.url });
    await rest.schedules.upsert('there-and-back', await rest.schedules.definition('there-and-back'));
    expect(await stored('there-and-back')).toBe(before);
  });

  test('with a new description, nothing that the client said is lost', async () => {
    await made('described');
    const before = await described('described');
    const { schedules } = stage.carillon;
    await schedules.update('described', {
      ...(await schedules.definition('described')),
      description: 'words of ours',
    });
    expect(await described('described')).toEqual(before);
  });

  test('a new zone replaces the spec alone', async () => {
    await made('moved-natively');
    const { action, policies } = await described('moved-natively');
    await stage.carillon.schedules.patch('moved-natively', { zone: 'Asia/Tokyo' });
    const after = await described('moved-natively');
    expect(after.spec?.timezoneName).toBe('Asia/Tokyo');
    expect({ action: after.action, policies: after.policies }).toEqual({ action, policies });
  });
});

test('a note-only update keeps the times around clock changes', async () => {
  await stage.carillon.schedules.create('nightly', { cron: '30 2 * * *', zone: 'Europe/Berlin', run: 'x' });
  const spring = ['nightly', '2027-03-26T12:00:00Z', '2027-03-29T12:00:00Z'] as const;
  const autumn = ['nightly', '2027-10-29T12:00:00Z', '2027-11-01T12:00:00Z'] as const;
  const times = async () => [
    ...(await matchingTimes(stage, ...spring)),
    ...(await matchingTimes(stage, ...autumn)),
  ];
  const before = await times();
  await waysBack['as Go does']?.('nightly', 'touched');
  expect(await times()).toEqual(before);
});

test('a new spec keeps the rule for clock changes', async () => {
  await stage.carillon.schedules.create('moved', { cron: '30 2 * * *', zone: 'Europe/Berlin', run: 'x' });
  await stage.client.schedule.getHandle('moved').update((before) => ({
    ...before,
    spec: { calendars: [{ hour: 2, minute: 15 }], timezone: 'Europe/Berlin' },
  }));
  // 02:15 does not exist on that day; natively it is shifted by the hour of the gap.
  expect(await matchingTimes(stage, 'moved', '2027-03-27T12:00:00Z', '2027-03-28T12:00:00Z')).toEqual([
    '2027-03-28T01:15:00Z',
  ]);
});

describe('what Temporal cannot say is never replaced by silence', () => {
  test.each(['recurrence rule', 'spring cron', 'cron and recurrence rule'])('%s', async (kind) => {
    const id = idOf(kind, 'emptied');
    await stage.carillon.schedules.create(id, kinds[kind] as ScheduleInput);
    const before = await stored(id);
    const told = await described(id);
    const spec = { ...told.spec, cronString: [], jitter: { seconds: 9 as never } };
    const { code, details } = await refusal(
      stage.service.updateSchedule({ namespace, scheduleId: id, schedule: { ...told, spec } }),
    );
    expect(code).toBe(status.FAILED_PRECONDITION);
    expect(details).toContain('REST API');
    expect(await stored(id)).toBe(before);
  });

  test('the arguments of an HTTP action', async () => {
    await stage.carillon.schedules.create('hook', { every: '1h', http: { url: 'https://example.com/hook' } });
    const before = await stored('hook');
    const told = await described('hook');
    const startWorkflow = { ...told.action?.startWorkflow, input: { payloads: [] } };
    const sent = { namespace, scheduleId: 'hook', schedule: { ...told, action: { startWorkflow } } };
    const { code, details } = await refusal(stage.service.updateSchedule(sent));
    expect(code).toBe(status.FAILED_PRECONDITION);
    expect(details).toContain("kind 'http'");
    expect(await stored('hook')).toBe(before);
  });
});

test('a native schedule shows its own id as the workflow id, and takes it back as none', async () => {
  await stage.carillon.schedules.create('named', { every: '1h', run: 'x', priority: 9 });
  const told = await described('named');
  expect(told.action?.startWorkflow?.workflowId).toBe('named');
  // Another timeout is a real change of the action; what it does not speak of stays.
  const startWorkflow = { ...told.action?.startWorkflow, workflowExecutionTimeout: { seconds: 60 as never } };
  await stage.service.updateSchedule({
    namespace,
    scheduleId: 'named',
    schedule: { ...told, action: { startWorkflow } },
  });
  expect((await stage.carillon.schedules.describe('named')).action).toMatchObject({
    workflowId: '',
    priority: 9,
    settings: { executionTimeoutMs: 60_000 },
  });
});

describe('through the Conductor door', () => {
  describe.each(Object.keys(kinds))('a native schedule: %s', (kind) => {
    const id = idOf(kind, 'by Conductor');

    test('sent back as it was shown, it is stored as before', async () => {
      await stage.carillon.schedules.create(id, kinds[kind] as ScheduleInput);
      const before = await stored(id);
      expect((await saved(await shown(id))).status).toBe(200);
      expect(await stored(id)).toBe(before);
    });

    test('with a new description, only that has changed', async () => {
      const before = JSON.parse(await stored(id)) as object;
      expect((await saved({ ...(await shown(id)), description: 'new' })).status).toBe(200);
      expect(JSON.parse(await stored(id))).toEqual({ ...before, description: 'new' });
    });

    test('paused and resumed, it is what it was', async () => {
      const before = await stored(id);
      for (const verb of ['pause', 'resume']) {
        const url = `${stage.server.url}/api/scheduler/schedules/${encodeURIComponent(id)}/${verb}`;
        expect((await fetch(url, { method: 'PUT' })).status).toBe(200);
      }
      expect(withoutNote(await stored(id))).toBe(withoutNote(before));
    });
  });

  test.each(['recurrence rule', 'interval', 'excluded days', 'cron of both kinds of days', 'http action'])(
    'what it cannot say is never replaced by silence: %s',
    async (kind) => {
      const id = idOf(kind, 'lost by Conductor');
      await stage.carillon.schedules.create(id, kinds[kind] as ScheduleInput);
      const before = await stored(id);
      const body = await shown(id);
      const change =
        kind === 'http action'
          ? { startWorkflowRequest: { name: 'work' } }
          : { cronExpression: '0 0 1 * * *' };
      const refused = await saved({ ...body, ...change });
      expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('REST API')]);
      expect(await stored(id)).toBe(before);
    },
  );

  test('what a Temporal client made keeps its words when it comes back, and when only its description changes', async () => {
    const id = 'made-by-temporal-for-conductor';
    await stage.client.schedule.create(
      schedule(id, {
        spec: { calendars: [{ hour: 2, minute: 30 }], timezone: 'Europe/Berlin' },
        memo: { a: 1 },
      }),
    );
    const before = await stored(id);
    expect((await saved(await shown(id))).status).toBe(200);
    expect(await stored(id)).toBe(before);
    expect((await saved({ ...(await shown(id)), description: 'ours' })).status).toBe(200);
    expect(JSON.parse(await stored(id))).toEqual({ ...(JSON.parse(before) as object), description: 'ours' });
  });
});

describe('what a Conductor client made', () => {
  const body = {
    name: 'made-by-conductor',
    cronSchedules: [
      { cronExpression: '0 0 9 ? * MON#1', zoneId: 'Asia/Tokyo' },
      { cronExpression: '@daily' },
    ],
    zoneId: null,
    startWorkflowRequest: {
      name: 'work',
      version: 3,
      correlationId: 'c',
      input: { a: 1 },
      taskToDomain: { '*': 'd' },
      idempotencyKey: 'k',
    },
    runCatchupScheduleInstances: true,
    scheduleEndTime: Date.UTC(2090, 0, 1),
  };

  test('comes back natively, from embedded callers and through Temporal as it was', async () => {
    await saved(body);
    const { updatedTime: _, ...before } = await shown(body.name);
    const definition = await stored(body.name);
    const { schedules } = stage.carillon;
    await schedules.update(body.name, await schedules.definition(body.name));
    expect(await stored(body.name)).toBe(definition);
    await waysBack['as Python does']?.(body.name, undefined);
    await waysBack['with the TypeScript client']?.(body.name, undefined);
    expect(await shown(body.name)).toMatchObject(before);
    expect(await stored(body.name)).toBe(definition);
  });

  test('keeps what it said of the parts that others leave alone', async () => {
    await saved({ ...body, name: 'half' });
    await stage.carillon.schedules.patch('half', { cron: '0 5 * * *', description: 'natively' });
    const { startWorkflowRequest, description, cronExpression } = await shown('half');
    expect(startWorkflowRequest).toMatchObject(body.startWorkflowRequest);
    expect([description, cronExpression]).toEqual(['natively', '0 0 5 * * *']);
    await stage.carillon.schedules.patch('half', { input: { b: 2 } });
    const after = (await shown('half')).startWorkflowRequest as object;
    expect(after).toMatchObject({ name: 'work', input: { b: 2 } });
  });

  test('one schedule carries the words of both doors', async () => {
    await saved({ ...body, name: 'both', cronSchedules: [], cronExpression: '0 0 5 * * *' });
    await stage.client.schedule.getHandle('both').update((before) => ({
      ...before,
      memo: { of: 'temporal' },
      searchAttributes: {},
      state: { ...before.state, note: 'touched' },
    }));
    const { origin } = JSON.parse(await stored('both')) as { readonly origin: object };
    expect(Object.keys(origin)).toContain('conductor');
    expect(await shown('both')).toMatchObject({ startWorkflowRequest: body.startWorkflowRequest });
  });
});
