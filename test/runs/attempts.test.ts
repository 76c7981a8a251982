/** The attempts of a run, each with its own time, as its log keeps them. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const minute = 60_000;

test('failed attempts keep when they began and ended, where, and why', async () => {
  await using world = await CarillonWorld.start({
    start: '2026-11-01T00:00:00Z',
    expectFailures: true,
    setup: (carillon, { sleep }) => {
      carillon.handle('sync', async ({ attempt, signal, log }) => {
        log(`try ${attempt}`);
        await sleep(attempt * minute, signal);
        if (attempt === 1) throw new Error('503', { cause: new Error('"1" failed: again') });
        if (attempt === 2) throw new Error('503: "2" failed: again');
        return 'done';
      });
    },
  });
  const carillon = world.carillon();
  await carillon.schedules.create('sync', {
    cron: '0 * * * *',
    run: 'sync',
    retry: { attempts: 3, initial: '1m', coefficient: 1 },
  });
  await world.advanceUntil('2026-11-01T01:02:30Z');
  const { runs } = internalsOf(carillon).services;
  const [run] = (await carillon.runs.list()).items;
  const name = { namespace: 'default', id: run?.id ?? '' };
  const shown = async () =>
    (await runs.attempts(name)).map(({ startedAt, finishedAt, error, worker }) => [
      new Date(startedAt).toISOString().slice(11, 19),
      finishedAt === null ? null : new Date(finishedAt).toISOString().slice(11, 19),
      error,
      worker !== '',
    ]);
  expect(await shown()).toEqual([
    ['01:00:00', '01:01:00', '503: "1" failed: again', true],
    ['01:02:00', null, null, true],
  ]);
  await world.advanceUntil('2026-11-01T02:00:00Z');
  expect((await shown()).map(([from, to, error]) => [from, to, error])).toEqual([
    ['01:00:00', '01:01:00', '503: "1" failed: again'],
    ['01:02:00', '01:04:00', '503: "2" failed: again'],
    ['01:05:00', '01:08:00', null],
  ]);
});
