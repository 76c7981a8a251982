/**
 * What happens to slots that came due while no process ran. A process dies at 00:30 and comes back at 06:15; the
 * schedule fires every hour. The catch-up window says how old a slot may be, `missed` says which of them run.
 */
import type { ScheduleInput } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

async function show(title: string, policy: Partial<ScheduleInput>): Promise<void> {
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon) => {
      carillon.handle('report', () => {});
    },
  });
  // bufferAll, so that what is caught up runs one after the other instead of being skipped as an overlap.
  const { schedules } = world.carillon();
  await schedules.create('report', { every: '1h', run: 'report', overlap: 'bufferAll', ...policy });
  await world.advance('30m');
  world.crash(0);
  await world.advance('5h45m');
  await world.restart(0);
  await world.advance('1h');

  console.log(title);
  for (const { nominal, until, count, verdict } of (await world.carillon().schedules.slots('report')).items) {
    const slots =
      count === 1 ? `slot ${hour(nominal)}` : `slots ${hour(nominal)} to ${hour(until)} (${count})`;
    console.log(`  ${slots}: ${verdict}`);
  }
}

function hour(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

await show("catchup '3h', missed 'all': slots that are at most three hours old run", {
  catchup: '3h',
  missed: 'all',
});
await show("catchup '3h', missed 'once': of those, only the latest", { catchup: '3h', missed: 'once' });
await show("missed 'skip': nothing that is late", { catchup: '3h', missed: 'skip' });
await show("the default, catchup '1h' and missed 'all'", {});
