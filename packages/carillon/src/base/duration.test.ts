import { expect, test } from 'vitest';
import { plainDuration, roughDuration } from './duration.ts';

test.each([
  [0, '0 ms'],
  [123, '123 ms'],
  [1000, '1 s'],
  [1234, '1.2 s'],
  [9999, '10 s'],
  [12_345, '12 s'],
  [3_600_123, '1 h'],
  [3_599_999, '1 h'],
  [95_400, '1 min 35 s'],
  [5_430_000, '1 h 31 min'],
  [86_400_000, '1 day'],
  [90_061_000, '1 day 1 h'],
  [-1500, '-1.5 s'],
])('%i ms is about %s', (length, text) => expect(roughDuration(length)).toBe(text));

test.each([
  [0, '0 s'],
  [600_000, '10 min'],
  [5_430_250, '1 h 30 min 30 s 250 ms'],
  [30 * 86_400_000, '30 days'],
])('%i ms is exactly %s', (length, text) => expect(plainDuration(length)).toBe(text));
