import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/client.ts';
import { operations } from '../../packages/server/src/door/native/native-door.ts';
import { hashKey, newKey } from '../../packages/server/src/server/keys.ts';
import { until } from '../support/until.ts';
import { DoorStage } from './door-stage.ts';

const hour = 3_600_000;

describe('what pages read', () => {
  let stage: DoorStage;
  let client: CarillonClient;
  beforeAll(async () => {
    stage = await DoorStage.open();
    client = new CarillonClient({ url: stage.server.url, actor: 'Ana' });
    await stage.create('tick', { every: '1s', tags: ['a'] });
    await stage.create('later', { every: undefined, cron: '30 2 * * *', zone: 'America/New_York' });
    await stage.create('broken', { every: '1s', run: 'fail' });
    await client.schedules.patch('later', { description: 'changed' }, { note: 'why not' });
    await client.schedules.pause('later', { note: 'a rest' });
    await until(async () => (await client.insight.counts()).failing === 1);
    await until(async () => (await client.insight.strip('tick')).slots.some(({ run }) => run?.outcome));
  });
  afterAll(async () => await stage.server.stop());

  /** The schema in the OpenAPI document is the one of the operation: real answers are checked against it. */
  const isAsDescribed = async (id: string, path: string) => {
    const { body, status } = await stage.call(path);
    expect(status, JSON.stringify(body)).toBe(200);
    const operation = operations.find((each) => each.id === id);
    const checked = operation?.response?.safeParse(body);
    expect(checked?.error?.issues ?? []).toEqual([]);
    expect(checked?.success).toBe(true);
    return body;
  };

  test('runs under way are counted as runs, without those that no worker knows', async () => {
    await using own = await DoorStage.open();
    const reader = new CarillonClient({ url: own.server.url });
    await own.create('beside', { every: '1d', run: 'long', overlap: 'allowAll' });
    await own.create('unknown', { every: '1d', run: 'no-such-handler' });
    await reader.schedules.trigger('unknown');
    for (const _ of [1, 2, 3]) await reader.schedules.trigger('beside');
    await until(async () => (await reader.insight.counts()).runsNow === 3);
    const { items } = await reader.runs.list({ state: ['leased'] });
    expect(items).toHaveLength(3);
    // Schedules with a run, also with one that waits.
    expect((await reader.insight.counts()).busy).toBe(2);
  });

  test('every answer is as the document describes it', async () => {
    const now = Date.now();
    const range = `from=${now - hour}&to=${now + hour}`;
    await isAsDescribed('listSchedules', '/schedules?sort=attention&strip=true');
    await isAsDescribed('listSchedules', '/schedules');
    await isAsDescribed('countSchedulesByState', '/schedules:counts?tag=a');
    await isAsDescribed('groupNeeds', '/schedules:needs');
    await isAsDescribed('getStrip', '/schedules/tick/strip');
    await isAsDescribed('getTimeline', `/schedules/tick/timeline?${range}&limit=2000`);
    await isAsDescribed('getTimeline', `/schedules/later/timeline?${range}`);
    await isAsDescribed('getBins', `/schedules/tick/bins?${range}&bin=5m`);
    await isAsDescribed('getStretches', `/schedules/later/stretches?${range}`);
    await isAsDescribed('getSeries', `/series?${range}&bin=5m`);
    await isAsDescribed('getLoad', `/load?${range}&bin=15m&zone=Europe/Berlin`);
    await isAsDescribed('getClockChanges', `/clock-changes?from=${now}&to=${now + 400 * 24 * hour}`);
    await isAsDescribed('getSettings', '/settings');
    await isAsDescribed('listKeys', '/keys');
    await isAsDescribed('listNamespaces', '/namespaces');
    await isAsDescribed('listViews', '/views');
    const { slots } = await client.insight.timeline('tick', { from: now - hour, to: now });
    const ran = slots[0]?.at ?? '';
    await isAsDescribed('explainAsData', `/schedules/tick/explanation?at=${ran}`);
    const { body } = await stage.call('/schedules/tick:pause?dryRun=true', { method: 'POST' });
    const { rehearsal } = operations.find(({ id }) => id === 'pauseSchedule') ?? {};
    expect(rehearsal?.response.safeParse(body).error?.issues ?? []).toEqual([]);
    const bulk = { verb: 'pause', ids: ['tick', 'nothing'] };
    const told = await stage.call('/schedules:bulk?dryRun=true', { body: bulk });
    const { rehearsal: bulkRehearsal } = operations.find(({ id }) => id === 'bulkSchedules') ?? {};
    expect(bulkRehearsal?.response.safeParse(told.body).error?.issues ?? []).toEqual([]);
  });

  test('a list names what needs a person first', async () => {
    const { items } = await client.insight.schedules({ strip: true });
    expect(items.map(({ id }) => id)).toEqual(['broken', 'later', 'tick']);
    expect(items.map(({ attention }) => attention.kind)).toEqual(['failing', 'paused', null]);
    expect(items[2]?.strip?.slots.at(0)?.verdict).toMatch(/^started/);
    // A list in any order has the reasons, also without the strips.
    const byName = await client.insight.schedules({ sort: 'id' });
    expect(byName.items.map(({ id, attention }) => [id, attention.kind])).toEqual([
      ['broken', 'failing'],
      ['later', 'paused'],
      ['tick', null],
    ]);
    const { groups } = await client.insight.needs();
    expect(groups.map(({ kind, schedules }) => [kind, schedules.map(({ id }) => id)])).toEqual([
      ['failing', ['broken']],
      ['paused', ['later']],
    ]);
    const closed = await stage.call('/schedules?sort=id&state=closed');
    expect(closed.body.items).toEqual([]);
    const refused = await stage.call('/schedules?sort=next&state=closed');
    expect(refused.body.error.problems).toMatchObject([{ path: 'state', reason: 'NOT_SORTABLE' }]);
  });

  test('dry runs change nothing, over every change there is', async () => {
    const before = await client.schedules.describe('later');
    const now = Date.now();
    const effects = [
      await client.dryRun.resume('later'),
      await client.dryRun.trigger('later'),
      await client.dryRun.patch('later', { cron: '0 3 * * *' }),
      await client.dryRun.upsert('later', { cron: '0 3 * * *', run: 'work' }),
      await client.dryRun.backfill('later', { from: now - 72 * hour, to: now }),
      await client.dryRun.delete('later'),
    ];
    expect(effects.map(({ status }) => status.after)).toEqual([
      'running',
      'paused',
      'paused',
      'paused',
      'paused',
      'closed',
    ]);
    expect(effects[2]?.changes.map(({ path }) => path)).toEqual(['spec.cron']);
    expect(effects[4]?.range).toMatchObject({ count: 3 });
    expect((await client.dryRun.create('new', { every: '1h', run: 'work' })).status).toEqual({
      before: 'absent',
      after: 'running',
    });
    await expect(client.dryRun.create('tick', { every: '1h', run: 'work' })).rejects.toMatchObject({
      reason: 'ALREADY_EXISTS',
    });
    expect((await client.schedules.describe('later')).token).toBe(before.token);
    await expect(client.schedules.describe('new')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    const wrong = await stage.call('/schedules/tick:pause?dryRun=perhaps', { method: 'POST' });
    expect(wrong.body.error.problems).toMatchObject([{ path: 'dryRun' }]);
    const read = await stage.call('/schedules/tick?dryRun=true');
    expect(read.status).toBe(400);
  });

  test('the audit says which fields changed', async () => {
    const { items } = await client.audit.list({ target: 'schedule/later', action: 'update', brief: true });
    expect(items).toMatchObject([
      {
        actor: 'Ana',
        note: 'why not',
        before: null,
        after: null,
        changes: [{ path: 'description', before: '', after: 'changed' }],
      },
    ]);
  });

  test('views are saved, listed and removed', async () => {
    await client.views.save('mine', { query: 'tag=a&sort=attention' });
    expect(await client.views.list()).toMatchObject([{ name: 'mine', place: 'schedules', savedBy: 'Ana' }]);
    await client.views.remove('mine');
    expect(await client.views.list()).toEqual([]);
  });

  test('a range that ends before it begins, and bins that would be too many, are refused', async () => {
    const backwards = await stage.call(`/series?from=${hour}&to=0`);
    expect(backwards.body.error.problems).toMatchObject([{ path: 'to', reason: 'BEFORE_FROM' }]);
    const many = await stage.call(`/schedules/tick/bins?from=0&to=${Date.now()}&bin=1m`);
    expect(many.body.error.problems).toMatchObject([{ path: 'bin', reason: 'TOO_MANY_BINS' }]);
  });

  test('events name the run of a slot, and say whether earlier events contained a change', async () => {
    const ended = new AbortController();
    const response = await fetch(`${stage.server.url}/api/v1/events`, { signal: ended.signal });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (/event: changed\ndata: .*"told":true/.test(text) && text.includes('event: slot')) break;
    }
    ended.abort();
    const slot = /event: slot\ndata: (.*)/.exec(text)?.[1] ?? '{}';
    const told = JSON.parse(slot) as Record<string, unknown>;
    expect(told).toMatchObject({ cause: 'auto', count: 1, from: told.nominal });
    expect(told).toHaveProperty('runId');
    expect(told).toHaveProperty('detail');
  });
});

