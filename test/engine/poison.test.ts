import { expect, test } from 'vitest';
import { newRun } from '../../packages/carillon/src/runs/run.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import { Errand, errandKey, errandLibrary, errandState } from './errand.ts';

// An execution that starts a run under an id that is taken makes the store refuse the whole step. The others in the
// batch must not suffer for it, now or at the next try.
test('an execution whose commit conflicts is quarantined alone, and the rest of its batch goes on', async () => {
  const { library, begin } = errandLibrary({
    onTick: (errand) => {
      if (errand.key.id !== 'poison') return;
      const { now, key, incarnation: owner } = errand;
      errand.startRun(
        newRun({ id: 'always-the-same', namespace: key.namespace, queue: 'q', name: 'n', now, owner }),
      );
    },
  });
  const incidents: string[] = [];
  await using world = new World({
    seed: 1,
    libraries: () => [library],
    observer: { incident: (key) => incidents.push(key.id) },
  });
  await world.start();
  for (const id of ['a', 'poison', 'b']) {
    const name = { namespace: 'default', id };
    await world.engine().create(library, name, errandState(world.now), (root) => begin(root));
  }
  await world.advance(5000);
  const ticks = (id: string) => world.engine().read(Errand, errandKey(id), (errand) => errand.state.ticks);
  expect(await ticks('a')).toBe(5);
  expect(await ticks('b')).toBe(5);
  expect(await ticks('poison')).toBe(1);
  expect(incidents).toEqual(['poison']);
});
