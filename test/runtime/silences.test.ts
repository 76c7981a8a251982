/** Times without a living node: the first node that starts again records them, and explanations mention them. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => start + seconds * 1000;

async function aWorld() {
  return await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon) => {
      carillon.handle('work', () => 'done');
    },
  });
}

const silencesOf = (world: CarillonWorld) => internalsOf(world.carillon()).runtime.silences.list();

test('after a stop in order: from the stop to the next start', async () => {
  await using world = await aWorld();
  await world.carillon().schedules.create('s', { every: '1m', run: 'work', catchup: '0s' });
  await world.advance('90s');
  await internalsOf(world.carillon()).runtime.stop();
  world.clock.moveTo(at(290) as never);
  await internalsOf(world.carillon()).runtime.start();
  await world.advance('1s');
  expect(await silencesOf(world)).toEqual([{ from: at(90), to: at(290) }]);
  const [missed] = [await world.carillon().schedules.explain('s', at(180))].flat();
  expect(missed?.answer).toBe('missedWindow');
  expect(missed?.text).toContain('No node was alive from 2026-01-01T00:01:30Z to 2026-01-01T00:04:50Z.');
  const [ran] = [await world.carillon().schedules.explain('s', at(60))].flat();
  expect(ran?.text).not.toContain('No node was alive');
});

test('after a crash of the only owner: from the first thing that was due and not done', async () => {
  await using world = await aWorld();
  await world.carillon().schedules.create('s', { every: '1m', run: 'work' });
  await world.advance('90s');
  world.crash(0);
  world.clock.moveTo(at(290) as never);
  await world.restart(0);
  expect(await silencesOf(world)).toEqual([{ from: at(120), to: at(290) }]);
});

test('a first start and a short restart are no silence', async () => {
  await using world = await aWorld();
  await world.carillon().schedules.create('s', { every: '1m', run: 'work' });
  await world.advance('90s');
  await internalsOf(world.carillon()).runtime.stop();
  await internalsOf(world.carillon()).runtime.start();
  expect(await silencesOf(world)).toEqual([]);
});
