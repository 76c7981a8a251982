import { afterEach, describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../packages/carillon/src/base/assert.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Observer } from '../../packages/carillon/src/engine/index.ts';
import {
  defineComponent,
  defineLibrary,
  one,
  pureTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import type { ErrandOptions } from './errand.ts';
import { Errand, errandKey, errandLibrary, errandState, Note, Parcel } from './errand.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

async function anErrandWorld(options: ErrandOptions & { observer?: Partial<Observer> } = {}) {
  const errands = errandLibrary(options);
  const world = new World({
    seed: 1,
    libraries: () => [errands.library],
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  });
  worlds.push(world);
  await world.start();
  const create = (id: string, everyMs = 1000, requestId?: string) =>
    world
      .engine()
      .create(
        errands.library,
        { namespace: 'default', id },
        errandState(world.now, everyMs),
        (root) => errands.begin(root, 'hello'),
        {
          ...(requestId === undefined ? {} : { requestId }),
        },
      );
  const state = (id: string) => world.engine().read(Errand, errandKey(id), (node) => node.state);
  return { world, create, state, ...errands };
}

async function rowOf(world: World, id: string) {
  const [row] = await world.store.read({ keys: [errandKey(id)] });
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

describe('timers', () => {
  test('runs a pure task at its time and never before', async () => {
    const { world, create, state } = await anErrandWorld();
    await create('a');
    await world.advance(999);
    expect((await state('a')).ticks).toBe(0);
    await world.advance(1);
    expect((await state('a')).ticks).toBe(1);
    await world.advance(60_000);
    expect((await state('a')).ticks).toBe(61);
  });

  test('keeps one wake time per execution: the earliest of its tasks', async () => {
    const { world, create } = await anErrandWorld();
    await create('a', 5000);
    expect((await rowOf(world, 'a')).wakeAt).toBe(addTime(world.now, 5000));
  });

  test('catches up every overdue tick in order after a pause', async () => {
    const { world, create, state } = await anErrandWorld();
    await create('a');
    world.crash(0);
    await world.advance(30_000);
    await world.restart(0);
    await world.advance(0);
    expect((await state('a')).ticks).toBe(30);
    const slots = await world.store.slots({ incarnation: (await rowOf(world, 'a')).incarnation, limit: 100 });
    const nominal = slots.items.map((slot) => slot.nominal);
    expect(nominal).toEqual([...nominal].sort((a, b) => a - b));
    expect(new Set(nominal).size).toBe(30);
  });

  test('writes nothing when an update changes nothing', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const before = await rowOf(world, 'a');
    await world.engine().update(Errand, errandKey('a'), (errand) => {
      errand.set(errand.state);
    });
    expect((await rowOf(world, 'a')).version).toBe(before.version);
  });
});

describe('hot and cold', () => {
  test('a tick rewrites the hot row and no part', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const { incarnation } = await rowOf(world, 'a');
    await world.advance(5000);
    const parts = await world.store.parts({ incarnation, name: 'note' });
    expect(parts.map((part) => part.stamp)).toEqual([1]);
    expect((await rowOf(world, 'a')).version).toBe(6);
  });

  test('a part that is replaced between reading a row and its parts is read with the newer row', async () => {
    const Outcome = defineComponent({ name: 'outcome', state: stateOf<string>(), storage: 'cold' });
    const Book = defineComponent({
      name: 'book',
      state: stateOf<number>(),
      children: { outcome: one(Outcome) },
    });
    const library = defineLibrary({ name: 'book', root: Book, tasks: [] });
    const world = new World({ seed: 1, nodes: 2, libraries: () => [library] });
    worlds.push(world);
    await world.start();
    const key = { namespace: 'default', id: 'b' };
    const book = { ...key, archetype: 'book' };
    await world.engine().create(library, key, 0, (root) => {
      root.create('outcome', 'none');
    });
    // The other node has no part in memory, and reads them after the row.
    const reader = world.engine(1);
    const { store } = reader;
    const parts = store.parts.bind(store);
    let replaced = 0;
    store.parts = async (query) => {
      replaced += 1;
      if (replaced <= 3)
        await world.engine().update(Book, book, (root) => {
          root.child('outcome').set(`outcome ${replaced}`);
        });
      return await parts(query);
    };
    expect(await reader.read(Book, book, (root) => root.child('outcome').state)).toBe('outcome 3');
  });

  test('attributes are written again only when a part that they are read from changes', async () => {
    const Title = defineComponent({ name: 'title', state: stateOf<string>(), storage: 'cold' });
    const Outcome = defineComponent({ name: 'outcome', state: stateOf<string>(), storage: 'cold' });
    const Book = defineComponent({
      name: 'book',
      state: stateOf<number>(),
      children: { title: one(Title), outcome: one(Outcome) },
    });
    let reads = 0;
    const library = defineLibrary({
      name: 'book',
      root: Book,
      tasks: [],
      visibility: {
        sources: [Title],
        attributes: (book) => {
          reads += 1;
          return { title: book.child('title').state };
        },
      },
    });
    const world = new World({ seed: 1, libraries: () => [library] });
    worlds.push(world);
    await world.start();
    const key = { namespace: 'default', id: 'b' };
    await world.engine().create(library, key, 0, (book) => {
      book.create('title', 'Emma');
      book.create('outcome', 'none');
    });
    expect(reads).toBe(1);
    const change = async (part: 'title' | 'outcome', value: string) => {
      await world.engine().update(Book, { ...key, archetype: 'book' }, (book) => {
        book.child(part).set(value);
      });
      return (await world.store.read({ keys: [{ ...key, archetype: 'book' }] }))[0]?.attributes;
    };
    expect(await change('outcome', 'good')).toEqual({ title: 'Emma' });
    expect(reads).toBe(1);
    expect(await change('title', 'Persuasion')).toEqual({ title: 'Persuasion' });
  });

  test('a component that keeps history stays readable at every stamp', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    for (const text of ['one', 'two']) {
      await world.engine().update(Errand, errandKey('a'), (errand) => {
        errand.child('note').set({ text });
      });
    }
    const { incarnation, attributes } = await rowOf(world, 'a');
    const parts = await world.store.parts({ incarnation, name: 'note' });
    expect(parts.map((part) => JSON.parse(part.data))).toEqual([
      { text: 'hello' },
      { text: 'one' },
      { text: 'two' },
    ]);
    expect(attributes).toEqual({ note: 'two' });
  });
});

