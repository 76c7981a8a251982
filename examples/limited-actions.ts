/** A schedule that may act three times. What comes after has the verdict `limitReached`; triggers do not count. */
import { CarillonWorld } from 'carillon/testing';

let reminders = 0;
await using world = await CarillonWorld.start({
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('remind', () => {
      reminders += 1;
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('remind', { cron: '0 9 * * *', run: 'remind', remaining: 3 });
await schedules.trigger('remind');

for (let day = 1; day <= 5; day += 1) {
  await world.advance('1d');
  const { remaining, next } = await schedules.describe('remind');
  const coming = next === null ? 'nothing more to come' : `next ${new Date(next).toISOString()}`;
  console.log(`day ${day}: ${reminders} reminders, ${remaining} left, ${coming}`);
}
console.log((await schedules.explain('remind', '2026-01-04T09:00:00Z')).text);

// Two more.
await schedules.update('remind', { cron: '0 9 * * *', run: 'remind', remaining: 2 });
await world.advance('5d');
console.log(`after two more: ${reminders} reminders`);
