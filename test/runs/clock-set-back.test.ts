/** The wall clock of a node is set back an hour while a handler runs; the store's clock is not changed. */
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { SteadyClock, SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { duration } from '../../packages/carillon/src/base/time.ts';
import { uniqueIds } from '../../packages/carillon/src/base/unique-id.ts';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { until } from '../support/until.ts';

test('its lease is kept alive, and no node takes the run over', async () => {
  const clock = new SystemClock();
  const store = new MemoryStore({ clock: new SteadyClock() });
  // Only on a store that others share does a lease end by time.
  Object.defineProperty(store, 'capabilities', { value: { shared: true, filters: 'all' } });
  const carillon = new Carillon({
    store,
    clock,
    steadyClock: new SteadyClock(),
    newId: uniqueIds(clock),
    tuning: { runs: { heartbeatMs: 100 }, engine: { longestSleep: duration(50) } },
  });
  const attempts: number[] = [];
  let finish: () => void = () => {};
  const finishing = new Promise<void>((resolve) => {
    finish = resolve;
  });
  carillon.handle('long', async ({ attempt, signal }) => {
    attempts.push(attempt);
    await Promise.race([finishing, once(signal, 'abort')]);
    return 'done';
  });
  await carillon.start();
  const { now } = Date;
  const { id } = await carillon.runs.enqueue({ run: 'long' });
  await expect.poll(() => attempts).toEqual([1]);
  const setBack = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  const leasedUntil = async () => (await store.list({ archetype: 'node', limit: 9 })).items[0]?.state;
  try {
    for (let beats = 0; beats < 3; beats += 1) {
      const before = await leasedUntil();
      await until(async () => (await leasedUntil()) !== before);
    }
    finish();
    await expect(carillon.runs.wait(id)).resolves.toMatchObject({ outcome: 'completed', attempt: 1 });
  } finally {
    setBack.mockRestore();
    await carillon.stop();
  }
  expect(attempts).toEqual([1]);
});
