import { expect, test } from 'vitest';
import { dayMs } from '../time/zone.ts';
import { miniBin, miniRange, miniTicks } from './mini.ts';

const now = Date.UTC(2026, 10, 18, 12);
const daysOf = (age: number) => {
  const { from, to } = miniRange(now, now - age * dayMs);
  return [(now - from) / dayMs, (to - now) / dayMs].map(Math.floor);
};

test('the map shows the whole ledger, however young or old the schedule is', () => {
  expect(daysOf(0)).toEqual([2, 1]);
  expect(daysOf(10)).toEqual([10, 2]);
  expect(daysOf(92)).toEqual([92, 15]);
  expect(daysOf(900)).toEqual([92, 15]);
  expect(miniRange(now, now - 10 * dayMs).from).toBeLessThanOrEqual(now - 10 * dayMs);
});

test('its bins are at most about two hundred', () => {
  for (const age of [0, 2, 5, 10, 20, 40, 60, 92]) {
    const range = miniRange(now, now - age * dayMs);
    const hours = Number.parseInt(miniBin(range), 10);
    expect((range.to - range.from) / (hours * 3_600_000)).toBeLessThanOrEqual(218);
  }
});

test('a short map is marked by days, a long one by months', () => {
  const texts = (age: number) => miniTicks(miniRange(now, now - age * dayMs), 'UTC').map(({ text }) => text);
  expect(texts(2)).toEqual(['17 Nov', '18 Nov', '19 Nov', '20 Nov']);
  expect(texts(92).slice(0, 3)).toEqual(['Sep', 'Oct', 'Nov']);
});
