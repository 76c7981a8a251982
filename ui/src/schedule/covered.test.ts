import { expect, test } from 'vitest';
import { miniRange } from '../timeline/mini.ts';
import { coveredText } from './covered.ts';

const now = Date.parse('2026-11-19T05:00:00Z');
const textOf = (created: string) => {
  const createdAt = Date.parse(created);
  return coveredText({ from: miniRange(now, createdAt).from, createdAt, now });
};

test('a young schedule has counts since it was created, an old one of the days that are counted', () => {
  expect(textOf('2026-11-17T04:30:00Z')).toBe('since it was created, 2 days ago');
  expect(textOf('2026-11-19T04:00:00Z')).toBe('since it was created, 1 h ago');
  expect(textOf('2026-09-20T04:00:00Z')).toBe('since it was created, 2 months ago');
  expect(textOf('2026-03-01T00:00:00Z')).toBe('in the last 92 days');
});
