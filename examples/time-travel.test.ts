/** Tests of schedules with Node's own test runner: `node --import tsx --test examples/time-travel.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CarillonWorld } from 'carillon/testing';

test('a year of an hourly schedule runs every hour exactly once', async () => {
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
  await world.advance('365d');
  assert.equal(seen.length, 8760);
  assert.equal(new Set(seen).size, 8760);
});

test('the invoice run skips an hour when the one before takes too long', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon, { sleep }) => {
      carillon.handle('invoices', () => sleep('90m'));
    },
  });
  const { schedules } = world.carillon();
  await schedules.create('invoices', { every: '1h', run: 'invoices' });
  await world.advance('3h');
  assert.equal((await schedules.explain('invoices', '2026-01-01T02:00:00Z')).answer, 'skippedOverlap');
  assert.equal((await schedules.explain('invoices', '2026-01-01T03:00:00Z')).answer, 'started');
  assert.deepEqual(await world.verdicts('invoices'), {
    '2026-01-01T01:00:00Z': 'started',
    '2026-01-01T02:00:00Z': 'skippedOverlap',
    '2026-01-01T03:00:00Z': 'started',
  });
  await world.assertVerdict('invoices', '2026-01-01T02:00:00Z', 'skippedOverlap');
  await world.assertOutcomes('invoices', { completed: 1 });
});

test('nothing is lost when the process dies for half an hour', async () => {
  const seen: string[] = [];
  await using world = await CarillonWorld.start({
    setup: (carillon) => {
      carillon.handle('tick', ({ scheduledAt }) => {
        seen.push(new Date(scheduledAt).toISOString().slice(11, 16));
      });
    },
  });
  const tick = { every: '15m', run: 'tick', overlap: 'bufferAll' } as const;
  await world.carillon().schedules.create('tick', tick);
  await world.advance('20m');
  world.crash(0);
  await world.advance('30m');
  await world.restart(0);
  await world.advance('10m');
  assert.deepEqual(seen, ['00:15', '00:30', '00:45', '01:00']);
});

test('a flaky handler is expected to fail, every other one is not', async () => {
  await using world = await CarillonWorld.start({
    expectFailures: ({ schedule }) => schedule === 'flaky',
    setup: (carillon) => {
      carillon.handle('flaky', () => assert.fail('not today'));
    },
  });
  await world.carillon().schedules.create('flaky', { cron: '0 * * * *', run: 'flaky' });
  await world.advance('2h');
  assert.equal(world.failures().length, 2);
});

test('a request is recorded and not sent', async () => {
  await using world = await CarillonWorld.start({
    actions: { http: ({ target }) => ({ answered: target.url }) },
  });
  const http = { url: 'https://example.test/hook' };
  await world.carillon().schedules.create('hook', { cron: '0 * * * *', http });
  await world.advanceToNext('hook');
  assert.deepEqual(world.calls[0]?.target, http);
});
