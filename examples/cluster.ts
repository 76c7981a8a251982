/**
 * Two nodes on one PostgreSQL: a free node takes what is due, each time runs once, and when a node stops the other one
 * carries on. There is no leader. Start it with `DATABASE_URL=postgres://user@host/database`.
 */
import { openCarillon } from 'carillon';

const url = process.env.DATABASE_URL;
if (url === undefined) {
  console.log('this example needs DATABASE_URL: a PostgreSQL database in which it may create tables');
  process.exit(0);
}

const ran = new Map<string, string[]>();
async function node(name: string) {
  const carillon = await openCarillon({ store: url as string, concurrency: 5 });
  carillon.handle('tick', ({ schedule, scheduledAt }) => {
    const slot = `${schedule} ${scheduledAt}`;
    ran.set(slot, [...(ran.get(slot) ?? []), name]);
  });
  await carillon.start();
  return carillon;
}
const one = await node('node 1');
const two = await node('node 2');

// It does not matter which of them is asked: the schedules are in the database.
for (let index = 0; index < 10; index += 1) {
  await one.schedules.upsert(`tick-${index}`, { every: '1s', run: 'tick', remaining: 4 });
}
const slots = async (count: number) => {
  while (ran.size < count) await new Promise((resolve) => setTimeout(resolve, 20));
};
await slots(20);
await one.stop();
await slots(40);

const nodes = new Set([...ran.values()].flat());
const doubled = [...ran.values()].filter((names) => names.length > 1).length;
console.log(`${ran.size} times by ${[...nodes].sort().join(' and ')}, ${doubled} of them twice`);
console.log(
  `the other node sees them too: ${(await two.schedules.describe('tick-0')).counters.actions} actions`,
);
await two.stop();
