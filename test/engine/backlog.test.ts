/** What an engine does that is started into a backlog. */
import { expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import {
  defineComponent,
  defineLibrary,
  Engine,
  factsOf,
  pureTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import { until } from '../support/until.ts';

test('batches grow from the first step on, and it is known that more is due before the first commit is concluded', async () => {
  const Bell = defineComponent({
    name: 'bell',
    state: stateOf<{ readonly rung: number }>(),
    facts: factsOf<{ readonly type: 'rung' }>(),
  });
  const ring = pureTask<typeof Bell, null>({
    name: 'ring',
    component: Bell,
    validate: () => true,
    execute: (bell) => {
      bell.set({ rung: bell.state.rung + 1 });
      bell.report({ type: 'rung' });
    },
  });
  const library = defineLibrary({ name: 'bell', root: Bell, tasks: [ring] });
  const steps: number[] = [];
  const behind: boolean[] = [];
  await using world = new World({
    seed: 1,
    libraries: () => [library],
    tuning: { stepSize: 4, largestStep: 64 },
    observer: {
      stepped: ({ executions }) => steps.push(executions),
      fact: () => behind.push(world.engine().isBehind),
    },
  });
  await world.start();
  const due = addTime(world.now, 1000) as Instant;
  for (let bell = 0; bell < 40; bell += 1) {
    await world
      .engine()
      .create(library, { namespace: 'default', id: `bell-${bell}` }, { rung: 0 }, (root) => {
        root.schedule(ring, null, due);
      });
  }
  await world.engine().stop();
  world.clock.moveTo(addTime(due, 1000));
  await world.engine().start();
  await world.settle();
  expect(steps).toEqual([4, 8, 16, 12]);
  expect(behind).toEqual([...Array(28).fill(true), ...Array(12).fill(false)]);
});

test('an end that comes with the first step does not make the node sleep past the times of other executions', async () => {
  const Bell = defineComponent({ name: 'bell', state: stateOf<{ readonly everyMs: number }>() });
  const rung: string[] = [];
  const ring = pureTask<typeof Bell, null>({
    name: 'ring',
    component: Bell,
    validate: () => true,
    execute: (bell) => {
      rung.push(bell.key.id);
      bell.schedule(ring, null, addTime(bell.now, bell.state.everyMs));
    },
  });
  const library = defineLibrary({ name: 'bell', root: Bell, tasks: [ring] });
  let waiting = 0;
  const clock = new VirtualClock(instant(0));
  const store = new MemoryStore({ clock });
  const options = { store, clock, libraries: [library], newId: () => `id-${rung.length}-${clock.now()}` };
  const create = async (id: string, inMs: number) => {
    const newId = () => id;
    await new Engine({ ...options, newId }).create(
      library,
      { namespace: 'default', id },
      { everyMs: 3_600_000 },
      (root) => {
        root.schedule(ring, null, addTime(clock.now(), inMs));
      },
    );
  };
  await store.migrate();
  await create('overdue', 1000);
  await create('soon', 4000);
  clock.moveTo(addTime(clock.now(), 2000));
  // The end of a run that the first step has started waits before the loop looks at the wake times.
  const engine = new Engine({ ...options, observer: { stepped: () => (waiting = 1) } });
  const end = { runIds: ['end'], decide: () => {}, committed: () => {}, failed: () => {} };
  const take = () => {
    if (waiting === 0) return undefined;
    waiting = 0;
    return end;
  };
  engine.commitWithSteps({
    get waiting() {
      return waiting;
    },
    get unacknowledged() {
      return waiting;
    },
    take,
    commitAlone: () => {},
  });
  await engine.start();
  await until(
    async () => clock.nextTimer,
    (timer) => timer !== undefined,
  );
  expect(rung).toEqual(['overdue']);
  // The next time that the loop waits for is that of the other execution.
  expect(clock.nextTimer).toBe(4000);
  clock.moveTo(instant(4000));
  clock.fireNext();
  await until(
    async () => rung.length,
    (count) => count === 2,
  );
  expect(rung).toEqual(['overdue', 'soon']);
  await engine.stop();
});
