/** Runs that wait although no living worker knows them are reported without a request. */
import { expect, test } from 'vitest';
import type { UnattendedWork } from '../../packages/carillon/src/runtime/unattended.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

async function aWorld() {
  const told: UnattendedWork[] = [];
  const world = await CarillonWorld.start({
    setup: (carillon) => {
      carillon.handle('report', () => 'ok');
      carillon.observe({ unattended: (work) => told.push(work) });
    },
  });
  return { world, told, runs: world.carillon().runs };
}

test('a queue without workers is reported after a few seconds, and again every minute until it has one', async () => {
  const { world, told, runs } = await aWorld();
  await using _ = world;
  await runs.enqueue({ run: 'report' });
  await runs.enqueue({ run: 'send', queue: 'mails' });
  await runs.enqueue({ run: 'send', queue: 'mails' });
  await world.advance('4s');
  expect(told).toEqual([]);
  await world.advance('10s');
  expect(told).toMatchObject([{ namespace: 'default', queue: 'mails', name: 'send', runs: 2 }]);
  await world.advance('2m');
  expect(told).toHaveLength(3);
});

test('a name that is similar to a known one is reported with it', async () => {
  const { world, told, runs } = await aWorld();
  await using _ = world;
  await runs.enqueue({ run: 'reprot' });
  await world.advance('10s');
  expect(told).toMatchObject([{ queue: 'default', name: 'reprot', near: 'report' }]);
});

test('runs that are to start later, or wait for their next attempt, are not missed by any worker', async () => {
  const { world, told, runs } = await aWorld();
  await using _ = world;
  await runs.enqueue({ run: 'later', queue: 'mails', at: world.now + 3_600_000 });
  await world.advance('5m');
  expect(told).toEqual([]);
});
