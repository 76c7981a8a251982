import { expect, test } from 'vitest';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

test('a year of an hourly schedule runs every slot exactly once', async () => {
  const seen: number[] = [];
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon) => {
      carillon.handle('report', ({ scheduledAt }) => {
        seen.push(scheduledAt);
      });
    },
  });
  await world.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });
  const began = performance.now();
  await world.advance('365d');
  const took = performance.now() - began;
  console.log(`a simulated year took ${took.toFixed(0)} ms beside the other tests`);
  expect(seen).toHaveLength(8760);
  expect(new Set(seen).size).toBe(8760);
  const { counters, stateBytes } = await world.carillon().schedules.describe('hourly');
  expect(stateBytes).toBeLessThan(400);
  expect(counters.actions).toBe(8760);
});
