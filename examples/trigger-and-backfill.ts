/** Run a schedule now; run a stretch of the past, after a look at exactly which slots that would be. */
import { CarillonWorld } from 'carillon/testing';

const ran: string[] = [];
await using world = await CarillonWorld.start({
  start: '2026-01-31T12:00:00Z',
  setup: (carillon) => {
    carillon.handle('totals', ({ scheduledAt }) => {
      ran.push(new Date(scheduledAt).toISOString());
    });
  },
});
const { schedules } = world.carillon();
await schedules.create('totals', { cron: '0 2 * * *', run: 'totals' });

const { cause } = await schedules.trigger('totals', { actor: 'ada', note: 'the customer is on the phone' });
await world.settle();
console.log(`triggered (the ledger calls it ${cause}), ran for ${ran.join()}`);
ran.length = 0;

// January, which was before the schedule existed. Both ends are included.
const january = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:59:59Z' };
const { items: times, truncated } = await schedules.previewBackfill('totals', january);
console.log(`a backfill of January would run ${times.length} slots${truncated ? ' and more' : ''}:`);
console.log(`  from ${new Date(times[0]?.nominal ?? 0).toISOString()}`);
console.log(`  to   ${new Date(times.at(-1)?.nominal ?? 0).toISOString()}`);

// Ten a minute, one after the other.
const { id } = await schedules.backfill('totals', { ...january, overlap: 'bufferAll', ratePerMinute: 10 });
for (let minute = 0; minute < 5; minute += 1) {
  await world.settle();
  const backfill = (await schedules.describe('totals')).backfills.find((other) => other.id === id);
  if (backfill === undefined) break;
  console.log(`after ${minute} min: ${backfill.handed} of ${backfill.total} handed over, ${ran.length} ran`);
  await world.advance('1m');
}
console.log(`the backfill is done: ${ran.length} ran, first ${ran[0]}, last ${ran.at(-1)}`);

// A backfill that was a mistake is taken back; what has started goes on.
const mistake = await schedules.backfill('totals', { ...january, ratePerMinute: 1 });
await world.advance('90s');
const [open] = (await schedules.describe('totals')).backfills;
await schedules.cancelBackfill('totals', mistake.id);
const left = (await schedules.describe('totals')).backfills.length;
console.log(
  `a second one was cancelled after ${open?.handed} of ${open?.total} slots; ${left} backfills are left`,
);
const { next } = await schedules.describe('totals');
console.log(`the schedule itself never noticed: next at ${new Date(next ?? 0).toISOString()}`);
