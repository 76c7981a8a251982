import { expect, test } from 'vitest';
import { isSame, readingsOf } from './dialects.ts';

const now = Date.parse('2026-11-01T18:12:40Z');

test('a text that means different days in different dialects', () => {
  const readings = readingsOf('0 0 13 * 5', 'UTC', now);
  const [unix, temporal] = ['unix', 'temporal'].map((name) =>
    readings.find(({ dialect }) => dialect === name),
  );
  if (unix === undefined || temporal === undefined) throw new Error('both are dialects');
  expect(unix.ok && temporal.ok).toBe(true);
  expect(isSame(unix, temporal)).toBe(false);
});

test('a text that a dialect cannot read says why', () => {
  const spring = readingsOf('0 9 * * 1-5', 'UTC', now).find(({ dialect }) => dialect === 'spring');
  expect(spring?.ok).toBe(false);
  expect(spring?.problem).not.toBe('');
});
