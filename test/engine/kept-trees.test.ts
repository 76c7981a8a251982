/**
 * What an engine keeps of the rows it wrote must never be more than a saving: whatever others do to the store, and
 * whatever code outside does to the objects it was handed, the next decision is made over what is stored.
 */
import { describe, expect, test } from 'vitest';
import type { Duration } from '../../src/base/time.ts';
import { addTime } from '../../src/base/time.ts';
import {
  defineComponent,
  defineLibrary,
  Engine,
  pureTask,
  sideEffectTask,
  stateOf,
} from '../../src/engine/index.ts';
import { MemoryStore } from '../../src/store/memory/index.ts';
import type { Store } from '../../src/store/store.ts';
import { VirtualClock } from '../../src/testing/virtual-clock.ts';
import { World } from '../../src/testing/world.ts';
import { Errand, errandKey, errandLibrary, errandState } from './errand.ts';

describe('what an engine keeps of the rows it wrote', () => {
  test('is given up when the store has lost its last commit and another node wrote that version anew', async () => {
    const clock = new VirtualClock(1_000_000 as never);
    const before = new MemoryStore({ clock });
    const after = new MemoryStore({ clock });
    let current: Store = before;
    const failingOver = new Proxy({} as Store, {
      get: (_, name) => {
        const value = Reflect.get(current, name) as unknown;
        return typeof value === 'function' ? value.bind(current) : value;
      },
    });
    await before.migrate();
    await after.migrate();
    const { library, begin } = errandLibrary();
    let ids = 0;
    const engineOn = (store: Store) =>
      new Engine({ store, clock, libraries: [library], newId: () => `id-${++ids}` });
    const here = engineOn(failingOver);
    const there = engineOn(after);
    const key = errandKey('e');
    await here.create(library, { namespace: 'default', id: 'e' }, errandState(clock.now()), begin);
    await copyFirstVersion(before, after, key);

    clock.moveTo(addTime(clock.now(), 1000));
    expect(await here.runOnce()).toBe(1);
    // The commit is lost with the old master; somebody else writes version 2 on the new one.
    current = after;
    await there.update(Errand, key, (errand) => {
      errand.set({ ...errand.state, ticks: 500 });
    });
    expect(await here.read(Errand, key, (errand) => errand.state.ticks)).toBe(501);
    clock.moveTo(addTime(clock.now(), 1000));
    await here.runOnce();
    expect(await there.read(Errand, key, (errand) => errand.state.ticks)).toBe(502);
  });

  test('cannot be changed through what a side effect was given or has returned', async () => {
    const { library, world } = mutableWorld();
    await using _ = world;
    await world.start();
    const engine = world.engine();
    await engine.create(library, { namespace: 'default', id: 'b' }, { list: [1], seen: [] }, (box) => {
      box.schedule(library.tasks.get('work') as never, { words: ['given'] } as never);
      box.schedule(library.tasks.get('tick') as never, null as never, addTime(world.now, 5000));
    });
    await world.advance(20_000);
    expect(await storedState(world.store)).toMatchObject({ list: [1], seen: ['returned'], ticks: 1 });
  });

  test('cannot be changed through what a reader was shown', async () => {
    const { library, world } = mutableWorld();
    await using _ = world;
    await world.start();
    const engine = world.engine();
    const key = { namespace: 'default', archetype: 'box', id: 'b' };
    await engine.create(library, key, { list: [1], seen: [] }, (box) => {
      for (const seconds of [1, 10])
        box.schedule(library.tasks.get('tick') as never, null as never, addTime(world.now, seconds * 1000));
    });
    await world.advance(5000);
    const shown = await engine.read(library.root, key, (box) => box.state as { list: number[] });
    shown.list.push(99);
    await world.advance(20_000);
    expect(await storedState(world.store)).toMatchObject({ list: [1], ticks: 2 });
  });

  test('has no field that the stored text has not', async () => {
    const { library, world, ticked } = mutableWorld();
    await using _ = world;
    await world.start();
    const key = { namespace: 'default', id: 'b' };
    const state = { list: [], seen: [], odd: undefined, far: Number.POSITIVE_INFINITY };
    await world.engine().create(library, key, state as never, (box) => {
      for (const seconds of [1, 2, 3])
        box.schedule(library.tasks.get('tick') as never, null as never, addTime(world.now, seconds * 1000));
    });
    await world.advance(10_000);
    expect(ticked.slice(1)).toEqual([
      { keys: ['list', 'seen', 'far', 'ticks'], far: null },
      { keys: ['list', 'seen', 'far', 'ticks'], far: null },
    ]);
  });
});

/** An archetype whose code does not keep to the rules: it changes what it is given, and leaves fields undefined. */
function mutableWorld() {
  interface BoxState {
    readonly list: number[];
    readonly seen: string[];
    readonly ticks?: number;
  }
  const ticked: { keys: string[]; far: unknown }[] = [];
  const Box = defineComponent({ name: 'box', state: stateOf<BoxState>() });
  const tick = pureTask<typeof Box, null>({
    name: 'tick',
    component: Box,
    validate: () => true,
    execute: (box) => {
      ticked.push({ keys: Object.keys(box.state), far: (box.state as { far?: unknown }).far });
      box.set({ ...box.state, ticks: (box.state.ticks ?? 0) + 1, gone: undefined } as BoxState);
    },
  });
  const work = sideEffectTask<typeof Box, { words: string[] }, BoxState, string[]>({
    name: 'work',
    component: Box,
    lease: 10_000 as Duration,
    retry: { attempts: 3, initial: 1000 as Duration, longest: 1000 as Duration },
    validate: () => true,
    prepare: (box) => box.state,
    execute: async ({ payload, prepared }) => {
      payload.words.push('changed');
      prepared.list.push(2);
      const returned = ['returned'];
      laters.push(() => returned.push('later'));
      return returned;
    },
    complete: (box, _, seen) => {
      box.set({ ...box.state, seen });
    },
    exhausted: () => undefined,
  });
  const laters: (() => void)[] = [];
  const library = defineLibrary({ name: 'box', root: Box, tasks: [tick, work] });
  const world = new World({
    seed: 1,
    libraries: () => [library],
    observer: { transacted: () => laters.forEach((later) => void later()) },
  });
  return { library, world, ticked };
}

async function storedState(store: Store): Promise<unknown> {
  const [row] = await store.read({ keys: [{ namespace: 'default', archetype: 'box', id: 'b' }] });
  return (JSON.parse(row?.state ?? '') as { c: Record<string, [unknown]> }).c['']?.[0];
}

async function copyFirstVersion(from: Store, to: Store, key: ReturnType<typeof errandKey>): Promise<void> {
  const [row] = await from.read({ keys: [key] });
  if (row === undefined) throw new Error('nothing to copy');
  const parts = await from.parts({ incarnation: row.incarnation, name: 'note' });
  await to.transact(
    { kind: 'keys', keys: [] },
    { decide: () => ({ writes: { executions: [row], parts }, result: undefined }) },
  );
}
