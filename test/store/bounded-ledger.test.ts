/** Retention as it happens in a running Carillon. */
import { expect, test } from 'vitest';
import { hour, minute } from '../../packages/carillon/src/base/time.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const key = { namespace: 'default', archetype: 'schedule', id: 's' };

async function countRows(world: CarillonWorld) {
  const [row] = await world.store.read({ keys: [key] });
  const incarnation = row?.incarnation ?? '';
  const slots = (await world.store.slots({ incarnation, order: 'descending', limit: 100_000 })).items;
  const runs = (await world.store.runs({ owner: incarnation, limit: 100_000 })).items;
  const versions = await world.store.parts({ incarnation, name: 'definition' });
  return { slots, runs, versions };
}

test('an every-second schedule keeps a bounded ledger and bounded runs, the newest of each', async () => {
  await using world = await CarillonWorld.start({
    retention: { ledgerRows: 1000, runsPerSchedule: 300, uncounted: 5 * minute },
    tuning: { retentionPauseMs: 10 * minute },
    setup: (carillon) => carillon.handle('work', () => 'done'),
  });
  const { schedules } = world.carillon();
  await schedules.create('s', { every: '1s', run: 'work' });
  const slots: number[] = [];
  const runs: number[] = [];
  for (let tenth = 0; tenth < 15; tenth++) {
    await world.advance('9m57s');
    const kept = await countRows(world);
    slots.push(kept.slots.length);
    runs.push(kept.runs.length);
    expect(kept.slots[0]?.nominal).toBe(Math.floor(world.now / 1000) * 1000);
  }
  // Between two sweeps ten minutes of seconds are added.
  expect(Math.max(...slots)).toBeLessThanOrEqual(1000 + 600);
  expect(Math.max(...runs)).toBeLessThanOrEqual(300 + 600);
  expect(Math.min(...slots.slice(-5))).toBeGreaterThanOrEqual(1000);
  expect((await schedules.describe('s')).counters.actions).toBe(15 * 597);
});

test('the counts leave the last hour alone by default, so a backfill into the past can be looked at', async () => {
  await using world = await CarillonWorld.start({
    retention: { ledgerRows: 10, runsPerSchedule: 10 },
    tuning: { retentionPauseMs: minute },
    setup: (carillon) => carillon.handle('work', () => 'done'),
  });
  const { schedules } = world.carillon();
  await schedules.create('s', { every: '1m', run: 'work', overlap: 'allowAll' });
  await world.advance('2h');
  await schedules.backfill('s', { from: '2025-06-01T00:00:00Z', to: '2025-06-01T00:20:00Z' });
  await world.advance('5m');
  const backfilled = async () =>
    (await countRows(world)).slots.filter((slot) => slot.cause.startsWith('backfill')).length;
  expect(await backfilled()).toBe(21);
  await world.advance(hour);
  expect(await backfilled()).toBe(0);
});

test('versions of a definition are kept up to a number, the one in force among them', async () => {
  await using world = await CarillonWorld.start({
    retention: { definitionVersions: 3 },
    tuning: { retentionPauseMs: minute },
    setup: (carillon) => carillon.handle('work', () => 'done'),
  });
  const { schedules } = world.carillon();
  await schedules.create('s', { every: '1h', run: 'work' });
  for (let n = 1; n <= 8; n++) await schedules.update('s', { every: '1h', run: 'work', note: `change ${n}` });
  await world.advance('5m');
  const { versions } = await countRows(world);
  expect(versions.map((part) => (JSON.parse(part.data) as { note: string }).note)).toEqual([
    'change 6',
    'change 7',
    'change 8',
  ]);
  expect((await schedules.describe('s')).note).toBe('change 8');
  expect((await schedules.explain('s', '2026-01-01T00:00:30Z')).answer).toBeDefined();
});
