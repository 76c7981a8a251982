/** "Why did it not run?" asked about one schedule and several times, each with another answer. */
import type { Instant } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

await using world = await CarillonWorld.start({
  start: '2026-03-01T00:00:00Z',
  setup: (carillon, { sleep }) => {
    // Takes ten minutes, but on 3 March two hours.
    carillon.handle('sync', async ({ scheduledAt }) => {
      const minutes = new Date(scheduledAt).getUTCDate() === 3 ? 120 : 10;
      await sleep(minutes * 60_000);
    });
  },
});
const hours = { cron: '0 9-17 * * mon-fri', zone: 'America/New_York', excludeDates: ['2026-03-06'] };
await world.carillon().schedules.create('sync', { ...hours, run: 'sync' });

await world.advanceTo(at('2026-03-04T12:30:00-05:00'));
await world.carillon().schedules.pause('sync', { note: 'vendor is down', actor: 'grace' });
await world.advanceTo(at('2026-03-04T15:30:00-05:00'));
await world.carillon().schedules.resume('sync', { note: 'vendor is back' });
await world.advanceTo(at('2026-03-05T10:30:00-05:00'));
world.crash(0);
await world.advanceTo(at('2026-03-05T15:20:00-05:00'));
await world.restart(0);
await world.advanceTo(at('2026-03-08T20:00:00-04:00'));

for (const [when, what] of [
  ['2026-03-02T09:00:00-05:00', 'Monday at 9 in New York'],
  ['2026-03-03T10:00:00-05:00', 'Tuesday at 10, while the run of 9 took two hours'],
  ['2026-03-04T13:00:00-05:00', 'Wednesday at 13, during the pause'],
  ['2026-03-05T12:00:00-05:00', 'Thursday at 12, while the process was down'],
  ['2026-03-05T15:00:00-05:00', 'Thursday at 15, noticed twenty minutes late'],
  ['2026-03-06T09:00:00-05:00', 'Friday at 9, an excluded day'],
  ['2026-03-07T09:00:00-05:00', 'Saturday at 9'],
  ['2026-03-10T09:00:00-04:00', 'next Tuesday at 9, summer time by then'],
] as const) {
  const { answer, text } = await world.carillon().schedules.explain('sync', when);
  console.log(`${what}\n  ${answer}: ${text}`);
}

function at(text: string): Instant {
  return Date.parse(text) as Instant;
}
