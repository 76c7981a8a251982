import { expect, test } from 'vitest';
import { movedCount } from './moved.ts';

test('a row that goes to the top is one row that moves', () => {
  expect(movedCount(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toBe(1);
});

test('equal orders move nothing, a new row counts', () => {
  expect(movedCount(['a', 'b'], ['a', 'b'])).toBe(0);
  expect(movedCount(['a', 'b', 'c'], ['a', 'x', 'b'])).toBe(1);
  expect(movedCount([], [])).toBe(0);
});

test('rows that change places in pairs', () => {
  expect(movedCount(['a', 'b', 'c', 'd'], ['b', 'a', 'd', 'c'])).toBe(2);
});
