import { expect, test } from 'vitest';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

test('an upsert that says the same again gives no new actions; another number does', async () => {
  const ran: number[] = [];
  await using world = await CarillonWorld.start({
    setup: (carillon) => {
      carillon.handle('work', ({ scheduledAt }) => {
        ran.push(scheduledAt);
      });
    },
  });
  const { schedules } = world.carillon();
  const deploy = (remaining: number) => schedules.upsert('s', { every: '1m', run: 'work', remaining });
  expect((await deploy(2)).created).toBe(true);
  await world.advance('5m');
  expect((await deploy(2)).created).toBe(false);
  await world.advance('5m');
  expect(ran).toHaveLength(2);
  expect((await schedules.describe('s')).status).toBe('ended');
  await deploy(3);
  await world.advance('5m');
  expect(ran).toHaveLength(5);
});
