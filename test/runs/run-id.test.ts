import { describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { shortTime } from '../../packages/carillon/src/runs/run-id.ts';

describe('the time in a lease token', () => {
  test('is what toString(36) says of the whole milliseconds, whenever it is', () => {
    const times = [0, 1, 36 ** 7 - 1, 36 ** 7, 1_767_226_200_000, 36 ** 8 - 1, 36 ** 8, -86_400_000, 1500.5];
    for (const at of times) {
      const text = shortTime(at as Instant);
      expect(text).toBe(Math.trunc(at).toString(36));
      expect(Number.parseInt(`${text}.token`, 36)).toBe(Math.trunc(at));
    }
  });
});
