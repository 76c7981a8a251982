/** A part that keeps its history, over two versions of its program: every old stamp is read as today's state. */
import { expect, test } from 'vitest';
import {
  defineComponent,
  defineLibrary,
  one,
  readStamp,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';

interface Motto {
  readonly text: string;
  readonly author: string;
}

/** 1: a text. 2: `[text, author]`. */
function houseProgram(version: 1 | 2) {
  const MottoOfHouse = defineComponent<Motto>({
    name: 'motto',
    version,
    state: stateOf<Motto>(),
    storage: 'cold',
    keepHistory: true,
    packing:
      version === 1
        ? { pack: ({ text }) => text, unpack: (text) => ({ text: text as string, author: '' }) }
        : {
            pack: ({ text, author }) => [text, author],
            unpack: (stored) => {
              const [text, author] = stored as readonly [string, string];
              return { text, author };
            },
          },
    upgrade: (stored) => ({ text: stored as string, author: 'unknown' }),
  });
  const House = defineComponent({
    name: 'house',
    state: stateOf<Record<string, never>>(),
    children: { motto: one(MottoOfHouse) },
  });
  return { MottoOfHouse, House, library: defineLibrary({ name: 'house', root: House, tasks: [] }) };
}

test('stamps of every version are read as the state of today, bare ones and those that say their version', async () => {
  const key = { namespace: 'default', archetype: 'house', id: 'h' };
  const [old, young] = [houseProgram(1), houseProgram(2)];
  let program = old;
  await using world = new World({ seed: 1, libraries: () => [program.library] });
  await world.start();
  await world.engine().create(old.library, key, {}, (house) => {
    house.create('motto', { text: 'first', author: '' });
    return undefined;
  });
  program = young;
  await world.restart(0);
  const change = (text: string, author: string) =>
    world.engine().update(young.House, key, (house) => {
      house.child('motto').set({ text, author });
    });
  await change('second', 'ann');
  await change('third', 'bob');
  const [row] = await world.store.read({ keys: [key] });
  const parts = await world.store.parts({ incarnation: row?.incarnation as string, name: 'motto' });
  expect(parts.map(({ data }) => readStamp(young.MottoOfHouse, data))).toEqual([
    { text: 'first', author: 'unknown' },
    { text: 'second', author: 'ann' },
    { text: 'third', author: 'bob' },
  ]);
  await world.restart(0);
  expect(await world.engine().read(young.House, key, (house) => house.child('motto').state)).toEqual({
    text: 'third',
    author: 'bob',
  });
});
