/**
 * Three nodes share one store. One dies in the middle of a run: its lease lapses, another node takes the run over, and
 * no slot is lost or doubled. The world is simulated and driven by a seed, so the same story happens every time.
 */
import { CarillonWorld } from 'carillon/testing';

const completed: number[] = [];
let worker = '';
await using world = await CarillonWorld.start({
  seed: 7,
  nodes: 3,
  start: '2026-01-01T00:00:00Z',
  setup: (carillon, { name, clock, sleep }) => {
    carillon.handle('settle', async ({ scheduledAt, attempt, previousFailure }) => {
      const at = new Date(clock.now()).toISOString().slice(11, 19);
      if (completed.length < 3 || attempt > 1) console.log(`${at} ${name} begins attempt ${attempt}`);
      if (previousFailure !== null) console.log(`         (before: ${previousFailure.message})`);
      worker = name;
      await sleep('1m');
      completed.push(scheduledAt);
    });
  },
});
await world.carillon().schedules.create('settle', { every: '10m', run: 'settle' });

await world.advance('10m30s');
const dead = Number(worker.slice('node-'.length));
world.crash(dead);
console.log(`00:10:30 ${worker} dies in the middle of its run`);
await world.advance('5m');

// From now on with faults: answers get lost, calls are slow, a node dies every now and then.
world.setFaults({ failBefore: 0.02, failAfter: 0.02, delay: 0.1, longestDelayMs: 500 });
for (let hour = 0; hour < 24; hour += 1) {
  await world.restart(hour % 3);
  await world.advance('20m');
  world.crash(hour % 3);
  await world.advance('40m');
  await world.restart(hour % 3);
}
world.clearFaults();
await world.advance('1h');

const { items } = await world.carillon().schedules.slots('settle', { limit: 1000 });
const counts = new Map<string, number>();
for (const { verdict, count } of items) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
console.log(`${items.length} slots in the ledger: ${[...counts].map(([v, n]) => `${n} ${v}`).join(', ')}`);
console.log(`slots that completed: ${new Set(completed).size}`);
