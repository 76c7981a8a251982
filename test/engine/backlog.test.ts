/** What an engine does that is started into a backlog. */
import { expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import {
  defineComponent,
  defineLibrary,
  factsOf,
  pureTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';

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
