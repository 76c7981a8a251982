import { expect, test } from 'vitest';
import {
  dateOf,
  daysOf,
  firstOfMonth,
  heatOfDay,
  heatOfWeek,
  localDay,
  minutesOf,
  mondayOf,
  monthOf,
  readDate,
  stepOfLoad,
} from './heat.ts';

const zone = 'America/New_York';

test('hours and weekdays are those of the zone, with the most at one moment', () => {
  const { cells, most } = heatOfWeek([{ from: '2026-11-02T07:00:00Z', starts: 610, most: 61 }], zone);
  expect(cells[0]?.[2]).toEqual({ most: 61, starts: 610 });
  expect(most).toBe(61);
});

test('a day has a row for each quarter of an hour', () => {
  const bins = [0, 1, 15, 16].map((minute) => ({
    from: new Date(Date.UTC(2026, 10, 2, 7, minute)).toISOString(),
    starts: 2,
    most: minute,
  }));
  const { cells } = heatOfDay(bins, zone);
  expect([cells[0]?.[2], cells[1]?.[2]]).toEqual([
    { most: 1, starts: 4 },
    { most: 16, starts: 4 },
  ]);
  expect(minutesOf(bins, zone).slice(134, 137)).toEqual([0, 15, 16]);
});

test('five steps', () => {
  expect([0, 1, 25, 55, 100].map((count) => stepOfLoad(count, 100))).toEqual([0, 1, 2, 3, 4]);
});

test('hours that hardly differ are alike, and the hour after the week is not counted', () => {
  expect([728, 730, 731].map((count) => stepOfLoad(count, 731, 728))).toEqual([2, 2, 2]);
  const bins = [0, 168].map((hours) => ({
    from: new Date(Date.UTC(2026, 10, 2, 7) + hours * 3_600_000).toISOString(),
    starts: 5,
    most: 5,
  }));
  expect(heatOfWeek(bins, zone).cells[0]?.[2]?.starts).toBe(5);
});

test('a month is whole weeks from Monday', () => {
  const today = localDay(zone, Date.parse('2026-11-01T18:00:00Z'));
  const days = monthOf(today, today);
  expect(days[0]).toMatchObject({ day: 26, isOut: true });
  expect(days.find(({ isToday }) => isToday)?.day).toBe(1);
  expect(days.length % 7).toBe(0);
  expect(dateOf(firstOfMonth(today, -1))).toBe('2026-10-01');
  expect(dateOf(mondayOf(today))).toBe('2026-10-26');
});

test('an address names a day; anything else is today', () => {
  const today = Date.UTC(2026, 10, 18);
  expect(dateOf(readDate('2026-12-24', today))).toBe('2026-12-24');
  expect([undefined, '2026-13-40', 'soon'].map((text) => readDate(text, today))).toEqual([
    today,
    today,
    today,
  ]);
});

test('days count their starts by the hour', () => {
  const days = daysOf([{ from: '2026-11-01T06:00:00Z', starts: 3 }], zone);
  expect(days.get(Date.parse('2026-11-01T00:00:00Z'))?.[1]).toBe(3);
});
