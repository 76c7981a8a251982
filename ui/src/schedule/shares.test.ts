import { expect, test } from 'vitest';
import { sharesOf } from './shares.ts';

test.each([
  [
    [7, 1],
    ['87.5 %', '12.5 %'],
  ],
  [
    [1, 1, 1],
    ['33.4 %', '33.3 %', '33.3 %'],
  ],
  [[5], ['100 %']],
  [[], []],
  [
    [1999, 1],
    ['99.9 %', '< 0.1 %'],
  ],
  [
    [500, 497, 3],
    ['50 %', '49.7 %', '0.3 %'],
  ],
])('%j become %j', (counts, shares) => {
  expect(sharesOf(counts)).toEqual(shares);
});

test('they add up to 100, also with many small ones', () => {
  const counts = [90_000, 8000, 70, 60, 50, 3, 2, 1];
  const sum = sharesOf(counts).reduce(
    (all, text) => all + (text.startsWith('<') ? 0.1 : Number.parseFloat(text)),
    0,
  );
  expect(sum).toBeCloseTo(100, 6);
});
