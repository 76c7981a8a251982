import { expect, test } from 'vitest';
import { ticksOf } from './attempts.ts';

const from = Date.parse('2026-11-01T10:30:20Z');
const texts = (length: number) => ticksOf(from, from + length, 'UTC').map(({ text }) => text);

test('the axis of attempts has round times, none of them twice', () => {
  expect(texts(660_000)).toEqual(['10:32', '10:34', '10:36', '10:38', '10:40']);
  expect(texts(20_000)).toEqual(['10:30:20', '10:30:25', '10:30:30', '10:30:35', '10:30:40']);
});

test('a very short run is told by what has passed', () => {
  expect(texts(1000)).toEqual(['+250 ms', '+500 ms', '+750 ms']);
});
