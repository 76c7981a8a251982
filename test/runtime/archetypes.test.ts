/** A runtime knows no archetype by name: errands and desks, which live outside the library, run on it like schedules. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import type { Archetype } from '../../packages/carillon/src/runtime/archetype.ts';
import { Runtime } from '../../packages/carillon/src/runtime/runtime.ts';
import { Cluster } from '../../packages/carillon/src/testing/cluster.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import type { Errands } from '../engine/errand.ts';
import { errandArchetype } from '../engine/errand.ts';
import type { Desks } from '../runs/desk.ts';
import { deskArchetype, deskQueue } from '../runs/desk.ts';

interface Life {
  readonly runtime: Runtime;
  readonly errands: Archetype<Errands>;
  readonly desks: Archetype<Desks>;
}

async function openRuntimes(nodes = 1): Promise<{ world: Cluster<Runtime>; life(node?: number): Life }> {
  const lives = new Map<Runtime, Life>();
  const world = new Cluster<Runtime>({
    seed: 1,
    nodes,
    build: ({ store, clock, newId, name, aroundEffect }) => {
      const errands = errandArchetype();
      const desks = deskArchetype();
      const runtime = new Runtime({
        store,
        clock,
        newId,
        name,
        aroundEffect,
        archetypes: [errands, desks],
      });
      lives.set(runtime, { runtime, errands, desks });
      return runtime;
    },
  });
  await world.start();
  return { world, life: (node = 0) => lives.get(world.body(node)) as Life };
}

test('a runtime without schedules runs the archetypes it is given: tasks, side effects, runs and their ends', async () => {
  const { world, life } = await openRuntimes();
  await using _ = world;
  const { runtime, errands, desks } = life();
  await runtime.of(errands).create('e', 1000);
  await runtime.of(errands).send('e', 'parcel');
  await runtime.of(desks).create('d');
  await runtime.of(desks).start('d', { id: 'r' });
  await world.advance(3000);
  expect(await runtime.of(errands).ticks('e')).toBe(3);
  expect(await runtime.of(errands).sentAs('e', 'parcel')).toBe('parcel');
  expect(await runtime.of(desks).told('d')).toEqual({ r: ['completed'] });
});

test('work of a dead node continues on another node, for every archetype', async () => {
  const { world, life } = await openRuntimes(2);
  await using _ = world;
  await life(0).runtime.of(life(0).errands).create('e', 1000);
  await world.advance(2000);
  world.crash(0);
  await world.advance(3000);
  const { runtime, errands } = life(1);
  expect(await runtime.of(errands).ticks('e')).toBe(5);
});

test('a Carillon can bring further archetypes: their use cases, their queues, beside schedules', async () => {
  const desks = deskArchetype();
  const errands = errandArchetype();
  const carillon = await openCarillon({ store: 'memory:', archetypes: [errands, desks] });
  await using _ = carillon;
  const ended = new Promise<void>((resolve) => {
    internalsOf(carillon).runtime.observe({ concluded: () => resolve() });
  });
  expect(carillon.queues).toContain(deskQueue);
  await carillon.start();
  await carillon.of(desks).create('d');
  await carillon.of(desks).start('d', { id: 'r', now: internalsOf(carillon).services.now() });
  await ended;
  await expect.poll(() => carillon.of(desks).told('d')).toEqual({ r: ['completed'] });
  // The services that doors are given have them too.
  expect(internalsOf(carillon).services.of(errands)).toBe(carillon.of(errands));
  // A listing of schedules does not know them.
  expect((await carillon.schedules.list()).items).toEqual([]);
});

test('an archetype that was not given, and two of one name, are refused in words', async () => {
  const carillon = await openCarillon({ store: 'memory:' });
  await using _ = carillon;
  expect(() => carillon.of(deskArchetype())).toThrow("no archetype 'desk'");
  await expect(
    openCarillon({ store: 'memory:', archetypes: [deskArchetype(), deskArchetype()] }),
  ).rejects.toThrow("two archetypes are called 'desk'");
});

test('a queue has one owner: an archetype cannot take that of a handler', async () => {
  const carillon = await openCarillon({ store: 'memory:', archetypes: [deskArchetype()] });
  await using _ = carillon;
  carillon.handle('work', () => 'mine', { queue: deskQueue });
  await expect(carillon.start()).rejects.toThrow(`the queue '${deskQueue}' of the archetype 'desk'`);
});

test('the public face of a Carillon has neither engine nor store nor service', async () => {
  await using world = await CarillonWorld.start();
  const carillon = world.carillon();
  expect(Object.keys(carillon).sort()).toEqual(['hosts', 'name', 'namespace', 'nodes', 'runs', 'schedules']);
  for (const hidden of ['engine', 'store', 'service', 'services']) expect(hidden in carillon).toBe(false);
  expect(() => internalsOf({})).toThrow('not a Carillon');
});
