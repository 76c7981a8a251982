/**
 * A backlog, then a long pause: the pass that meets both ends inside the pause. It must not go back behind slots that have
 * their verdict, or it would judge them again and again and never come further.
 */
import { describe, expect, test } from 'vitest';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

describe('a backlog that was paused', () => {
  for (const policy of [
    { missed: 'once' },
    { missed: 'all', missedLimit: 3 },
  ] satisfies Partial<ScheduleInput>[]) {
    test(`is worked off, every slot judged once (${JSON.stringify(policy)})`, async () => {
      const ran: number[] = [];
      await using world = await CarillonWorld.start({
        setup: (carillon) =>
          void carillon.handle('work', async ({ scheduledAt }) => void ran.push(scheduledAt)),
      });
      const begin = world.now;
      await world.carillon().schedules.create('s', { every: '1s', run: 'work', catchup: '1d', ...policy });
      await world.advance('90s');
      world.crash(0);
      await world.advance('3h');
      await world.restart(0);
      // Paused while the backlog of the outage is not worked off yet.
      await world.carillon().schedules.pause('s');
      await world.advance('4h');
      await world.carillon().schedules.resume('s', { missed: 'skip' });
      await world.advance('10s');

      const { next, incarnation } = await world.carillon().schedules.describe('s');
      expect(next).toBe(world.now + 1000);
      const { items } = await world.store.slots({ incarnation, limit: 10_000 });
      const judged = items.reduce((sum, slot) => sum + slot.count, 0);
      expect(judged).toBe((world.now - begin) / 1000);
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran.slice(-10)).toEqual(Array.from({ length: 10 }, (_, i) => world.now - (9 - i) * 1000));
    });
  }
});
