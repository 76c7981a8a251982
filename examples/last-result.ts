/** What a run returns is handed to the next one: a cursor, a watermark, an etag, without a table of your own. */
import { CarillonWorld } from 'carillon/testing';

await using world = await CarillonWorld.start({
  expectFailures: true,
  start: '2026-01-01T00:00:00Z',
  setup: (carillon) => {
    carillon.handle('fetch', ({ lastResult, lastFailure }) => {
      const from = (lastResult as { cursor: number } | null)?.cursor ?? 0;
      if (lastFailure !== null) console.log(`  the run before me failed: ${lastFailure.message}`);
      if (from === 200 && lastFailure === null) throw new Error('the server hung up');
      console.log(`  fetched ${from} to ${from + 99}`);
      return { cursor: from + 100 };
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('fetch', { every: '1h', run: 'fetch' });
for (let hour = 1; hour <= 4; hour += 1) {
  console.log(`hour ${hour}`);
  await world.advance('1h');
}
const { lastResult, lastFailure } = await schedules.describe('fetch');
console.log(
  `stored with the schedule: ${JSON.stringify(lastResult)}, last failure: ${JSON.stringify(lastFailure)}`,
);
