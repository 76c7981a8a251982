import { expect, test } from 'vitest';
import { roughDuration } from './duration.ts';

test.each([
  [0, '0ms'],
  [123, '123ms'],
  [1000, '1s'],
  [1234, '1.2s'],
  [9999, '10s'],
  [12_345, '12s'],
  [3_600_123, '1h'],
  [3_599_999, '1h'],
  [95_400, '1m35s'],
  [5_430_000, '1h31m'],
  [86_400_000, '1d'],
  [90_061_000, '1d1h'],
  [-1500, '-1.5s'],
])('%i ms is about %s', (length, text) => expect(roughDuration(length)).toBe(text));
