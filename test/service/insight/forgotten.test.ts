/** What the timeline of a schedule knows of times whose slots were removed, and of runs that a rule stopped. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';

const named = (id: string) => ({ namespace: 'default', id });
const iso = (text: string) => new Date(text).toISOString().replace('.000Z', 'Z');
const at = (text: string) => Date.parse(text) as never;

test('the ledger has forgotten only times that the spec names and that were removed', async () => {
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon) => carillon.handle('work', () => null),
  });
  const { schedules } = world.carillon();
  const create = async (id: string, when: object) => await schedules.create(id, { ...when, run: 'work' });
  await create('yearly', { cron: '0 9 1 3 *' });
  await create('weekly', { cron: '0 9 * * 1' });
  await create('held', { cron: '0 9 * * *', paused: 'not yet' });
  await world.advanceUntil('2026-09-01T12:00:00Z');
  await create('once', { at: '2026-09-03T12:00:00Z' });
  await create('by-hand', {});
  await create('young', { cron: '0 * * * *' });
  await world.advanceUntil('2026-09-04T12:00:00Z');
  await schedules.trigger('by-hand');
  await world.advanceUntil('2026-09-04T12:30:00Z');
  const { insight } = internalsOf(world.carillon()).services;
  const read = async (id: string) =>
    await insight.stretches(named(id), { from: at('2026-01-01'), to: at('2026-10-01') });
  // Nothing is left of it, and yet it was due once.
  expect(await read('yearly')).toMatchObject({ ledgerFrom: null, forgottenUntil: iso('2026-03-01T09:00Z') });
  const weekly = await read('weekly');
  const [kept, gone] = [weekly.ledgerFrom, weekly.forgottenUntil].map((text) => Date.parse(text ?? ''));
  expect((kept ?? 0) - (gone ?? 0)).toBe(7 * 86_400_000);
  // Its slots have no rows because it is paused.
  expect((await read('held')).forgottenUntil).toBeNull();
  // Their first slot came long after their creation.
  for (const id of ['once', 'by-hand', 'young']) expect((await read(id)).forgottenUntil).toBeNull();
});

test('a run that the overlap policy stopped is told apart from one that a person stopped', async () => {
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    expectFailures: true,
    setup: (carillon, { sleep }) =>
      carillon.handle('work', async ({ signal }) => await sleep(45 * 60_000, signal)),
  });
  const { schedules } = world.carillon();
  await schedules.create('other', { cron: '*/20 * * * *', run: 'work', overlap: 'cancelOther' });
  await world.advanceUntil('2026-01-01T00:45:00Z');
  const { insight } = internalsOf(world.carillon()).services;
  const span = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T00:50:00Z') };
  const before = await insight.timeline(named('other'), { ...span, limit: 10 });
  expect(before.runs.map(({ outcome, replaced }) => [outcome, replaced])).toEqual([
    ['cancelled', true],
    [undefined, undefined],
  ]);
  await world.carillon().runs.cancel(before.runs[1]?.id ?? '', { actor: 'ana' });
  await world.advanceUntil('2026-01-01T00:46:00Z');
  const after = await insight.timeline(named('other'), { ...span, limit: 10 });
  expect(after.runs.map(({ outcome, replaced }) => [outcome, replaced])).toEqual([
    ['cancelled', true],
    ['cancelled', undefined],
  ]);
  const { bins } = await insight.bins(named('other'), { ...span, bin: '1h' });
  expect(bins[0]).toMatchObject({ outcomes: { cancelled: 2 }, replaced: 1 });
});
