import { expect, test } from 'vitest';
import { quietest } from './quiet.ts';

const bins = [5, 0, 9, 3, 0].map((starts, index) => ({ at: index * 100, starts }));

test('the quietest time is the nearest one with the fewest starts', () => {
  expect(quietest(bins, 250)).toEqual({ at: 100, starts: 0 });
  expect(quietest(bins, 310)).toEqual({ at: 400, starts: 0 });
});

test('a time that is quiet already has no better one', () => {
  expect(quietest(bins, 150)).toBeUndefined();
});
