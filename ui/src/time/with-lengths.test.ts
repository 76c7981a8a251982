import { expect, test } from 'vitest';
import { withLengths } from './with-lengths.ts';

test('lengths are written as elsewhere on the page, names are left alone', () => {
  expect(withLengths('It would have started 53m late, after 1h23m.')).toBe(
    'It would have started 53 min late, after 1 h 23 min.',
  );
  expect(withLengths('Usually 10m59s, at most 1d1h in 95 of 100.')).toBe(
    'Usually 11 min, at most 25 h in 95 of 100.',
  );
  expect(withLengths('attempt 1 took longer than 600000 ms')).toBe('attempt 1 took longer than 10 min');
  expect(withLengths('sync-5m runs at 03:00:00')).toBe('sync-5m runs at 03:00:00');
});
