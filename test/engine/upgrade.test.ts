/**
 * A jar of coins over three versions of its program. The stored shapes differ; a reader of an older one sees today's
 * state, and the next write leaves today's shape behind.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Fact, Library } from '../../packages/carillon/src/engine/index.ts';
import {
  defineComponent,
  defineLibrary,
  factsOf,
  one,
  pureTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import type { ListedExecution } from '../../packages/carillon/src/store/records.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import { Errand, errandKey, errandLibrary, errandState } from './errand.ts';

interface Coins {
  readonly count: number;
  readonly currency: string;
}

interface Label {
  readonly text: string;
  readonly language: string;
}

/** 1: `5`. 2: `{ count: 5 }`. 3: packed as `[5, 'EUR']`. */
function readCoins(stored: unknown, from: number): Coins {
  if (from === 1) return { count: stored as number, currency: 'EUR' };
  if (from === 2) return { ...(stored as { readonly count: number }), currency: 'EUR' };
  throw new Error(`coins of version ${from}`);
}

/** 1: `'tips'`. 2: `{ text: 'tips' }`. 3: `{ text: 'tips', language: 'en' }`. */
function readLabel(stored: unknown, from: number): Label {
  if (from === 1) return { text: stored as string, language: 'en' };
  if (from === 2) return { ...(stored as { readonly text: string }), language: 'en' };
  throw new Error(`label of version ${from}`);
}

const packings = {
  1: { pack: (coins: Coins) => coins.count, unpack: (count: unknown) => readCoins(count, 1) },
  2: { pack: ({ count }: Coins) => ({ count }), unpack: (stored: unknown) => readCoins(stored, 2) },
  3: {
    pack: ({ count, currency }: Coins) => [count, currency],
    unpack: (stored: unknown) => {
      const [count, currency] = stored as readonly [number, string];
      return { count, currency };
    },
  },
};

const labelPackings = {
  1: { pack: (label: Label) => label.text, unpack: (text: unknown) => readLabel(text, 1) },
  2: { pack: ({ text }: Label) => ({ text }), unpack: (stored: unknown) => readLabel(stored, 2) },
  3: { pack: (label: Label) => label, unpack: (stored: unknown) => stored as Label },
};

type Version = keyof typeof packings;

/** The program of one version. Every second a coin falls in; the label is only looked at when the jar is asked to. */
function jarProgram(version: Version, options: { readonly readsLabel?: boolean } = {}) {
  const LabelOfJar = defineComponent({
    name: 'label',
    version,
    state: stateOf<Label>(),
    storage: 'cold',
    packing: labelPackings[version],
    upgrade: readLabel,
  });
  const Jar = defineComponent({
    name: 'jar',
    version,
    state: stateOf<Coins>(),
    facts: factsOf<Fact>(),
    children: { label: one(LabelOfJar) },
    packing: packings[version],
    upgrade: readCoins,
  });
  const drop = pureTask<typeof Jar, null>({
    name: 'drop',
    component: Jar,
    validate: () => true,
    execute: (jar, _, due) => {
      if (options.readsLabel === true) jar.report({ type: jar.child('label').state.language });
      jar.set({ ...jar.state, count: jar.state.count + 1 });
      jar.schedule(drop, null, addTime(due, 1000));
    },
  });
  const library = defineLibrary({ name: 'jar', root: Jar, tasks: [drop] });
  return { library, drop, Jar, LabelOfJar };
}

const key = { namespace: 'default', archetype: 'jar', id: 'tips' };
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

/** A jar with three coins, left behind by the program of the given version. */
async function aJarOf(version: Version) {
  const incidents: string[] = [];
  const program = jarProgram(version);
  let library: Library = program.library as unknown as Library;
  const world = new World({
    seed: 1,
    libraries: () => [library],
    observer: { incident: (_, error) => incidents.push(String(error)) },
  });
  worlds.push(world);
  await world.start();
  await world.engine().create(program.library, key, { count: 0, currency: 'EUR' }, (jar) => {
    jar.create('label', { text: 'tips', language: 'en' });
    jar.schedule(program.drop, null, addTime(jar.now, 1000));
  });
  await world.advance(3000);
  const deploy = async (next: { readonly library: unknown }) => {
    library = next.library as Library;
    await world.restart(0);
    await world.settle();
  };
  const row = async () => (await world.store.read({ keys: [key] }))[0] as ListedExecution;
  const nodes = async () =>
    (JSON.parse((await row()).state) as { readonly c: Readonly<Record<string, readonly unknown[]>> }).c;
  const labels = async () => {
    const parts = await world.store.parts({ incarnation: (await row()).incarnation, name: 'label' });
    return parts.map((part) => part.data);
  };
  return { world, deploy, row, nodes, labels, incidents };
}

