/** Receive an event for everything that happens, after it is durable: for metrics, alerts and logs. */
import type { CarillonEvent } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

await using world = await CarillonWorld.start({
  expectFailures: true,
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('work', ({ scheduledAt }) => {
      if (new Date(scheduledAt).getUTCMinutes() >= 30) throw new Error('half past is too late');
    });
  },
});
const carillon = world.carillon();

const counts = new Map<string, number>();
const unsubscribe = carillon.subscribe((event) => {
  const what = wordsOf(event);
  counts.set(what, (counts.get(what) ?? 0) + 1);
  if (event.type === 'pausedOnFailure')
    console.log(`ALERT: ${event.schedule} paused itself after ${event.failures} failures`);
});

/** The compiler knows which fields each type of event has, and refuses a type that does not exist. */
function wordsOf(event: CarillonEvent): string {
  switch (event.type) {
    case 'slot':
      return `slot ${event.verdict}`;
    case 'finished':
      return `finished ${event.outcome}`;
    case 'closed':
      return `closed ${event.reason}`;
    default:
      return event.type;
  }
}

await carillon.schedules.create('work', { every: '10m', run: 'work', pauseAfterFailures: 2 });
await world.advance('1h');
await carillon.schedules.resume('work');
await carillon.schedules.delete('work');
unsubscribe();
await carillon.schedules.create('unheard', { every: '10m', run: 'work' });
await world.advance('1h');

for (const [what, count] of [...counts].sort()) console.log(`${what}: ${count}`);
