/** A start that had to wait for an earlier run says when that one ended. */
import { expect, test } from 'vitest';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { scheduleFamilies } from '../../packages/carillon/src/metrics/schedule-families.ts';
import { ScheduleTally } from '../../packages/carillon/src/metrics/schedule-tally.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

test('the time from the end of the run before to its own start is on the run, its slot and in a metric', async () => {
  const tally = new ScheduleTally({ most: 1 });
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon, node) => {
      carillon.handle('slow', async () => {
        await new Promise<void>((resolve) => node.clock.wakeAt(addTime(node.clock.now(), 90_000), resolve));
      });
      carillon.subscribe((event) => {
        if (event.schedule !== null) tally.count(event);
      });
    },
  });
  const { schedules, runs } = world.carillon();
  await schedules.create('s', { every: '1m', run: 'slow', overlap: 'bufferOne', remaining: 2 });
  await world.advance('10m');
  const [second, first] = (await schedules.runs('s')).items;
  expect(first).toMatchObject({ freedAt: null, sinceFreedMs: null });
  expect(second?.freedAt).toBe(first?.finishedAt);
  expect(second?.sinceFreedMs).toBe((second?.startedAt ?? 0) - (first?.finishedAt ?? 0));
  expect(second).toMatchObject({ sinceFreedMs: expect.any(Number) });
  expect(await runs.get(second?.id ?? '')).toMatchObject({ freedAt: first?.finishedAt });
  const { items: slots } = await schedules.slots('s', { order: 'ascending' });
  expect(slots.find(({ runId }) => runId === second?.id)?.detail).toMatchObject({
    freedAt: first?.finishedAt,
  });
  expect(slots.find(({ runId }) => runId === first?.id)?.detail ?? {}).not.toHaveProperty('freedAt');
  const waited = scheduleFamilies(tally.counts, { next: [] }).find(
    ({ name }) => name === 'scheduler_start_after_end_seconds',
  );
  expect(JSON.stringify(waited)).toContain('"value":1');
});
