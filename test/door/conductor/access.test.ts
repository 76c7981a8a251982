/** Who may call the Conductor door, from where, and what its settings do. */
import { describe, expect, test } from 'vitest';
import { readConfig, settingsOf } from '../../../packages/server/src/server/config.ts';
import { hashKey, newKey } from '../../../packages/server/src/server/keys.ts';
import { runConfig } from '../../../packages/server/src/server/run-config.ts';
import { DoorStage } from '../door-stage.ts';

const schedules = '/api/scheduler/schedules';
const body = { name: 's', cronExpression: '@daily', startWorkflowRequest: { name: 'work' } };

describe('pages of other sites', () => {
  const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'another origin': { origin: 'https://evil.example' },
    'no origin': { origin: 'null' },
    'another site': { 'sec-fetch-site': 'cross-site' },
    'a neighbour': { 'sec-fetch-site': 'same-site' },
  };

  test.each(Object.keys(foreign))('cannot change anything, by GET either: %s', async (kind) => {
    await using stage = await DoorStage.open();
    await stage.raw(schedules, { body });
    const headers = foreign[kind] ?? {};
    for (const path of [
      '/schedules/s/pause',
      '/schedules/s/resume',
      '/admin/pause',
      '/admin/resume',
      '/admin/requeue',
    ]) {
      const refused = await stage.raw(`/api/scheduler${path}`, { headers });
      expect(refused).toMatchObject({ status: 403, body: { status: 403, retryable: false } });
    }
    expect((await stage.raw(schedules, { body, headers })).status).toBe(403);
    const read = await stage.raw(`${schedules}/s`, { headers });
    expect(read).toMatchObject({ status: 200, body: { paused: false } });
  });

  test('the own page may', async () => {
    await using stage = await DoorStage.open();
    await stage.raw(schedules, { body });
    const headers = { origin: stage.server.url, 'sec-fetch-site': 'same-origin' };
    expect((await stage.raw(`${schedules}/s/pause`, { headers })).status).toBe(200);
  });
});

test('a viewer reads and changes nothing; the audit names the caller and the door', async () => {
  const [admin, viewer] = [newKey(), newKey()];
  const keys = [
    { name: 'boss', hash: hashKey(admin), role: 'admin' },
    { name: 'guest', hash: hashKey(viewer), role: 'viewer' },
  ] as const;
  await using stage = await DoorStage.open({ keys });
  const asAdmin = { 'x-authorization': admin };
  expect((await stage.raw(schedules, { body, headers: asAdmin })).status).toBe(200);
  const asViewer = { 'x-authorization': viewer };
  expect((await stage.raw(schedules, { headers: asViewer })).body).toHaveLength(1);
  const refused = await stage.raw(`${schedules}/s/pause`, { method: 'PUT', headers: asViewer });
  expect(refused).toMatchObject({ status: 403, body: { status: 403 } });
  await stage.raw(`${schedules}/s/pause?reason=audit`, { method: 'PUT', headers: asAdmin });
  const audit = await stage.call('/schedules/s/audit', { headers: asAdmin });
  expect(
    audit.body.items.map(({ action, actor, door }: Record<string, string>) => [action, actor, door]),
  ).toEqual([
    ['pause', 'boss', 'conductor'],
    ['create', 'boss', 'conductor'],
  ]);
});

test('nothing of the native API changes, and unknown paths of each answer in their own form', async () => {
  await using stage = await DoorStage.open();
  expect((await stage.raw('/api/scheduler/nothing')).body).toMatchObject({ status: 404, retryable: false });
  expect((await stage.call('/nothing')).body).toMatchObject({ error: { reason: 'UNKNOWN_ROUTE' } });
  expect((await stage.raw(schedules, { body: '{' })).body).toMatchObject({ status: 400 });
});

test('why, metrics and the ledger know these schedules', async () => {
  await using stage = await DoorStage.open();
  await stage.raw(schedules, { body: { ...body, cronExpression: '* * * * * *' } });
  const { body: runs } = await stage.until('/schedules/s/runs', (heard) => heard.body.items.length > 0);
  const { scheduledAt } = runs.items[0];
  const why = await stage.call(`/schedules/s/why?at=${encodeURIComponent(scheduledAt)}`);
  expect(JSON.stringify(why.body)).toContain('started');
  expect((await stage.raw('/metrics')).body).toMatch(/carillon_slots_total\{.*verdict="started"/);
});

describe('settings', () => {
  test('are read from the file in both spellings, and from the environment', () => {
    const file = { conductor: { scheduler: { 'jitter-max-ms': 5, archivalMaxRecords: 3 } } };
    const env = { CONDUCTOR_SCHEDULER_JITTERMAXMS: '7', CONDUCTOR_SCHEDULER_ENABLED: 'false' };
    expect(readConfig(file, settingsOf(env)).conductor.scheduler).toMatchObject({
      enabled: false,
      jitterMaxMs: 7,
      archivalMaxRecords: 3,
      archivalMaxRecordThreshold: 10,
      schedulerTimeZone: 'UTC',
    });
    const wrong = { conductor: { scheduler: { schedulerTimeZone: 'Nowhere/City', pollingg: 1 } } };
    expect(() => readConfig(wrong)).toThrow(/schedulerTimeZone.*not a time zone/s);
  });

  test('switched off, every route is not found', async () => {
    await using stage = await DoorStage.open({ conductor: { scheduler: { enabled: false } } });
    const refused = await stage.raw(schedules, { body });
    expect(refused).toMatchObject({
      status: 404,
      body: { status: 404, message: 'No static resource api/scheduler/schedules.' },
    });
  });

  test('the zone of the scheduler is that of schedules that name none', async () => {
    await using stage = await DoorStage.open({
      conductor: { scheduler: { schedulerTimeZone: 'Asia/Tokyo' } },
    });
    const saved = await stage.raw(schedules, { body: { ...body, scheduleStartTime: Date.UTC(2030, 0, 1) } });
    expect(saved.body).toMatchObject({ zoneId: 'Asia/Tokyo', nextRunTime: Date.UTC(2030, 0, 1, 15) });
  });

  test('those that tune polling are accepted, and said to have no effect', async () => {
    const lines: string[] = [];
    const config = readConfig({
      store: 'memory:',
      http: { port: 0 },
      conductor: { scheduler: { 'poll-batch-size': 50, 'polling-interval': 100, 'polling-thread-count': 2 } },
    });
    const server = await runConfig(config, { write: (line) => void lines.push(line) });
    await server.stop();
    for (const name of ['pollBatchSize', 'pollingInterval', 'pollingThreadCount']) {
      expect(lines.join('')).toContain(`conductor.scheduler.${name} has no effect`);
    }
  });
});
