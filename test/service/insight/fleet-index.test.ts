/** The index behind lists and counts, when the store has trouble and when schedules change while it is read. */
import { expect, test } from 'vitest';
import { nextTurn } from '../../../packages/carillon/src/base/next-turn.ts';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { FleetIndex } from '../../../packages/carillon/src/service/insight/fleet-index.ts';
import { MemoryStore } from '../../../packages/carillon/src/store/memory/index.ts';
import type { CommittedChange, Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';

const daily = { cron: '0 9 * * *', run: 'work' };

async function stage() {
  const clock = new VirtualClock(Date.UTC(2026, 10, 2) as Instant);
  const world = new CarillonWorld({ clock, store: new MemoryStore({ clock }) });
  await world.start();
  const { schedules } = world.carillon();
  await schedules.create('a', daily);
  const trouble = { list: false, read: false, deaf: false };
  let reading: (() => Promise<void>) | undefined;
  const store = new Proxy(world.store, {
    get(target, name: keyof Store) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'capabilities') return { ...target.capabilities, shared: true };
      if (name === 'subscribe') {
        return (listener: (change: CommittedChange) => void) =>
          target.subscribe((change) => {
            if (!trouble.deaf) listener(change);
          });
      }
      if (typeof value !== 'function') return value;
      const method = value.bind(target);
      if (name !== 'list' && name !== 'read') return method;
      return async (...asked: unknown[]) => {
        if (trouble[name]) throw new Error('the store is away');
        const answer: unknown = await method(...asked);
        await reading?.();
        return answer;
      };
    },
  });
  const index = new FleetIndex({ store, clock, namespace: 'default' });
  const ids = async () => (await index.entries()).map(({ id }) => id);
  const whenRead = (then: () => Promise<void>) => {
    reading = async () => {
      reading = undefined;
      await then();
    };
  };
  const pass = (ms: number) => clock.moveTo((clock.now() + ms) as Instant);
  return { world, pass, schedules, trouble, index, ids, whenRead };
}

test('a walk that failed is made again', async () => {
  const { trouble, ids, world } = await stage();
  trouble.list = true;
  await expect(ids()).rejects.toThrow('the store is away');
  trouble.list = false;
  expect(await ids()).toEqual(['a']);
  world.crash(0);
});

test('changes that could not be read are read by the next request', async () => {
  const { trouble, ids, schedules, world } = await stage();
  expect(await ids()).toEqual(['a']);
  await schedules.create('b', daily);
  trouble.read = true;
  await expect(ids()).rejects.toThrow('the store is away');
  trouble.read = false;
  expect(await ids()).toEqual(['a', 'b']);
  world.crash(0);
});

test('a caller sees what it wrote, also while another request reads the index', async () => {
  const { whenRead, ids, index, schedules, world } = await stage();
  await ids();
  await schedules.pause('a');
  let own: Promise<boolean | undefined> | undefined;
  whenRead(async () => {
    await schedules.resume('a');
    own = index.entries().then(([entry]) => entry?.isPaused);
  });
  await ids();
  expect(await own).toBe(false);
  world.crash(0);
});

test('a schedule that is deleted while the walk goes on is gone for the next request', async () => {
  const { whenRead, ids, schedules, world } = await stage();
  whenRead(async () => void (await schedules.delete('a')));
  await ids();
  expect(await ids()).toEqual([]);
  world.crash(0);
});

test('a walk that is repeated lets no request wait, and what changes meanwhile is not lost', async () => {
  const { whenRead, ids, schedules, pass, world } = await stage();
  await schedules.create('b', daily);
  expect(await ids()).toEqual(['a', 'b']);
  pass(61_000);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  whenRead(() => held);
  expect(await ids()).toEqual(['a', 'b']);
  await schedules.delete('a');
  await schedules.create('c', daily);
  expect(await ids()).toEqual(['b', 'c']);
  goOn();
  await nextTurn();
  await nextTurn();
  expect(await ids()).toEqual(['b', 'c']);
  world.crash(0);
});

test('a repeated walk finds what no notification told, and one that fails is repeated', async () => {
  const { trouble, ids, schedules, pass, index, world } = await stage();
  expect(await ids()).toEqual(['a']);
  const isPaused = async () => (await index.entries())[0]?.isPaused;
  trouble.deaf = true;
  await schedules.pause('a');
  expect(await isPaused()).toBe(false);
  pass(61_000);
  trouble.list = true;
  expect(await isPaused()).toBe(false);
  await nextTurn();
  trouble.list = false;
  expect(await isPaused()).toBe(false);
  await nextTurn();
  await nextTurn();
  expect(await isPaused()).toBe(true);
  world.crash(0);
});
