import { expect, test } from 'vitest';
import { roundTimes } from './round-times.ts';

const at = (text: string) => Date.parse(text);

test('the labels of a day are full hours of the zone', () => {
  const times = roundTimes(at('2026-11-17T07:45:00Z'), at('2026-11-18T07:45:00Z'), 'Europe/Berlin');
  expect(times.map(({ text }) => text)).toEqual([
    '12:00',
    '15:00',
    '18:00',
    '21:00',
    '00:00',
    '03:00',
    '06:00',
  ]);
});

test('the labels of a month are days', () => {
  const times = roundTimes(at('2026-10-19T00:00:00Z'), at('2026-11-18T00:00:00Z'), 'UTC');
  expect(times.every(({ at: each }) => each % 86_400_000 === 0)).toBe(true);
  expect(times.length).toBeGreaterThan(3);
});
