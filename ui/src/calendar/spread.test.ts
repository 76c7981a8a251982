import { expect, test } from 'vitest';
import { spreadOf } from './spread.ts';

const hour = (peak: number) => Array.from({ length: 40 }, (_, minute) => (minute === 5 ? peak : 1));

test('a herd is spread over the minutes that follow, and none is lost', () => {
  const { before, after, mostBefore, mostAfter, moved, minutes } = spreadOf(hour(61), 5, 60);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  expect(sum(after)).toBe(sum(before));
  expect([mostBefore, mostAfter, moved, minutes]).toEqual([61, 5, 56, 14]);
  expect(after.slice(0, 5)).toEqual(before.slice(0, 5));
});

test('where spreading gains nothing, nothing moves', () => {
  expect(spreadOf(hour(2), 5, 2)).toMatchObject({ mostAfter: 2, moved: 0, minutes: 0 });
});
