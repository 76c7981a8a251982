/** A schedule that stops itself after three failures in a row, tells why, and goes on when it is resumed. */
import { CarillonWorld } from 'carillon/testing';

let databaseIsUp = false;
await using world = await CarillonWorld.start({
  expectFailures: true,
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('sync', () => {
      if (!databaseIsUp) throw new Error('the database does not answer');
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('sync', { every: '10m', run: 'sync', pauseAfterFailures: 3 });

await world.advance('1h');
const paused = await schedules.describe('sync');
console.log(`after an hour it is ${paused.status}, after ${paused.failures} failures in a row`);
console.log(`paused by ${paused.paused?.by}: ${paused.paused?.note}`);
console.log(`last failure: ${JSON.stringify((paused.lastFailure as { message: string }).message)}`);

databaseIsUp = true;
await schedules.resume('sync', { note: 'the database is back' });
await world.advance('1h');
const resumed = await schedules.describe('sync');
console.log(`after another hour it is ${resumed.status}, with ${resumed.failures} failures in a row`);

console.log('what became of each slot:');
for (const { nominal, until, count, verdict } of (await schedules.slots('sync')).items) {
  const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
  console.log(`  ${clock(nominal)}${count > 1 ? ` to ${clock(until)}, ${count} slots` : ''}: ${verdict}`);
}
console.log('who changed it:');
for (const { at, actor, action, note } of (await schedules.audit('sync')).items) {
  console.log(`  ${new Date(at).toISOString()} ${actor}: ${action}${note === '' ? '' : ` (${note})`}`);
}
