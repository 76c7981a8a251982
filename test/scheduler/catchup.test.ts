/** What a schedule does with the slots of an outage: the oldest one, or all of them, one after the other. */
import { describe, expect, test } from 'vitest';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

interface Ran {
  readonly slot: number;
  readonly at: number;
  readonly input: unknown;
}

/** Runs a minutely schedule, stops its only node over `down`, and returns what ran afterwards. */
async function afterOutage(policy: Partial<ScheduleInput>, down = '10m', after = '30s') {
  const ran: Ran[] = [];
  await using world = await CarillonWorld.start({
    setup: (carillon) =>
      void carillon.handle('work', async ({ scheduledAt, input }) => {
        ran.push({ slot: scheduledAt, at: world.now, input });
      }),
  });
  const first = Math.ceil((world.now + 1) / 60_000) * 60_000;
  await world
    .carillon()
    .schedules.create('s', { cron: '* * * * *', run: 'work', overlap: 'allowAll', ...policy });
  await world.advance(first - world.now + 1000);
  expect(ran.map(({ slot }) => slot)).toEqual([first]);
  ran.length = 0;
  world.crash(0);
  await world.advance(down);
  await world.restart(0);
  const back = world.now;
  await world.advance(after);
  return { ran, first, back };
}

describe('after an outage', () => {
  test('oldest: the oldest slot runs once with its own time, whatever its age', async () => {
    const { ran, first } = await afterOutage({ missed: 'oldest', catchup: 'unlimited' }, '400d', '10s');
    expect(ran.map(({ slot }) => slot)).toEqual([first + 60_000]);
  });

  test('all: every slot runs, in order, and the pace separates their starts', async () => {
    const { ran, first, back } = await afterOutage({
      missed: 'all',
      catchup: 'unlimited',
      catchupPace: '500ms',
    });
    expect(ran.map(({ slot }) => slot)).toEqual(
      Array.from({ length: 10 }, (_, index) => first + (index + 1) * 60_000),
    );
    const gaps = ran.slice(1).map(({ at }, index) => at - (ran[index] as Ran).at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    expect((ran.at(-1) as Ran).at - back).toBeLessThan(10_000);
  });
});

test('injected keys describe the start and replace keys of the same name', async () => {
  const inputs: unknown[] = [];
  await using world = await CarillonWorld.start({
    setup: (carillon) =>
      void carillon.handle('work', async ({ id, input }) => void inputs.push({ id, input })),
  });
  const begin = world.now;
  await world.carillon().schedules.create('s', {
    spec: {
      cron: [
        { text: '@hourly', dialect: 'spring' },
        { text: '0 30 * * * *', dialect: 'spring', zone: 'Asia/Tokyo' },
      ],
    },
    run: 'work',
    input: { mine: 1, slot: 'mine too' },
    inject: { slot: 'scheduledAt', started: 'startedAt', run: 'runId', by: 'schedule', cron: 'cron' },
  });
  await world.advance('1h');
  const half = Math.ceil((begin + 1) / 1_800_000) * 1_800_000;
  const texts = ['@hourly UTC', '0 30 * * * * Asia/Tokyo'];
  const order = half % 3_600_000 === 0 ? texts : texts.toReversed();
  expect(inputs).toEqual(
    order.map((cron, index) => {
      const slot = half + index * 1_800_000;
      const run = (inputs[index] as { id: string }).id;
      return { id: run, input: { mine: 1, slot, started: slot, run, by: 's', cron } };
    }),
  );
});
