import { expect, test } from 'vitest';
import { daysOf, heatOf, monthOf, stepOfLoad } from './heat.ts';

const zone = 'America/New_York';

test('hours and weekdays are those of the zone', () => {
  const { cells, most } = heatOf([{ from: '2026-11-02T07:00:00Z', starts: 61 }], zone);
  expect(cells[0]?.[2]).toBe(61);
  expect(most).toBe(61);
});

test('five steps', () => {
  expect([0, 1, 25, 55, 100].map((count) => stepOfLoad(count, 100))).toEqual([0, 1, 2, 3, 4]);
});

test('hours that hardly differ are alike, and the hour after the week is not counted', () => {
  expect([728, 730, 731].map((count) => stepOfLoad(count, 731, 728))).toEqual([2, 2, 2]);
  const bins = [0, 168].map((hours) => ({
    from: new Date(Date.UTC(2026, 10, 2, 7) + hours * 3_600_000).toISOString(),
    starts: 5,
  }));
  expect(heatOf(bins, zone).most).toBe(5);
});

test('a month is whole weeks from Monday', () => {
  const { days, month, year } = monthOf(Date.parse('2026-11-01T18:00:00Z'), zone, 0);
  expect([year, month]).toEqual([2026, 10]);
  expect(days[0]).toMatchObject({ day: 26, isOut: true });
  expect(days.find(({ isToday }) => isToday)?.day).toBe(1);
  expect(days.length % 7).toBe(0);
});

test('days count their starts by the hour', () => {
  const days = daysOf([{ from: '2026-11-01T06:00:00Z', starts: 3 }], zone);
  expect(days.get(Date.parse('2026-11-01T00:00:00Z'))?.[1]).toBe(3);
});
