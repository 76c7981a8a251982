/** The order in which a node starts and stops its parts, seen in its requests to the store. */
import { expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { Runtime } from '../../packages/carillon/src/runtime/runtime.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

function aRuntime() {
  const clock = new VirtualClock(instant(0));
  let ids = 0;
  const runtime = new Runtime({
    store: new MemoryStore({ clock }),
    clock,
    newId: () => `id-${ids++}`,
    name: 'node',
    archetypes: [],
  });
  const order: string[] = [];
  const watch = (name: string, part: { start(): Promise<void>; stop(): Promise<void> }) => {
    const { start, stop } = part;
    part.start = async () => {
      order.push(`${name} starts`);
      await start.call(part);
    };
    part.stop = async () => {
      order.push(`${name} stops`);
      await stop.call(part);
    };
  };
  watch('engine', runtime.engine);
  watch('node', runtime.nodes);
  return { runtime, order };
}

test('the record of the node comes first and goes last; twice is once', async () => {
  const { runtime, order } = aRuntime();
  await Promise.all([runtime.start(), runtime.start()]);
  expect(order).toEqual(['node starts', 'engine starts']);
  await runtime.stop();
  expect(order.slice(2)).toEqual(['engine stops', 'node stops']);
  await runtime.stop();
});

test('it can be started again after it was stopped: the store is not its own', async () => {
  const { runtime, order } = aRuntime();
  await runtime.stop();
  await runtime.start();
  await runtime.stop();
  await runtime.start();
  expect(runtime.activeRuns).toBe(0);
  await runtime.stop();
  expect(order.filter((each) => each === 'engine starts')).toHaveLength(2);
});
