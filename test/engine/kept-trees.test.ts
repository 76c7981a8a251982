/**
 * The trees that an engine keeps only save work: even if other nodes change the store, or code outside changes the objects
 * that it was given, the next decision is made over the stored rows.
 */
import { describe, expect, test } from 'vitest';
import type { Duration, Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Library, ReadNode } from '../../packages/carillon/src/engine/index.ts';
import {
  defineComponent,
  defineLibrary,
  Engine,
  many,
  one,
  pureTask,
  sideEffectTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import type { ListedExecution } from '../../packages/carillon/src/store/records.ts';
import type { Decider, Selection, Store } from '../../packages/carillon/src/store/store.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
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
    // The commit is lost with the old master; another node writes version 2 on the new one.
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

describe('a tree that is kept', () => {
  test('reads an upgraded cold part rightly, also when only a signal had asked for it', async () => {
    const first = jarLibrary(1);
    const { clock, store, engine } = engineWith(first.library);
    await engine.create(first.library, jar, { count: 0 }, (root) => {
      root.create('label', { text: 'tips' });
      root.schedule(first.tick, null, addTime(clock.now(), 1000));
    });
    const later = engineWith(jarLibrary(2).library, { clock, store });
    const lengths: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      clock.moveTo(addTime(clock.now(), 1000));
      await later.engine.runOnce();
      lengths.push((await rowOf(store)).signals);
    }
    expect(lengths).toEqual([{ length: 4 }, { length: 4 }, { length: 4 }]);
  });

  test('has its cold parts at hand after one of many was removed and looked at once more', async () => {
    const Item = defineComponent({ name: 'item', state: stateOf<{ text: string }>(), storage: 'cold' });
    const Root = defineComponent({
      name: 'root',
      state: stateOf<Counted>(),
      children: { items: many(Item) },
      packing: countPacking,
    });
    const read: string[] = [];
    const tick = pureTask<typeof Root, null>({
      name: 'tick',
      component: Root,
      validate: () => true,
      execute: (root, _, due) => {
        root.set({ count: root.state.count + 1 });
        const item = root.children('items').get(root.state.count === 1 ? 'a' : 'b');
        if (root.state.count === 1) root.remove('items', 'a');
        read.push(item?.state.text ?? 'gone');
        root.schedule(tick, null, addTime(due, 1000));
      },
    });
    const library = defineLibrary({ name: 'jar', root: Root, tasks: [tick] });
    const { clock, store, engine } = engineWith(library);
    await engine.create(library, jar, { count: 0 }, (root) => {
      for (const id of ['a', 'b']) root.add('items', id, { text: id.toUpperCase() });
      root.schedule(tick, null, addTime(clock.now(), 1000));
    });
    for (let step = 0; step < 3; step += 1) {
      clock.moveTo(addTime(clock.now(), 1000));
      await engine.runOnce();
    }
    expect((await rowOf(store)).incident).toBeNull();
    expect(read).toEqual(['A', 'B', 'B']);
  });

  test('does not hold on to the payload of a task, which is what was stored of it', async () => {
    const given: unknown[] = [];
    const shared = { words: ['first'] };
    const Root = defineComponent({ name: 'root', state: stateOf<Counted>(), packing: countPacking });
    const later = pureTask<typeof Root, object>({
      name: 'later',
      component: Root,
      validate: () => true,
      execute: (_, payload) => {
        given.push(payload);
      },
    });
    const tick = pureTask<typeof Root, null>({
      name: 'tick',
      component: Root,
      validate: () => true,
      execute: (root, _, due) => {
        root.set({ count: root.state.count + 1 });
        root.schedule(later, { when: new Date(0), odd: undefined, shared }, addTime(due, 1000));
      },
    });
    const library = defineLibrary({ name: 'jar', root: Root, tasks: [tick, later] });
    const { clock, engine } = engineWith(library);
    await engine.create(library, jar, { count: 0 }, (root) => {
      root.schedule(tick, null, addTime(clock.now(), 1000));
    });
    clock.moveTo(addTime(clock.now(), 1000));
    await engine.runOnce();
    shared.words.push('changed later');
    clock.moveTo(addTime(clock.now(), 1000));
    await engine.runOnce();
    expect(given).toStrictEqual([{ when: '1970-01-01T00:00:00.000Z', shared: { words: ['first'] } }]);
  });

  test('is found by its name, whatever object the store hands the row over in', async () => {
    const { library, tick } = jarLibrary(1);
    const clock = new VirtualClock(1_000_000 as never);
    const inner = new MemoryStore({ clock });
    const copying = new Proxy(inner as Store, {
      get: (target, name) => {
        if (name === 'transact')
          return (...args: Parameters<Store['transact']>) => transactCopies(target, ...args);
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { engine } = engineWith(library, { clock, store: copying });
    await engine.create(library, jar, { count: 0 }, (root) => {
      root.create('label', { text: 'tips' });
      root.schedule(tick, null, addTime(clock.now(), 1000));
    });
    for (let step = 0; step < 3; step += 1) {
      clock.moveTo(addTime(clock.now(), 1000));
      await engine.runOnce();
    }
    const row = await rowOf(inner);
    expect(row.incident).toBeNull();
    expect(JSON.parse(row.state)).toMatchObject({ c: { '': [[3], 1, 1] } });
  });
});

test('a hot state that packs to nothing is written as null', async () => {
  const Child = defineComponent({ name: 'child', state: stateOf<undefined>() });
  const Root = defineComponent({ name: 'root', state: stateOf<Counted>(), children: { child: one(Child) } });
  const library = defineLibrary({ name: 'jar', root: Root, tasks: [] });
  const { store, engine } = engineWith(library);
  await engine.create(library, jar, { count: 0 }, (root) => {
    root.create('child', undefined);
  });
  expect(JSON.parse((await rowOf(store)).state)).toMatchObject({ c: { child: [null, 1, 1] } });
});

test('a task cannot be due at no time at all', async () => {
  const { library, tick } = jarLibrary(1);
  const { store, engine } = engineWith(library);
  for (const never of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const created = engine.create(library, jar, { count: 0 }, (root) => {
      root.schedule(tick, null, never as Instant);
    });
    await expect(created).rejects.toThrow(`task tick cannot be due at ${never}`);
  }
  expect(await store.count({})).toBe(0);
});

interface Counted {
  readonly count: number;
}

const jar = { namespace: 'default', id: 'b' };
const countPacking = {
  pack: ({ count }: Counted) => [count],
  unpack: (packed: unknown): Counted => ({ count: (packed as readonly [number])[0] }),
};

/** Counts seconds; its label is cold, changed its form in version 2, and is only ever asked for by a signal. */
function jarLibrary(version: 1 | 2) {
  const Label = defineComponent({
    name: 'label',
    version,
    state: stateOf<{ text: string }>(),
    storage: 'cold',
    packing:
      version === 1
        ? { pack: ({ text }) => text, unpack: (text) => ({ text: text as string }) }
        : {
            pack: ({ text }) => ({ now: text }),
            unpack: (packed) => ({ text: (packed as { now: string }).now }),
          },
    upgrade: (stored) => ({ text: stored as string }),
  });
  const Root = defineComponent({
    name: 'root',
    state: stateOf<Counted>(),
    children: { label: one(Label) },
    packing: countPacking,
  });
  const tick = pureTask<typeof Root, null>({
    name: 'tick',
    component: Root,
    validate: () => true,
    execute: (root, _, due) => {
      root.set({ count: root.state.count + 1 });
      root.schedule(tick, null, addTime(due, 1000));
    },
  });
  const signals = (root: ReadNode<typeof Root>) => ({ length: root.child('label').state.text?.length ?? -1 });
  return {
    library: defineLibrary({ name: 'jar', root: Root, tasks: [tick], visibility: { signals } }),
    tick,
  };
}

function engineWith(library: Library, on: { clock?: VirtualClock; store?: Store } = {}) {
  const { clock = new VirtualClock(1_000_000 as never) } = on;
  const { store = new MemoryStore({ clock }) } = on;
  let ids = 0;
  const engine = new Engine({ store, clock, libraries: [library], newId: () => `id-${++ids}` });
  return { clock, store, engine };
}

async function rowOf(store: Store): Promise<ListedExecution> {
  const [row] = await store.read({ keys: [{ ...jar, archetype: 'jar' }] });
  if (row === undefined) throw new Error('there is no jar');
  return row;
}

/** The rows of the decision are not the very objects that were asked about. */
function transactCopies<T>(store: Store, selection: Selection, decider: Decider<T>): Promise<T> {
  return store.transact(selection, {
    need: (rows, runs) => decider.need?.(rows, runs) ?? { parts: [] },
    decide: (loaded) =>
      decider.decide({
        now: loaded.now,
        executions: loaded.executions.map((row) => ({ ...row })),
        runs: loaded.runs,
        part: (ref) => loaded.part(ref),
        events: loaded.events,
      }),
  });
}

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
