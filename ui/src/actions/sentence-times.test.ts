import { expect, test } from 'vitest';
import { withTimes } from './sentence-times.ts';

test('times inside a sentence have their day and their zone', () => {
  const sentence = 'The next slot moves from 2026-11-18T16:12:00Z to 2026-12-01T17:45:00Z.';
  expect(withTimes(sentence, 'UTC', Date.parse('2026-11-18T12:00:00Z'))).toBe(
    'The next slot moves from Wed 16:12 UTC to Tue 1 Dec 17:45 UTC.',
  );
});
