import { expect, test } from 'vitest';
import { nextSkips, skipCount } from './schedule.ts';

function after(...skips: readonly boolean[]) {
  return skips.reduce<{ readonly skips?: number }>((before, isSkip) => nextSkips(before.skips, isSkip), {});
}

test('skips among the latest twenty are counted, older ones forgotten', () => {
  expect(skipCount(after(true, false, true))).toBe(2);
  expect(skipCount(after(...Array.from({ length: 40 }, (_, place) => place % 2 === 0)))).toBe(10);
  expect(skipCount(after(true, ...Array.from({ length: 19 }, () => false)))).toBe(1);
});

test('a schedule whose skips are all older keeps nothing', () => {
  expect(after(true, ...Array.from({ length: 20 }, () => false))).toEqual({});
  expect(after(false, false)).toEqual({});
});