describe('start', () => {
  test('refuses a second open execution under one key', async () => {
    const { create } = await anErrandWorld();
    await create('a');
    await expect(create('a')).rejects.toMatchObject({ code: 'alreadyExists', reason: 'ALREADY_EXISTS' });
  });

  test('answers a repeated request id with the execution it created', async () => {
    const { create } = await anErrandWorld();
    const first = await create('a', 1000, 'request-1');
    const again = await create('a', 1000, 'request-1');
    expect(first.created).toBe(true);
    expect(again).toEqual({ created: false, incarnation: first.incarnation });
  });

  test('gives a closed key a new incarnation', async () => {
    const { world, create, state } = await anErrandWorld();
    const first = await create('a');
    await world.engine().update(Errand, errandKey('a'), (errand) => {
      errand.set({ ...errand.state, closed: true });
    });
    const second = await create('a');
    expect(second.created).toBe(true);
    expect(second.incarnation).not.toBe(first.incarnation);
    await world.advance(1000);
    expect((await state('a')).ticks).toBe(1);
  });
});

describe('update', () => {
  test('applies a request id once and repeats its answer', async () => {
    const { world, create, state } = await anErrandWorld();
    await create('a');
    const bump = () =>
      world.engine().update(
        Errand,
        errandKey('a'),
        (errand) => {
          errand.set({ ...errand.state, ticks: errand.state.ticks + 10 });
          return { ticks: errand.state.ticks };
        },
        { requestId: 'r' },
      );
    expect(await bump()).toEqual({ ticks: 10 });
    expect(await bump()).toEqual({ ticks: 10 });
    expect((await state('a')).ticks).toBe(10);
  });

  test('forgets a request that was refused, so that it may be tried again', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const options = { requestId: 'r' };
    const refuse = () => {
      throw new ServiceError({ code: 'failedPrecondition', reason: 'NO', message: 'no' });
    };
    await expect(world.engine().update(Errand, errandKey('a'), refuse, options)).rejects.toMatchObject({
      reason: 'NO',
    });
    expect(await world.engine().update(Errand, errandKey('a'), () => 'yes', options)).toBe('yes');
  });

  test('remembers the newest 25 requests: an older one is applied again', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    let applied = 0;
    const change = (errand: { state: { ticks: number }; set: (state: never) => void }) => {
      applied += 1;
      errand.set({ ...errand.state, ticks: applied } as never);
      return applied;
    };
    const ask = async (requestId: string) =>
      await world.engine().update(Errand, errandKey('a'), change as never, { requestId });
    for (let index = 1; index <= 26; index += 1) await ask(`r${index}`);
    expect([await ask('r2'), await ask('r26')]).toEqual([2, 26]);
    expect(await ask('r1')).toBe(27);
  });

  test('a refused update changes nothing', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const before = await rowOf(world, 'a');
    const change = world.engine().update(Errand, errandKey('a'), (errand) => {
      errand.set({ ...errand.state, ticks: 99 });
      throw new ServiceError({ code: 'invalidArgument', reason: 'BAD', message: 'bad' });
    });
    await expect(change).rejects.toMatchObject({ reason: 'BAD' });
    expect(await rowOf(world, 'a')).toEqual(before);
  });

  test('a closed execution takes no changes and no tasks', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const close = () =>
      world.engine().update(Errand, errandKey('a'), (errand) => {
        errand.set({ ...errand.state, closed: true });
      });
    await close();
    await expect(close()).rejects.toMatchObject({ code: 'failedPrecondition', reason: 'EXECUTION_CLOSED' });
    await world.advance(10_000);
    const row = await rowOf(world, 'a');
    expect(row).toMatchObject({ status: 'closed', wakeAt: null, closedAt: world.now - 10_000 });
  });

  test('names what it did not find', async () => {
    const { world } = await anErrandWorld();
    const change = world.engine().update(Errand, errandKey('absent'), () => undefined);
    await expect(change).rejects.toMatchObject({
      code: 'notFound',
      message: expect.stringContaining("'absent'"),
    });
  });
});

