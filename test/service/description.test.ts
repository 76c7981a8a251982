/** What was described before is never shown when something has happened since: here, elsewhere, or by time passing. */

import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { SnapshotCache } from '../../packages/carillon/src/service/snapshot-cache.ts';
import type { ListedExecution } from '../../packages/carillon/src/store/records.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const start = '2026-01-01T00:00:30Z';
const name = { namespace: 'default', id: 'a' };

async function open(nodes = 1): Promise<CarillonWorld> {
  return await CarillonWorld.start({
    start,
    nodes,
    setup: (carillon) => void carillon.handle('work', () => 'done'),
  });
}

test('coming times move on with the clock, and a finished run is among the recent ones', async () => {
  await using world = await open();
  const { schedules } = world.carillon();
  const service = internalsOf(world.carillon()).services.schedules;
  await schedules.create('a', { every: '1m', run: 'work' });
  const first = await service.snapshot(name);
  expect(await service.snapshot(name)).toBe(first);
  expect(first.future[0]?.actual).toBe(Date.parse('2026-01-01T00:01:00Z'));
  await world.advance('31s');
  const second = await service.snapshot(name);
  expect(second.future[0]?.actual).toBe(Date.parse('2026-01-01T00:02:00Z'));
  expect(second.recent.map(({ nominal }) => nominal)).toEqual([Date.parse('2026-01-01T00:01:00Z')]);
  const described = await schedules.describe('a');
  expect(described.recent).toMatchObject([{ state: 'completed', outcome: 'completed' }]);
  expect(described.future[0]?.nominal).toBe(Date.parse('2026-01-01T00:02:00Z'));
});

test('the coming times of a paused schedule move on too, although its row does not change', async () => {
  await using world = await open();
  const { schedules } = world.carillon();
  await schedules.create('a', { every: '1s', run: 'work', paused: 'later' });
  const next = async () => (await schedules.describe('a')).future[0]?.actual;
  expect(await next()).toBe(Date.parse('2026-01-01T00:00:31Z'));
  await world.advance('2s');
  expect(await next()).toBe(Date.parse('2026-01-01T00:00:33Z'));
});

test('what another node changed is seen at once', async () => {
  await using world = await open(2);
  await world.carillon(0).schedules.create('a', { every: '1h', run: 'work' });
  await internalsOf(world.carillon(0)).services.schedules.snapshot(name);
  await world.carillon(0).schedules.describe('a');
  await world.carillon(1).schedules.pause('a', { note: 'from the other' });
  expect(
    (await internalsOf(world.carillon(0)).services.schedules.snapshot(name)).definition.paused?.note,
  ).toBe('from the other');
  expect((await world.carillon(0).schedules.describe('a')).status).toBe('paused');
});

test('a caller may change what it was given without changing what others see', async () => {
  await using world = await open();
  const { schedules } = world.carillon();
  await schedules.create('a', { every: '1h', run: 'work', input: { list: [1] } });
  const mine = await schedules.describe('a');
  (mine.action.input as { list: number[] }).list.push(2);
  expect((await schedules.describe('a')).action.input).toEqual({ list: [1] });
});

test('the memory of what was shown is bounded by size: the one not asked for longest goes', () => {
  const cache = new SnapshotCache<{ readonly future: readonly []; readonly id: string }>();
  const row = (incarnation: string) => ({ incarnation, version: 1 }) as ListedExecution;
  const third = 11 * 1024 * 1024;
  const now = 0 as never;
  for (const id of ['a', 'b']) cache.keep(row(id), { future: [], id }, now, third);
  expect(cache.find(row('a'), now)?.id).toBe('a');
  cache.keep(row('c'), { future: [], id: 'c' }, now, third);
  expect(['a', 'b', 'c'].map((id) => cache.find(row(id), now)?.id)).toEqual(['a', undefined, 'c']);
  expect(cache.find({ ...row('a'), version: 2 }, now)).toBeUndefined();
});
