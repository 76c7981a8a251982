import { expect, test } from 'vitest';
import { base36 } from './base36.ts';

test.each([0, 1, 35, 36, 1295, 1296, 0xffffffff, 1_767_261_600_000, 36 ** 9 - 1])(
  '%d is written as toString does',
  (value) => {
    for (const length of [value.toString(36).length, 12, 13]) {
      expect(base36(value, length)).toBe(value.toString(36).padStart(length, '0'));
    }
  },
);

test('digits beyond the length are left out', () => {
  expect(base36(36 ** 3 + 5, 3)).toBe('005');
});
