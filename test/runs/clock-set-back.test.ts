/** The wall clock of a node is set back an hour while a handler runs; the store's clock goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SteadyClock, SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { duration } from '../../packages/carillon/src/base/time.ts';
import { uniqueIds } from '../../packages/carillon/src/base/unique-id.ts';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';

test('its lease is kept alive, and nobody takes the run over', async () => {
  const clock = new SystemClock();
  const carillon = new Carillon({
    store: new MemoryStore({ clock: new SteadyClock() }),
    clock,
    steadyClock: new SteadyClock(),
    newId: uniqueIds(clock),
    tuning: { runs: { leaseMs: 150 }, engine: { longestSleep: duration(50) } },
  });
  const attempts: number[] = [];
  carillon.handle('long', async ({ attempt, signal }) => {
    attempts.push(attempt);
    await sleep(800, undefined, { signal });
    return 'done';
  });
  await carillon.start();
  const { now } = Date;
  const { id } = await carillon.runs.enqueue({ run: 'long' });
  await expect.poll(() => attempts).toEqual([1]);
  const setBack = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  try {
    await expect(carillon.runs.wait(id)).resolves.toMatchObject({ outcome: 'completed', attempt: 1 });
  } finally {
    setBack.mockRestore();
    await carillon.stop();
  }
  expect(attempts).toEqual([1]);
});
