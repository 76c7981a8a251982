/** Days that are over are told as they were, although schedules were edited since: the same on every store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { Insight } from '../../../packages/carillon/src/service/insight/insight.ts';
import type { Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';

const on = (day: number, hour = 12) => Date.UTC(2026, 10, day, hour) as Instant;
const month = { from: on(1, 0), to: on(30, 23), zone: 'UTC' };
const bulk = Array.from({ length: 30 }, (_, place) => `bulk-${String(place).padStart(2, '0')}`);

const november = (...days: readonly number[]) =>
  days.map((each) => `2026-11-${String(each).padStart(2, '0')}`);

async function play(world: CarillonWorld): Promise<void> {
  const { schedules } = world.carillon();
  const daily = (tag: string, ...days: readonly number[]) => ({
    cron: '0 18 * * *',
    run: 'work',
    tags: [tag],
    ...(days.length === 0 ? {} : { excludeDates: november(...days) }),
  });
  await schedules.create('added', daily('added'));
  await schedules.create('removed', daily('removed', 5, 11, 12, 20));
  await schedules.create('several', daily('several', 3, 9));
  await schedules.create('noted', daily('noted', 5, 20));
  await schedules.create('again', daily('again', 5));
  await schedules.create('held', daily('held', 5, 20));
  await schedules.create('rested', daily('rested', 3, 5, 6, 7));
  for (const id of bulk) await schedules.create(id, daily('bulk', 5, 20));
  await schedules.create('east', { ...daily('east', 5, 10, 20), zone: 'Asia/Tokyo' });
  await schedules.create('west', { ...daily('west', 5, 10, 20), zone: 'America/New_York' });
  await world.advanceTo(on(5));
  await schedules.pause('rested', { actor: 'Mara' });
  await schedules.patch('several', { excludeDates: november(4, 6, 9) });
  await world.advanceTo(on(7));
  await schedules.resume('rested', { actor: 'Mara' });
  await schedules.patch('several', { excludeDates: november(4, 10) });
  await world.advanceTo(on(10, 20));
  // The tenth is over in Tokyo, but not in New York.
  await schedules.patch('east', { zone: 'America/New_York', excludeDates: november(5, 9, 20) });
  await schedules.patch('west', { zone: 'Asia/Tokyo', excludeDates: november(5, 9, 11, 20) });
  await world.advanceTo(on(11));
  await schedules.patch('removed', { excludeDates: null });
  await schedules.delete('again');
  await schedules.create('again', daily('again', 5, 20));
  for (const id of bulk) await schedules.patch(id, { excludeDates: november(6, 25) });
  await world.advanceTo(on(12));
  await schedules.patch('added', { excludeDates: november(5, 12, 20) });
  await schedules.patch('noted', { note: 'another note' });
  await schedules.pause('held', { actor: 'Mara', until: '2026-11-15T00:00:00Z' });
}

/** Called by `exerciseInsight`. */
export function exerciseDays(name: string, open: (clock: VirtualClock) => Promise<Store>): void {
  describe(`days that are over, on ${name}`, () => {
    let world: CarillonWorld;
    let insight: Insight;

    beforeAll(async () => {
      const clock = new VirtualClock(on(1));
      world = new CarillonWorld({
        clock,
        store: await open(clock),
        setup: (carillon) => carillon.handle('work', () => undefined),
      });
      await world.start();
      await play(world);
      ({ insight } = internalsOf(world.carillon()).services);
    });

    afterAll(async () => {
      world.crash(0);
      await world.store.close();
    });

    test.each([
      // An edit counts for the day on which it is made.
      ['added', 'an exclusion that was added shows from the day of the edit on', [12, 20]],
      ['removed', 'an exclusion that was removed shows on the days before', [5]],
      ['several', 'each of several edits counts until the next one', [3, 6, 10]],
      ['noted', 'an edit of something else changes nothing', [5, 20]],
      ['again', 'a schedule of the same name that was deleted is another one', [20]],
      ['held', 'a pause hides exclusions only while it lasts', [5, 20]],
      ['rested', 'a pause that is over hid exclusions while it lasted', [3, 7]],
      ['east', 'after a change of the zone, a day that goes on by the new clock has the new dates', [5, 20]],
      [
        'west',
        'after a change of the zone, a day that is over by the new clock keeps the old dates',
        [5, 10, 11, 20],
      ],
    ])('%s: %s', async (tag, _, days) => {
      const filter = { field: '$tags', is: '=', value: tag } as const;
      const answer = await insight.days({ namespace: 'default', ...month, filter });
      expect(answer.excluded).toEqual(
        november(...days).map((date) => ({ date, label: '', schedules: 1, wholeDay: 1, ids: [tag] })),
      );
      expect(answer).toMatchObject({ knownFrom: null, truncated: false });
    });

    test('a bulk edit shows on the days after it, for all of its schedules', async () => {
      const filter = { field: '$tags', is: '=', value: 'bulk' } as const;
      const { excluded } = await insight.days({ namespace: 'default', ...month, filter });
      expect(excluded).toMatchObject(
        november(5, 25).map((date) => ({ date, label: '', schedules: 30, wholeDay: 30 })),
      );
      for (const { ids } of excluded) expect(new Set(ids).size).toBe(5);
    });

    test('the days of all schedules add up', async () => {
      const { excluded } = await insight.days({ namespace: 'default', ...month });
      const counts = excluded.map(({ date, schedules }) => [Number(date.slice(-2)), schedules]);
      expect(counts).toEqual([
        [3, 2],
        [5, 35],
        [6, 1],
        [7, 1],
        [10, 2],
        [11, 1],
        [12, 1],
        [20, 6],
        [25, 30],
      ]);
    });

    test('a short range is told the same as in a longer one', async () => {
      const query = { namespace: 'default', from: on(4, 0), to: on(6, 23), zone: 'UTC' };
      const { excluded } = await insight.days(query);
      expect(excluded.map(({ date, schedules }) => [date, schedules])).toEqual([
        ['2026-11-05', 35],
        ['2026-11-06', 1],
      ]);
    });
  });
}
