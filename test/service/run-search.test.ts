/** Runs by a filter of our own words, and the definition each was started under. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { narrow } from '../../packages/carillon/src/service/run-search/narrowing.ts';
import { RunSearch } from '../../packages/carillon/src/service/run-search/run-search.ts';
import { runKeys } from '../../packages/carillon/src/service/run-search/searched-run.ts';
import type { Filter, Store } from '../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const namespace = 'default';
const { signal } = new AbortController();

async function aWorld(): Promise<CarillonWorld> {
  const world = await CarillonWorld.start({
    expectFailures: true,
    setup: (carillon) => {
      carillon.handle('work', () => 'done');
      carillon.handle('fail', () => {
        throw new Error('on purpose');
      });
    },
  });
  const { schedules } = world.carillon();
  await schedules.create('good', { every: '1h', run: 'work', tags: ['first'] });
  await schedules.create('bad', { every: '1h', run: 'fail' });
  await world.advance('2h');
  return world;
}

/** A store that changes what it says of parts. */
function withParts(store: Store, change: (data: string) => string): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'parts') {
        return async (...query: Parameters<Store['parts']>) =>
          (await target.parts(...query)).map((part) => ({ ...part, data: change(part.data) }));
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test.each<[string, Filter, number]>([
  ['by schedule', { field: runKeys.schedule, is: '=', value: 'good' }, 2],
  ['by status', { field: runKeys.status, is: 'in', values: ['failed', 'running'] }, 2],
  ['by handler', { field: runKeys.name, is: '=', value: 'work' }, 2],
  ['by slot', { field: runKeys.nominal, is: '=', value: Date.UTC(2026, 0, 1, 1) }, 2],
  ['by what no run has', { field: runKeys.status, is: '=', value: 'continuedAsNew' }, 0],
  ['by duration', { field: runKeys.duration, is: '>=', value: 0 }, 4],
])('finds runs %s, and counts the same', async (_, filter, count) => {
  await using world = await aWorld();
  const { runSearch } = internalsOf(world.carillon()).services;
  const { items, next } = await runSearch.find({ namespace, filter, signal, limit: 10 });
  expect([items.length, next]).toEqual([count, null]);
  let counted = 0;
  await runSearch.forEach({ namespace, filter, signal }, () => {
    counted += 1;
  });
  expect(counted).toBe(count);
});

test('a run is found with the definition in force when it was started, not with the one of today', async () => {
  await using world = await aWorld();
  const { schedules } = world.carillon();
  await world.advance(1);
  await schedules.update('good', { every: '1h', run: 'work', tags: ['second'] });
  await world.advance('1h');
  const { runSearch } = internalsOf(world.carillon()).services;
  const filter: Filter = { field: runKeys.schedule, is: '=', value: 'good' };
  const { items } = await runSearch.find({ namespace, filter, signal, limit: 10 });
  const definitions = await runSearch.definitionsOf(items.map(({ run }) => run));
  expect(items.map(({ run }) => definitions.get(run.id)?.tags)).toEqual([['second'], ['first'], ['first']]);
  const [, older, oldest] = items.map(({ run }) => definitions.get(run.id));
  expect(older).toBe(oldest);
});

test('stored definitions are read through their version: a written one is opened, an unknown one is refused', async () => {
  await using world = await aWorld();
  const { runs } = internalsOf(world.carillon()).services;
  const { items } = await runs.list({ namespace, limit: 10 });
  const search = (version: number) =>
    new RunSearch({
      store: withParts(world.store, (data) => `{"@version":${version},"state":${data}}`),
      clock: world.clock,
    });
  const definitions = await search(1).definitionsOf(items);
  expect(items.map(({ id }) => definitions.get(id)?.action.kind)).toEqual(items.map(() => 'run'));
  await expect(search(99).definitionsOf(items)).rejects.toThrow('no upgrade from version 99');
});

test('only what the whole filter demands narrows the search', () => {
  const demand = (field: string, value: string): Filter => ({ field, is: '=', value });
  const either = { any: [demand(runKeys.schedule, 'a'), demand(runKeys.name, 'b')] };
  expect(narrow(either)).toEqual({});
  expect(narrow({ all: [demand(runKeys.schedule, 'a'), either] })).toEqual({ scheduleIds: ['a'] });
  expect(narrow(demand(runKeys.status, 'running'))).toEqual({ states: ['waiting', 'leased'] });
  expect(narrow(demand(runKeys.status, 'paused'))).toEqual({ isEmpty: true });
});