describe('references', () => {
  test('a reference does not reach a component created later in the same place', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const engine = world.engine();
    const add = () =>
      engine.update(
        Errand,
        errandKey('a'),
        (errand) => errand.add('parcels', 'p', { sentAs: 'x', failed: null }).ref,
      );
    const first = await add();
    await engine.update(Errand, errandKey('a'), (errand) => {
      errand.remove('parcels', 'p');
    });
    const second = await add();
    await expect(engine.read(Parcel, first, (parcel) => parcel.state)).rejects.toMatchObject({
      code: 'notFound',
    });
    expect(await engine.read(Parcel, second, (parcel) => parcel.state.sentAs)).toBe('x');
  });

  test('a reference does not reach a later incarnation', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const engine = world.engine();
    const ref = await engine.read(Errand, errandKey('a'), (errand) => errand.ref);
    await engine.delete(errandKey('a'));
    await create('a');
    await expect(engine.update(Errand, ref, () => undefined)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('quarantine', () => {
  test('isolates an execution whose code throws and lets the rest of the batch commit', async () => {
    const incidents: string[] = [];
    const { world, create, state } = await anErrandWorld({
      onTick: (errand) => {
        if (errand.key.id === 'bad') throw new Error('boom');
      },
      observer: { incident: (key, error) => incidents.push(`${key.id}: ${(error as Error).message}`) },
    });
    for (const id of ['a', 'bad', 'c']) await create(id);
    await world.advance(3000);
    expect((await state('a')).ticks).toBe(3);
    expect((await state('c')).ticks).toBe(3);
    expect(await rowOf(world, 'bad')).toMatchObject({ incident: 'Error: boom', wakeAt: null, version: 2 });
    expect(incidents).toEqual(['bad: boom']);
  });

  test('goes on where it stopped when released', async () => {
    let broken = true;
    const { world, create, state } = await anErrandWorld({
      onTick: () => {
        if (broken) throw new Error('boom');
      },
    });
    await create('a');
    await world.advance(2500);
    broken = false;
    await world.engine().release(errandKey('a'));
    await world.advance(500);
    expect((await state('a')).ticks).toBe(3);
    expect((await rowOf(world, 'a')).incident).toBeNull();
  });

  test('a task that schedules itself for now is quarantined instead of spinning', async () => {
    const Spinner = defineComponent({ name: 'spinner', state: stateOf<{ readonly turns: number }>() });
    const spin = pureTask<typeof Spinner, null>({
      name: 'spin',
      component: Spinner,
      validate: () => true,
      execute: (spinner) => {
        spinner.set({ turns: spinner.state.turns + 1 });
        spinner.schedule(spin, null);
      },
    });
    const library = defineLibrary({ name: 'spinner', root: Spinner, tasks: [spin] });
    const incidents: unknown[] = [];
    const world = new World({
      seed: 1,
      libraries: () => [library],
      observer: { incident: (_, error) => incidents.push(error) },
    });
    worlds.push(world);
    await world.start();
    const id = { namespace: 'default', id: 's' };
    await world
      .engine()
      .create(
        library,
        id,
        { turns: 0 },
        (root) => root.schedule(spin, null, addTime(root.now, 10)) as undefined,
      );
    await world.advance(20);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toBeInstanceOf(InvariantViolation);
    const [row] = await world.store.read({ keys: [{ ...id, archetype: 'spinner' }] });
    expect(row).toMatchObject({ wakeAt: null, incident: expect.stringContaining('spin') });
  });
});

describe('side effects', () => {
  test('runs after the commit and reports back', async () => {
    const sent: string[] = [];
    const { world, create, sendParcel } = await anErrandWorld({
      send: async ({ payload, prepared, attempt }) => {
        sent.push(`${payload.to} ${prepared.note} ${attempt}`);
        return 'ok';
      },
    });
    await create('a');
    const engine = world.engine();
    await engine.update(Errand, errandKey('a'), (errand) => sendParcel(errand, 'p'));
    await world.settle();
    expect(sent).toEqual(['p hello 1']);
    expect(await parcelState(world, 'p')).toEqual({ sentAs: 'ok', failed: null });
  });

  test('retries a failing one with growing pauses, then gives up loudly', async () => {
    const at: number[] = [];
    const { world, create, sendParcel } = await anErrandWorld({
      attempts: 4,
      send: async () => {
        at.push(world.now);
        throw new Error('closed door');
      },
    });
    await create('a', 1_000_000);
    const began = world.now;
    await world.engine().update(Errand, errandKey('a'), (errand) => sendParcel(errand, 'p'));
    await world.advance(60_000);
    expect(at.map((time) => time - began)).toEqual([0, 1000, 3000, 7000]);
    expect(await parcelState(world, 'p')).toEqual({ sentAs: null, failed: 'Error: closed door' });
  });

  test('is taken over when the lease lapses, and the late answer of the first holder is dropped', async () => {
    const answers: ((value: string) => void)[] = [];
    const attempts: number[] = [];
    const { world, create, sendParcel } = await anErrandWorld({
      send: ({ attempt }) => {
        attempts.push(attempt);
        return new Promise((resolve) => {
          answers.push(resolve);
        });
      },
    });
    await create('a', 1_000_000);
    await world.engine().update(Errand, errandKey('a'), (errand) => sendParcel(errand, 'p'));
    await world.advance(10_000);
    expect(attempts).toEqual([1, 2]);
    answers[0]?.('too late');
    await world.settle();
    expect(await parcelState(world, 'p')).toEqual({ sentAs: null, failed: null });
    answers[1]?.('in time');
    await world.settle();
    expect(await parcelState(world, 'p')).toEqual({ sentAs: 'in time', failed: null });
  });

  test('survives the crash of its holder', async () => {
    const sent: number[] = [];
    let hang = true;
    const { world, create, sendParcel } = await anErrandWorld({
      send: ({ attempt }) => {
        sent.push(attempt);
        return hang ? new Promise(() => {}) : Promise.resolve('ok');
      },
    });
    await create('a', 1_000_000);
    await world.engine().update(Errand, errandKey('a'), (errand) => sendParcel(errand, 'p'));
    await world.settle();
    hang = false;
    await world.restart(0);
    await world.advance(10_000);
    expect(sent).toEqual([1, 2]);
    expect((await parcelState(world, 'p')).sentAs).toBe('ok');
  });

  async function parcelState(world: World, id: string) {
    return await world.engine().read(Errand, errandKey('a'), (errand) => {
      const parcel = errand.children('parcels').get(id);
      if (parcel === undefined) throw new Error(`no parcel ${id}`);
      return parcel.state;
    });
  }
});

describe('long-poll', () => {
  test('waits until the view gives something', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    let seen: number | undefined;
    const polling = world
      .engine()
      .poll(Errand, errandKey('a'), (errand) => (errand.state.ticks >= 3 ? errand.state.ticks : undefined))
      .then((ticks) => {
        seen = ticks;
      });
    await world.advance(2000);
    expect(seen).toBeUndefined();
    await world.advance(1000);
    await polling;
    expect(seen).toBe(3);
  });

  test('ends with the reason of its signal', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const abort = new AbortController();
    const polling = world.engine().poll(Errand, errandKey('a'), () => undefined, { signal: abort.signal });
    const ended = expect(polling).rejects.toThrow('enough');
    await world.settle();
    abort.abort(new Error('enough'));
    await ended;
  });
});

describe('reads', () => {
  test('a read view cannot write, not even by force', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const forced = world.engine().read(Errand, errandKey('a'), (errand) => {
      (errand as unknown as { set(state: unknown): void }).set({});
    });
    await expect(forced).rejects.toThrow('a read view cannot write');
  });

  test('reaches children and ancestors by their definitions', async () => {
    const { world, create } = await anErrandWorld();
    await create('a');
    const note = await world
      .engine()
      .read(Errand, errandKey('a'), (errand) => errand.child('note').ancestor(Errand).child('note').state);
    expect(note).toEqual({ text: 'hello' });
    const ref = await world.engine().read(Errand, errandKey('a'), (errand) => errand.child('note').ref);
    expect(await world.engine().read(Note, ref, (node) => node.state.text)).toBe('hello');
  });
});

describe('rolling upgrades', () => {
  test('a node that does not know an archetype leaves its executions to nodes that do', async () => {
    const errands = errandLibrary();
    const world = new World({
      seed: 1,
      nodes: 2,
      libraries: (node) => (node.name === 'node-1' ? [errands.library] : []),
    });
    worlds.push(world);
    await world.start();
    const root = errandState(world.now as Instant);
    await world
      .engine(1)
      .create(errands.library, { namespace: 'default', id: 'a' }, root, (errand) => errands.begin(errand));
    await world.advance(300_000);
    const row = await rowOf(world, 'a');
    expect(row.incident).toBeNull();
    expect(row.signals.ticks).toBeGreaterThan(200);
  });
});
