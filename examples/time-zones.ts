/**
 * What a daily schedule does when the clock changes. In New York 02:30 does not exist on 8 March 2026 (the clock jumps
 * from 02:00 to 03:00), and 01:30 comes twice on 1 November (at 02:00 it goes back to 01:00). Each rule, side by side.
 */
import { CarillonWorld } from 'carillon/testing';

const zone = 'America/New_York';
await using world = await CarillonWorld.start({ start: '2026-01-01T00:00:00Z' });
const { schedules } = world.carillon();

console.log('spring forward, 02:30 every day:');
for (const gap of ['shift', 'gapEnd', 'skip'] as const) {
  const id = `gap-${gap}`;
  await schedules.create(id, { cron: '30 2 * * *', zone, dst: { gap }, run: 'any' });
  console.log(`  gap '${gap}': ${await timesOf(id, '2026-03-07T00:00:00-05:00', 3)}`);
}

console.log('fall back, 01:30 every day:');
for (const fold of ['first', 'last', 'both'] as const) {
  const id = `fold-${fold}`;
  await schedules.create(id, { cron: '30 1 * * *', zone, dst: { fold }, run: 'any' });
  console.log(`  fold '${fold}': ${await timesOf(id, '2026-10-31T00:00:00-04:00', fold === 'both' ? 4 : 3)}`);
}

// A repeating interval is not a fixed time: without a rule it keeps its interval through the repeated hour.
await schedules.create('beat', { cron: '*/30 * * * *', zone, run: 'any' });
console.log(`every 30 minutes:\n  ${await timesOf('beat', '2026-11-01T00:45:00-04:00', 5)}`);

// What the clock leaves out can be asked about like any other time. 02:30 would have been 07:30 UTC.
const gap = await schedules.explain('gap-skip', '2026-03-08T02:30:00-05:00');
console.log(`why not at 02:30 on 8 March? ${gap.answer}: ${gap.text}`);
const fold = await schedules.explain('fold-first', '2026-11-01T01:30:00-05:00');
console.log(`why not at the second 01:30 on 1 November? ${fold.answer}: ${fold.text}`);

async function timesOf(id: string, after: string, count: number): Promise<string> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return (await schedules.next(id, { count, after }))
    .map(({ nominal }) => format.format(nominal))
    .join(' | ');
}
