/** One row that this node cannot read, because it is damaged or newer, on every store. */
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import type { ExecutionRow } from '../../packages/carillon/src/store/records.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { DoorStage } from '../door/door-stage.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

/** Rewrites the stored state of a schedule, as a damaged disk or a newer program might have left it. */
async function rewrite(store: Store, id: string, state: (before: string) => string): Promise<void> {
  const key = { namespace: 'default', archetype: 'schedule', id };
  await store.transact(
    { kind: 'keys', keys: [key] },
    {
      decide: ({ executions: [row] }) => {
        const { version, ...rest } = row as ExecutionRow;
        const executions = [{ ...rest, version: version + 1, state: state(rest.state) }];
        return { writes: { executions }, result: undefined };
      },
    },
  );
}

const storeOf = (carillon: Carillon) => internalsOf(carillon).runtime.store;

const damage = {
  'is no JSON': () => '{"f":1,"n',
  'is JSON of another shape': () => '{"f":1}',
};

const newer = (before: string) => before.replace('"f":1', '"f":99');

async function aCarillon(store: Store | string): Promise<Carillon> {
  const carillon = await openCarillon({ store });
  onTestFinished(() => carillon.stop({ drainMs: 0 }));
  carillon.handle('work', () => 'done');
  // Paused or far away: no step meets them before the test asks.
  for (const id of ['a', 'b', 'c']) {
    await carillon.schedules.create(id, { every: '365d', run: 'work', owner: 'me', tags: ['t'] });
  }
  return carillon;
}

function exerciseUnreadable(open: () => Promise<Store | string>): void {
  test.each(Object.keys(damage))('a row that %s is listed as quarantined with its reason', async (what) => {
    const carillon = await aCarillon(await open());
    const { schedules } = carillon;
    const store = storeOf(carillon);
    await rewrite(store, 'b', damage[what as keyof typeof damage]);
    const { items } = await schedules.list();
    expect(items.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'a running',
      'b quarantined',
      'c running',
    ]);
    expect(items[1]).toMatchObject({
      incident: expect.stringContaining('cannot be read'),
      unreadable: expect.stringContaining('cannot be read'),
      owner: 'me',
      tags: ['t'],
      words: items[0]?.words,
    });
    expect(items[0]).toMatchObject({ incident: null, unreadable: null });
    const { services } = internalsOf(carillon);
    const snapshots = await services.schedules.snapshots({ namespace: 'default' });
    expect(snapshots.items.map(({ incident }) => incident === null)).toEqual([true, false, true]);
    expect(await schedules.describe('b')).toMatchObject({ status: 'quarantined', action: { name: 'work' } });
    await expect(schedules.pause('b')).rejects.toMatchObject({
      reason: 'UNREADABLE',
      message: expect.stringContaining("schedule 'b'"),
    });
    await schedules.delete('b');
    expect((await schedules.list()).items.map(({ id }) => id)).toEqual(['a', 'c']);
    await expect(schedules.describe('b')).rejects.toMatchObject({ code: 'notFound' });
    const [entry] = (await schedules.audit('b')).items;
    expect(entry).toMatchObject({ action: 'delete', note: expect.stringContaining('cannot be read') });
    await schedules.create('b', { every: '1h', run: 'work' });
    expect((await schedules.describe('b')).status).toBe('running');
  });

  test('what a newer program wrote is listed with what can be read, and marked', async () => {
    const carillon = await aCarillon(await open());
    const { schedules } = carillon;
    const store = storeOf(carillon);
    await schedules.pause('c', { note: 'later' });
    await rewrite(store, 'b', newer);
    await rewrite(store, 'c', newer);
    const { items } = await schedules.list();
    expect(items.map(({ id, status }) => `${id} ${status}`)).toEqual(['a running', 'b running', 'c paused']);
    expect(items[1]).toMatchObject({
      incident: null,
      unreadable: expect.stringContaining('format 99'),
      words: items[0]?.words,
      next: items[0]?.next,
      action: { name: 'work' },
    });
    expect(await schedules.describe('c')).toMatchObject({
      paused: { note: 'later' },
      unreadable: expect.stringContaining('format 99'),
    });
    await schedules.delete('b');
    expect((await schedules.list()).items.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('the others go on, and a step that meets a damaged one sets it aside', async () => {
    const carillon = await aCarillon(await open());
    const ended = new Set<string | null>();
    carillon.subscribe((event) => {
      if (event.type === 'finished') ended.add(event.schedule);
    });
    for (const id of ['due', 'healthy']) await carillon.schedules.create(id, { every: '1s', run: 'work' });
    await rewrite(storeOf(carillon), 'due', damage['is no JSON']);
    await carillon.start();
    await until(() => ended.has('healthy'));
    const setAside = { archetype: 'schedule', quarantined: true };
    await until(async () => (await storeOf(carillon).count(setAside)) === 1);
    expect(ended.has('due')).toBe(false);
    await carillon.schedules.delete('due');
    await expect(carillon.schedules.describe('due')).rejects.toMatchObject({ code: 'notFound' });
  });
}

describe('on memory', () => exerciseUnreadable(async () => 'memory:'));

describe('on SQLite', () => {
  exerciseUnreadable(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-unreadable-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return `sqlite:${join(folder, 'a.db')}`;
  });
});

test('a damaged page of a SQLite file is told as damage, not as a store that does not answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-unreadable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.db');
  const before = await openCarillon({ store: `sqlite:${file}` });
  const description = 'x'.repeat(1000);
  for (let n = 0; n < 100; n += 1) {
    await before.schedules.create(`s-${n}`, { every: '365d', run: 'work', description });
  }
  await before.stop();
  // Everything behind the first pages, which hold the schema.
  const pages = openSync(file, 'r+');
  for (let page = 60; page * 4096 < fstatSync(pages).size; page += 1) {
    writeSync(pages, Buffer.alloc(100, 0xff), 0, 100, page * 4096);
  }
  closeSync(pages);
  await using stage = await DoorStage.open({}, { store: `sqlite:${file}` });
  const { status, body } = await stage.call('/schedules?limit=1000');
  expect([status, body.error.reason]).toEqual([500, 'STORE_DAMAGED']);
  expect(body.error.message).toContain('restore a backup');
});

test('over REST it is listed, described and deleted like the others', async () => {
  await using stage = await DoorStage.open();
  for (const id of ['a', 'b']) await stage.create(id);
  await rewrite(storeOf(stage.carillon), 'b', damage['is no JSON']);
  const list = await stage.call('/schedules');
  expect([list.status, list.body.items.length]).toEqual([200, 2]);
  expect((await stage.call('/schedules?state=quarantined')).status).toBe(200);
  expect((await stage.call('/schedules/b')).body).toMatchObject({ status: 'quarantined' });
  const refused = await stage.call('/schedules/b:trigger', { method: 'POST' });
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'UNREADABLE']);
  expect((await stage.call('/schedules/b', { method: 'DELETE' })).status).toBe(200);
  expect((await stage.call('/schedules')).body.items).toHaveLength(1);
});

await describeWithRedis('on Redis', ({ url }) => {
  exerciseUnreadable(async () => new RedisStore({ url, prefix: freshPrefix(), warn: () => {} }));
});

await describePostgres('on PostgreSQL', (server) => {
  exerciseUnreadable(async () => new PostgresStore({ url: await server.newDatabase() }));
});
