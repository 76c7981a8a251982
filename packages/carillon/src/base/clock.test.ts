import { expect, test, vi } from 'vitest';
import { SystemClock } from './clock.ts';
import { instant } from './time.ts';

test('a sleeper wakes in its time although the wall clock is set back an hour', async () => {
  const clock = new SystemClock();
  const began = performance.now();
  const woken = new Promise<void>((resolve) => {
    clock.wakeAt(instant(Date.now() + 50), resolve);
  });
  const real = Date.now;
  const back = vi.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
  try {
    await woken;
  } finally {
    back.mockRestore();
  }
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
});

test('no sleeper wakes before its time, and a cancelled sleeper never wakes', async () => {
  const clock = new SystemClock();
  const wakings: number[] = [];
  const at = instant(Date.now() + 20);
  const cancel = clock.wakeAt(at, () => wakings.push(-1));
  cancel();
  await new Promise<void>((resolve) => {
    clock.wakeAt(at, () => {
      wakings.push(Date.now());
      resolve();
    });
  });
  expect(wakings).toHaveLength(1);
  expect(wakings[0]).toBeGreaterThanOrEqual(at);
});
