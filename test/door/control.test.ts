/** Changes of schedules and runs by people: their conditions, and their entries in the audit. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient, CarillonError } from '../../packages/carillon/src/client/index.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open();
  client = new CarillonClient({ url: stage.server.url, actor: 'ada' });
});
afterAll(async () => await stage.server.stop());

async function quarantine(id: string): Promise<void> {
  const key = { namespace: 'default', archetype: 'schedule', id };
  await internalsOf(stage.carillon).runtime.engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
    for (const row of batch.rows) batch.quarantine(row, new Error('broken for the test'));
  });
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CarillonError) return `${error.status} ${error.reason}`;
    throw error;
  }
  return 'done';
}

describe('a condition', () => {
  test('refuses every verb when another caller was faster, and nothing changes', async () => {
    const { schedules } = client;
    await schedules.create('held', { every: '1h', run: 'work' });
    await schedules.pause('held');
    const old = { token: 1 };
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T04:00:00Z' };
    const attempts = [
      schedules.pause('held', old),
      schedules.resume('held', old),
      schedules.trigger('held', old),
      schedules.backfill('held', range, old),
      schedules.release('held', old),
      schedules.delete('held', old),
    ];
    const reasons = await Promise.all(attempts.map(reasonOf));
    expect([...new Set(reasons)]).toEqual(['412 CONFLICT_TOKEN_MISMATCH']);
    const { token, status, recent, backfills } = await schedules.describe('held');
    expect([token, status, recent, backfills]).toEqual([2, 'paused', [], []]);
    const { items } = await schedules.audit('held');
    expect(items.map(({ action }) => action)).toEqual(['pause', 'create']);
  });

  test('lets a verb through that knows the newest version, and each gives the next one', async () => {
    const { schedules } = client;
    await schedules.create('fresh', { every: '1h', run: 'work' });
    const paused = await schedules.pause('fresh', { token: 1 });
    const resumed = await schedules.resume('fresh', { token: paused.token });
    const triggered = await schedules.trigger('fresh', { token: resumed.token });
    await schedules.delete('fresh', { token: triggered.token });
    expect((await schedules.describe('fresh')).status).toBe('closed');
  });
});

describe('the audit', () => {
  test('has the actions of people on runs: author, door, reason, before and after', async () => {
    const { runs, audit } = client;
    const { id } = await runs.enqueue({ run: 'work', queue: 'absent' });
    await runs.cancel(id, { reason: 'no need' });
    const { items } = await audit.list({ target: `run/${id}` });
    expect(items.map(({ action, actor, door, note }) => [action, actor, door, note])).toEqual([
      ['cancel', 'ada', 'rest', 'no need'],
      ['enqueue', 'ada', 'rest', ''],
    ]);
    expect(items[0]).toMatchObject({
      before: { state: 'waiting' },
      after: { state: 'done', outcome: 'cancelled' },
    });
    expect(items[1]).toMatchObject({ before: null, after: { queue: 'absent', name: 'work' } });
    // A call that changed nothing has no entry.
    await runs.terminate(id);
    expect((await audit.list({ target: `run/${id}` })).items).toHaveLength(2);
  });

  test('has what was done in process, too', async () => {
    const { id } = await client.runs.enqueue({ run: 'work', queue: 'absent' });
    await stage.carillon.runs.terminate(id, { reason: 'enough', actor: 'grace' });
    const { items } = await client.audit.list({ target: `run/${id}`, door: 'embed' });
    expect(items).toMatchObject([{ action: 'terminate', actor: 'grace', note: 'enough' }]);
  });

  test('has every release', async () => {
    await client.schedules.create('broken', { every: '1h', run: 'work' });
    await quarantine('broken');
    expect((await client.schedules.describe('broken')).status).toBe('quarantined');
    await client.schedules.release('broken');
    expect((await client.schedules.describe('broken')).status).toBe('running');
    const { items } = await client.audit.list({ target: 'schedule/broken', action: 'release' });
    expect(items).toMatchObject([{ actor: 'ada', door: 'rest' }]);
  });

  test('is found by actor, action and time, page by page', async () => {
    const bob = new CarillonClient({ url: stage.server.url, actor: 'bob', namespace: 'found' });
    const eve = new CarillonClient({ url: stage.server.url, actor: 'eve', namespace: 'found' });
    for (let n = 0; n < 5; n += 1) {
      await bob.schedules.create(`s${n}`, { every: '1h', run: 'work' });
      await eve.schedules.pause(`s${n}`, { note: `n${n}` });
    }
    const seen: string[] = [];
    for await (const entry of bob.audit.each({ actor: 'eve', action: 'pause', limit: 2 }))
      seen.push(entry.note);
    expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    expect((await bob.audit.list({ from: Date.now() + 60_000 })).items).toEqual([]);
    expect((await bob.audit.list({ to: 0 })).items).toEqual([]);
    expect((await bob.audit.list()).items).toHaveLength(10);
    // Other namespaces have their own.
    expect((await client.audit.list({ actor: 'eve' })).items).toEqual([]);
  });
});

test('schedules are found by each state they can be in', async () => {
  const own = new CarillonClient({ url: stage.server.url, namespace: 'states' });
  const { schedules } = own;
  const work = { every: '1h', run: 'work' };
  await schedules.create('running', work);
  await schedules.create('manual', { run: 'work' });
  await schedules.create('paused', { ...work, paused: true });
  await schedules.create('ended', { ...work, remaining: 0 });
  await schedules.upsert('over', { at: '2020-01-01T00:00:00Z', run: 'work' });
  await schedules.create('closed', work);
  await schedules.delete('closed');
  await schedules.create('quarantined', { ...work, paused: true });
  const key = { namespace: 'states', archetype: 'schedule', id: 'quarantined' };
  await internalsOf(stage.carillon).runtime.engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
    for (const row of batch.rows) batch.quarantine(row, new Error('broken for the test'));
  });
  for (const state of ['running', 'paused', 'ended', 'quarantined', 'closed'] as const) {
    const { items } = await schedules.list({ state });
    for (const { status } of items) expect(status).toBe(state);
    expect(await schedules.count({ state })).toBe(items.length);
  }
  const ids = async (state: 'running' | 'ended') =>
    (await schedules.list({ state })).items.map(({ id }) => id);
  expect(await ids('running')).toEqual(['manual', 'running']);
  expect(await ids('ended')).toEqual(['ended', 'over']);
  expect((await schedules.list({ late: true })).items).toEqual([]);
});

test('what nests too deep is refused by name, wherever it comes in', async () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const refused = await stage.create('deep', { input: nested(65) });
  expect(refused.status).toBe(400);
  expect(refused.body.error.problems).toMatchObject([{ path: 'input', reason: 'TOO_DEEP' }]);
  expect((await stage.create('deep', { memo: { a: nested(64) } })).body.error.problems[0].path).toBe('memo');
  const queued = await stage.call('/runs', { body: { run: 'work', input: nested(65) } });
  expect(queued.body.error.problems[0]).toMatchObject({ path: 'input', reason: 'TOO_DEEP' });
  // In process nothing has looked at it before, and a stack would end.
  await expect(
    stage.carillon.schedules.create('deep', { run: 'work', input: nested(5000) }),
  ).rejects.toMatchObject({
    problems: [{ path: 'input', reason: 'TOO_DEEP' }],
  });
  expect((await stage.create('deep', { input: nested(64) })).status).toBe(201);
});
