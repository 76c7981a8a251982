import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { requestKey } from '../../packages/carillon/src/client/request-key.ts';
import { timeIn } from '../../packages/carillon/src/runs/request-time.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

describe('the time in a request id', () => {
  test('is that of a UUID of version 7, also behind the name of an operation', () => {
    const before = Date.now();
    const key = requestKey();
    const now = instant(Date.now());
    expect(timeIn(key, now)).toBeGreaterThanOrEqual(before);
    expect(timeIn(key, now)).toBeLessThanOrEqual(now);
    expect(timeIn(`enqueueRun:${key}`, now)).toBe(timeIn(key, now));
  });

  test('is not taken from other ids, nor believed when it is a day away', () => {
    const now = instant(Date.UTC(2026, 0, 1));
    expect(timeIn('3f2b9c1e-7a54-4d8e-9a01-0123456789ab', now)).toBeUndefined();
    expect(timeIn('order-17', now)).toBeUndefined();
    expect(timeIn('01890a5d-ac96-774b-bcce-b302099a8057', now)).toBeUndefined();
  });
});

test('runs queued under such ids are listed newest first among the others, and a repeat gives the same run', async () => {
  const start = Date.UTC(2026, 0, 1, 12);
  await using world = await CarillonWorld.start({
    start,
    setup: (carillon) => carillon.handle('work', () => 1),
  });
  const { runs } = world.carillon();
  const keyAt = (ms: number) => {
    const time = ms.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`;
  };
  await runs.enqueue({ run: 'work' });
  await world.advance('1s');
  const queued = await runs.enqueue({ run: 'work', requestId: keyAt(world.now) });
  await world.advance('1s');
  const last = await runs.enqueue({ run: 'work' });
  const again = await runs.enqueue({ run: 'work', requestId: keyAt(start + 1000) });
  expect(again.id).toBe(queued.id);
  const { items } = await runs.list();
  expect(items.slice(0, 2).map(({ id }) => id)).toEqual([last.id, queued.id]);
});
