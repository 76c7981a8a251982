import { expect, test } from 'vitest';
import { Backoff, pauseAfter } from './backoff.ts';

test('pauses double up to the longest, and a success resets them', () => {
  const backoff = new Backoff({ firstMs: 100, longestMs: 700 });
  const pauses = Array.from({ length: 5 }, () => backoff.failed());
  expect(pauses).toEqual([100, 200, 400, 700, 700]);
  backoff.succeeded();
  expect(backoff.failed()).toBe(100);
});

test('no number of failures exceeds the longest pause, and no pause stays none', () => {
  expect(pauseAfter(100_000, { firstMs: 1, longestMs: 5000 })).toBe(5000);
  expect(pauseAfter(100_000, { firstMs: 0, longestMs: 5000 })).toBe(0);
});
