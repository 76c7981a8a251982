import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { Engine } from '../../packages/carillon/src/engine/index.ts';
import { NodeLease } from '../../packages/carillon/src/runs/node-lease.ts';
import { Nodes } from '../../packages/carillon/src/runtime/nodes.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { SkewedClock, VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

/** Several nodes on one store in virtual time; a memory store that says it is shared. */
function aHouse() {
  const clock = new VirtualClock(instant(Date.UTC(2026, 0, 1)));
  const store = new MemoryStore({ clock }) as Store;
  Object.defineProperty(store, 'capabilities', { value: { shared: true, filters: 'all' } });
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const node = (name: string, skew = 0) => {
    const own = new SkewedClock(clock);
    own.skew = skew;
    const work = () => ({ queues: ['default'], handlers: {}, activeRuns: 0 });
    const trouble = (error: unknown) => {
      throw error;
    };
    const engine = new Engine({ store, clock: own, newId, libraries: [], observer: { trouble } });
    const lease = new NodeLease({ engine, steadyClock: clock, name, newId });
    const nodes = new Nodes({ store, clock: own, lease, name, version: '1.2.3', work, trouble });
    return {
      list: () => nodes.list(),
      start: async () => {
        await lease.start();
        await nodes.start();
      },
      stop: async () => {
        await nodes.stop();
        await lease.stop();
      },
    };
  };
  const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const advance = async (ms: number) => {
    const until = instant(clock.now() + ms);
    await settle();
    for (let next = clock.nextTimer; next !== undefined && next <= until; next = clock.nextTimer) {
      clock.moveTo(next);
      clock.fireNext();
      await settle();
    }
    clock.moveTo(until);
  };
  return { store, node, advance };
}

describe('nodes', () => {
  test('each tells its version, its skew and its zone data, and sees the others', async () => {
    const { node, advance } = aHouse();
    const [a, b] = [node('a'), node('b', 90_000)];
    await a.start();
    await b.start();
    await advance(1000);
    const seen = await a.list();
    expect(seen.map(({ name, state, skewMs, version }) => [name, state, skewMs, version])).toEqual([
      ['a', 'alive', 0, '1.2.3'],
      ['b', 'alive', 90_000, '1.2.3'],
    ]);
    expect(seen[0]?.timeZoneVersion).toMatch(/^\d{4}[a-z]$/);
  });

  test('one that stops in order is gone; one that dies is silent, and forgotten within two hours', async () => {
    const { node, advance, store } = aHouse();
    const [a, b, c] = [node('a'), node('b'), node('c')];
    for (const each of [a, b, c]) await each.start();
    await advance(1000);
    await b.stop();
    expect((await a.list()).map(({ name }) => name)).toEqual(['a', 'c']);
    // Dead: its loop no longer runs, but nothing was taken back.
    const [row] = (await store.list({ archetype: 'node', limit: 9 })).items.filter(({ state }) =>
      state.includes('"c"'),
    );
    await c.stop();
    await store.transact(
      { kind: 'keys', keys: [] },
      {
        decide: () => ({
          writes: { executions: [{ ...(row as NonNullable<typeof row>), version: 1, attributes: {} }] },
          result: undefined,
        }),
      },
    );
    await advance(60_000);
    expect((await a.list()).map(({ name, state }) => `${name} ${state}`)).toEqual(['a alive', 'c silent']);
    await advance(7_200_000);
    expect((await a.list()).map(({ name }) => name)).toEqual(['a']);
  });

  test('on a store of its own a node writes nothing and sees itself', async () => {
    const clock = new VirtualClock(instant(0));
    const store = new MemoryStore({ clock });
    const newId = () => 'n';
    const engine = new Engine({ store, clock, newId, libraries: [] });
    const lease = new NodeLease({ engine, steadyClock: clock, name: 'alone', newId });
    await lease.start();
    const nodes = new Nodes({
      store,
      clock,
      lease,
      name: 'alone',
      version: '1',
      work: () => ({ queues: [], handlers: {}, activeRuns: 2 }),
      trouble: () => {},
    });
    await nodes.start();
    expect(await nodes.list()).toMatchObject([{ name: 'alone', state: 'alive', activeRuns: 2, lagMs: 0 }]);
    expect((await store.list({ limit: 9 })).items).toEqual([]);
  });
});
