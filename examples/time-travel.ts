/** A year of an hourly schedule, in virtual time, with the real engine and your real handler. */
import { CarillonWorld } from 'carillon/testing';

const seen: number[] = [];
await using world = await CarillonWorld.start({
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('report', ({ scheduledAt }) => {
      seen.push(scheduledAt);
    });
  },
});
await world.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });

const began = performance.now();
await world.advance('365d');
const seconds = ((performance.now() - began) / 1000).toFixed(1);

console.log(`${seen.length} runs for ${new Set(seen).size} different times`);
console.log(
  `first ${new Date(seen[0] ?? 0).toISOString()}, last ${new Date(seen.at(-1) ?? 0).toISOString()}`,
);
console.log(`the year took ${seconds} s`);