describe('keys', () => {
  test('are made, used and revoked while the server runs; those of the configuration are fixed', async () => {
    const root = newKey();
    const keys = [{ name: 'root', hash: hashKey(root), role: 'admin' } as const];
    await using stage = await DoorStage.open({ keys });
    const admin = new CarillonClient({ url: stage.server.url, key: root });
    const { secret } = await admin.settings.createKey({ name: 'reader', role: 'viewer' });
    expect((await admin.settings.keys()).map(({ name, source }) => [name, source])).toEqual([
      ['root', 'file'],
      ['reader', 'made'],
    ]);
    expect(JSON.stringify(await admin.settings.keys())).not.toContain(secret);
    const reader = new CarillonClient({ url: stage.server.url, key: secret });
    expect(await reader.settings.get()).toMatchObject({ role: 'viewer', actor: 'reader', demandsKeys: true });
    expect((await reader.about()).role).toBe('viewer');
    expect((await admin.about()).role).toBe('admin');
    expect((await reader.insight.counts()).total).toBe(0);
    await expect(reader.settings.keys()).rejects.toMatchObject({ status: 403 });
    await expect(reader.views.save('x', { query: '' })).rejects.toMatchObject({ status: 403 });
    await expect(reader.dryRun.pause('x')).rejects.toMatchObject({ status: 403 });
    await expect(admin.settings.revokeKey('root')).rejects.toMatchObject({ reason: 'KEY_FIXED' });
    const history = new CarillonClient({ url: stage.server.url, key: secret, namespace: '@keys' });
    await expect(history.audit.list()).rejects.toMatchObject({ status: 403 });
    await admin.settings.revokeKey('reader');
    await expect(reader.insight.counts()).rejects.toMatchObject({ status: 401 });
  });

  test('have an audit of their own, for admins, without the hashes', async () => {
    await using stage = await DoorStage.open();
    const admin = new CarillonClient({ url: stage.server.url, actor: 'Ana', namespace: '@keys' });
    await admin.settings.createNamespace('team');
    await admin.settings.createKey({ name: 'reader', role: 'viewer', namespaces: ['team'] });
    await admin.settings.revokeKey('reader');
    const { items } = await admin.audit.list();
    expect(items.map(({ actor, action, target }) => `${actor} ${action} ${target}`)).toEqual([
      'Ana revokeKey apiKey/reader',
      'Ana createKey apiKey/reader',
    ]);
    expect(items[0]?.before).toMatchObject({ role: 'viewer', namespaces: ['team'] });
    expect(items[1]?.after).toMatchObject({ role: 'viewer', namespaces: ['team'] });
    expect(JSON.stringify(items)).not.toContain('sha256');
  });

  test('of one namespace neither show nor make keys of others', async () => {
    const [root, part] = [newKey(), newKey()];
    const keys = [
      { name: 'root', hash: hashKey(root), role: 'admin' } as const,
      { name: 'part', hash: hashKey(part), role: 'admin', namespaces: ['team'] } as const,
    ];
    await using stage = await DoorStage.open({ keys });
    const client = new CarillonClient({ url: stage.server.url, key: part, namespace: 'team' });
    expect((await client.settings.keys()).map(({ name }) => name)).toEqual(['part']);
    await expect(client.settings.createKey({ name: 'more', role: 'viewer' })).rejects.toMatchObject({
      status: 403,
    });
    await client.settings.createNamespace('team');
    const own = await client.settings.createKey({ name: 'own', role: 'viewer', namespaces: ['team'] });
    expect(own.namespaces).toEqual(['team']);
    const admin = new CarillonClient({ url: stage.server.url, key: root });
    await admin.settings.createKey({ name: 'all', role: 'viewer' });
    await expect(client.settings.revokeKey('all')).rejects.toMatchObject({ status: 403 });
  });
});

test('settings say where each value comes from, and keep secrets', async () => {
  const settings = [
    { name: 'http.port', value: 9000, source: 'flag', setBy: '--http-port', meaning: '' } as const,
  ];
  await using stage = await DoorStage.open({ settings });
  const { items, demandsKeys } = await new CarillonClient({ url: stage.server.url }).settings.get();
  expect(demandsKeys).toBe(false);
  expect(items).toContainEqual(settings[0]);
  expect(items).toContainEqual(
    expect.objectContaining({ name: 'retention.ledger', value: '90d', source: 'default' }),
  );
  expect(items.some(({ name, source }) => name === 'largestPage' && source === 'fixed')).toBe(true);
});
