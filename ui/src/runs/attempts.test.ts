import { expect, test } from 'vitest';
import { axisOf, textPlaceOf, ticksOf } from './attempts.ts';

const from = Date.parse('2026-11-01T10:30:20Z');
const ticks = (length: number, start = from) => ticksOf({ from: start, to: start + length }, 'UTC');
const texts = (length: number, start = from) => ticks(length, start).map(({ text }) => text);
const attempt = { number: 1, from, to: from + 60_000, error: null, worker: 'node-0', waitedMs: 0 };

test('the axis of attempts has round times, none of them twice and none at its very end', () => {
  expect(texts(660_000)).toEqual(['10:32', '10:34', '10:36', '10:38', '10:40']);
  expect(texts(20_000)).toEqual(['10:30:20', '10:30:25', '10:30:30', '10:30:35']);
});

test('a narrow axis keeps at most four ticks, and midnight is shown as a day', () => {
  expect(ticks(8 * 60_000).filter(({ isFine }) => !isFine).length).toBeLessThanOrEqual(4);
  expect(texts(120_000, Date.parse('2026-11-01T23:59:20Z'))).toContain('Mon 2 Nov');
});

test('a very short run has ticks by the time since its beginning', () => {
  expect(texts(1000)).toEqual(['+250 ms', '+500 ms', '+750 ms']);
  expect(texts(1026)).toEqual(['+250 ms', '+500 ms', '+750 ms']);
});

test('a run that began later than it lasted has an axis of its own', () => {
  expect(axisOf([attempt], from - 51 * 60_000, from).from).toBe(from);
  expect(axisOf([attempt], from - 10_000, from).from).toBe(from - 10_000);
  expect(axisOf([attempt], null, from)).toEqual({ from, to: from + 60_000 });
});

test('the text of a bar stays inside the axis', () => {
  const axis = { from: 0, to: 100 };
  expect(textPlaceOf(axis, 0, 20)).toEqual({ side: 'after', left: 0.2, most: 0.8 });
  expect(textPlaceOf(axis, 90, 100)).toMatchObject({ side: 'before', most: 0.9 });
  expect(textPlaceOf(axis, 10, 100)).toEqual({ side: 'on', left: 0.1, most: 0.9 });
});
