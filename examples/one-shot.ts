/** Once, at a given time: it survives restarts like any schedule, and puts itself away when it is done. */
import { CarillonWorld } from 'carillon/testing';

await using world = await CarillonWorld.start({
  start: '2026-05-31T12:00:00Z',
  setup: (carillon) => {
    carillon.handle<{ plan: string }>('switchPlan', ({ input, scheduledAt }) => {
      console.log(`switched to ${input.plan} at ${new Date(scheduledAt).toISOString()}`);
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('switch-4711', {
  at: '2026-06-01T00:00:00+02:00',
  run: 'switchPlan',
  input: { plan: 'yearly' },
  idleClose: '1d',
});
const { words, next } = await schedules.describe('switch-4711');
console.log(`${words}; next: ${new Date(next ?? 0).toISOString()}`);

// The process is down when the time comes, and back within the catch-up window.
await world.advance('9h');
world.crash(0);
await world.advance('1h30m');
await world.restart(0);
await world.advance('1h');

const after = await world.carillon().schedules.describe('switch-4711');
console.log(`acted ${after.counters.actions} time(s), next: ${after.next}`);
console.log((await world.carillon().schedules.explain('switch-4711', '2026-06-01T00:00:00+02:00')).text);

await world.advance('2d');
const later = await world.carillon().schedules.describe('switch-4711');
console.log(`two days later it is ${later.status}`);
