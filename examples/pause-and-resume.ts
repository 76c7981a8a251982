/**
 * Pause a schedule with a note, look at what would happen, and resume it: without the slots of the pause (the default),
 * with the latest of them, or with all. A pause can also end by itself.
 */
import { CarillonWorld } from 'carillon/testing';

const ran: string[] = [];
await using world = await CarillonWorld.start({
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('invoice', ({ scheduledAt }) => {
      ran.push(clock(scheduledAt));
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('invoice', { every: '1h', run: 'invoice', overlap: 'bufferAll' });

for (const missed of ['skip', 'once', 'all'] as const) {
  await schedules.pause('invoice', { note: 'month-end closing', actor: 'ada' });
  const { status, paused, next } = await schedules.describe('invoice');
  console.log(`${clock(world.now)} ${status} by ${paused?.by} (${paused?.note}), next: ${next}`);
  await world.advance('3h');
  await schedules.resume('invoice', { note: 'closing is done', actor: 'ada', missed });
  await world.settle();
  console.log(`${clock(world.now)} resumed with missed '${missed}', ran: ${ran.join(', ') || 'nothing'}`);
  ran.length = 0;
  await world.advance('1h');
  console.log(`${clock(world.now)} as usual again, ran: ${ran.join(', ')}`);
  ran.length = 0;
}

// 12:00 now. A pause with an end needs no second call.
await schedules.pause('invoice', { note: 'maintenance', until: '2026-01-01T15:30:00Z' });
await world.advance('4h');
console.log(`${clock(world.now)} the pause until 15:30 ended by itself, ran: ${ran.join(', ')}`);
console.log((await schedules.explain('invoice', '2026-01-01T14:00:00Z')).text);

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