describe('an older stored form', () => {
  test.each([1, 2] as const)('of version %i is read as today’s state', async (version) => {
    const { world, deploy } = await aJarOf(version);
    const today = jarProgram(3);
    await deploy(today);
    const seen = await world
      .engine()
      .read(today.Jar, key, (jar) => ({ coins: jar.state, label: jar.child('label').state }));
    expect(seen).toEqual({
      coins: { count: 3, currency: 'EUR' },
      label: { text: 'tips', language: 'en' },
    });
  });

  test('is left alone by a caller that only reads it', async () => {
    const { world, deploy, row, labels } = await aJarOf(1);
    const before = await row();
    const today = jarProgram(3);
    await deploy(today);
    await world.engine().read(today.Jar, key, (jar) => jar.child('label').state);
    expect(await row()).toEqual(before);
    expect(await labels()).toEqual(['"tips"']);
  });

  test('is written in today’s form by the next step: hot at once, cold after the first read', async () => {
    const { world, deploy, nodes, labels } = await aJarOf(1);
    expect(await nodes()).toMatchObject({ '': [3, 1, 1], label: [null, 1, 1, 1] });

    await deploy(jarProgram(3));
    await world.advance(1000);
    expect(await nodes()).toMatchObject({ '': [[4, 'EUR'], 3, 1], label: [null, 1, 1, 1] });
    expect(await labels()).toEqual(['"tips"']);

    await deploy(jarProgram(3, { readsLabel: true }));
    await world.advance(1000);
    expect(await nodes()).toMatchObject({ '': [[5, 'EUR'], 3, 1], label: [null, 3, 1, 6] });
    expect(await labels()).toEqual(['{"text":"tips","language":"en"}']);
  });

  test('survives one deploy after the other: 1, 2, 3', async () => {
    const { world, deploy, nodes, row } = await aJarOf(1);
    for (const version of [2, 3] as const) {
      await deploy(jarProgram(version, { readsLabel: true }));
      await world.advance(1000);
      expect(await nodes()).toMatchObject({
        '': [expect.anything(), version, 1],
        label: [null, version, 1, (await row()).version],
      });
    }
    expect((await nodes())['']).toEqual([[5, 'EUR'], 3, 1]);
  });

  test('without an upgrade is refused by name and sets the execution aside unchanged', async () => {
    const { world, deploy, row, incidents } = await aJarOf(1);
    const before = await row();
    const { drop: _, ...today } = jarProgram(3);
    const Bare = defineComponent({
      name: 'jar',
      version: 3,
      state: stateOf<Coins>(),
      children: today.Jar.children,
    });
    const drop = pureTask<typeof Bare, null>({
      name: 'drop',
      component: Bare,
      validate: () => true,
      execute: () => undefined,
    });
    await deploy({ library: defineLibrary({ name: 'jar', root: Bare, tasks: [drop] }) });
    await world.advance(1000);
    const after = await row();
    expect(after.incident).toBe('Error: component jar has no upgrade from version 1');
    expect(incidents).toEqual(['Error: component jar has no upgrade from version 1']);
    expect(after.state).toBe(before.state);
  });

  test('goes on where it stopped when a version that can read it releases it', async () => {
    const { world, deploy, row, nodes } = await aJarOf(1);
    const broken = defineComponent({ name: 'jar', version: 2, state: stateOf<Coins>() });
    await deploy({ library: defineLibrary({ name: 'jar', root: broken, tasks: [] }) });
    await world.advance(5000);
    expect((await row()).incident).not.toBeNull();
    await deploy(jarProgram(3));
    await world.engine().release(key);
    await world.advance(0);
    expect((await row()).incident).toBeNull();
    expect((await nodes())['']).toEqual([[8, 'EUR'], 3, 1]);
  });
});

describe('a newer stored form', () => {
  // During a rolling upgrade the old node meets what the new one wrote; it must neither misread it nor set it aside.
  test('of a component is left alone, as the newer program wrote it', async () => {
    const { world, deploy, row } = await aJarOf(3);
    const before = await row();
    await deploy(jarProgram(2));
    await world.advance(1000);
    const after = await row();
    expect(after.incident).toBeNull();
    expect(after.state).toBe(before.state);
    expect(after.wakeAt).toBeGreaterThan(world.now);
    await expect(world.engine().read(jarProgram(2).Jar, key, (jar) => jar.state)).rejects.toThrow(
      'run the newer code',
    );
    await deploy(jarProgram(3));
    await world.advance(10_000);
    expect((await row()).version).toBeGreaterThan(after.version);
  });

  test('of the document is left alone', async () => {
    const { world, row } = await aJarOf(1);
    const stored = await row();
    const state = stored.state.replace('"f":1', '"f":2');
    await world.store.transact(
      { kind: 'keys', keys: [] },
      {
        decide: () => ({
          writes: { executions: [{ ...stored, version: stored.version + 1, state }] },
          result: undefined,
        }),
      },
    );
    await world.advance(1000);
    const after = await row();
    expect(after.incident).toBeNull();
    expect(after.state).toBe(state);
  });
});

describe('the document', () => {
  test('of an execution with a leased side effect has form 1 to the letter', async () => {
    const errands = errandLibrary({ send: () => new Promise(() => {}) });
    const world = new World({ seed: 1, libraries: () => [errands.library] });
    worlds.push(world);
    await world.start();
    const start = world.now;
    await world
      .engine()
      .create(errands.library, { namespace: 'default', id: 'a' }, errandState(start, 60_000), (errand) =>
        errands.begin(errand, 'hello'),
      );
    await world.engine().update(Errand, errandKey('a'), (errand) => errands.sendParcel(errand, 'x y/z'));
    await world.settle();
    const [row] = await world.store.read({ keys: [errandKey('a')] });
    expect(row?.state).toBe(
      `{"f":1,"n":3,"c":{"":[{"everyMs":60000,"ticks":0,"cursor":${start},"closed":false},1,1],` +
        `"note":[null,1,1,1],"parcels:x%20y%2Fz":[{"sentAs":null,"failed":null},1,2]},` +
        `"t":[[1,"","tick",${start + 60_000},null],` +
        `[2,"parcels:x%20y%2Fz","deliver",${start},{"to":"x y/z"},1,${start + 10_000}]]}`,
    );
  });
});
