import { expect, test } from 'vitest';
import { peaksOf, ringsOf, timesText } from './peaks.ts';

const zone = 'Europe/Berlin';
const hour = 3_600_000;
/** Monday 16 November 2026, 02:00 in Berlin. */
const monday = Date.parse('2026-11-16T01:00:00Z');
const days = (...which: readonly number[]) => which.map((day) => monday + day * 24 * hour);
const said = (times: readonly number[], count = times.length, now = 0) =>
  timesText(times, { count, zone, now });

test('times are described by what they have in common', () => {
  expect(said([monday])).toBe('Mon 16 Nov 02:00');
  expect(said(days(0, 1, 2, 3, 4, 5, 6))).toBe('Every day 02:00');
  expect(said(days(0, 1, 2, 3, 4))).toBe('Weekdays 02:00');
  expect(said(days(5, 6))).toBe('Weekends 02:00');
  expect(said(days(0, 2))).toBe('Mon, Wed 02:00');
  expect(said(days(1, 2, 3, 4, 5, 6))).toBe('Every day but Mon 02:00');
  expect(said([0, 6, 12].flatMap((each) => days(0, 1, 2, 3, 4, 5, 6).map((at) => at + each * hour)))).toBe(
    'Every day 02:00, 08:00, 14:00',
  );
  expect(said([0, 6, 12, 18].map((each) => monday + each * hour))).toBe('Every 6 h, next 02:00');
  expect(said(Array.from({ length: 168 }, (_, each) => monday + each * hour))).toBe('Every hour at :00');
  const mostHours = Array.from({ length: 168 }, (_, each) => each).filter((each) => each % 6 !== 0);
  expect(said(mostHours.map((each) => monday + each * hour))).toBe('Most hours at :00');
});

test('the next time is one that is still to come', () => {
  const odd = [0, 1, 3, 7, 12, 26].map((each) => monday + each * hour);
  expect(said(odd, 43)).toBe('43 times, next Mon 16 Nov 02:00');
  expect(said(odd, 43, monday + 4 * hour)).toBe('43 times, next Mon 16 Nov 09:00');
  expect(said(odd, 43, monday + 90 * hour)).toBe('43 times, from Mon 16 Nov 02:00');
  expect(
    said(
      [0, 6, 12, 18].map((each) => monday + each * hour),
      4,
      monday + hour,
    ),
  ).toBe('Every 6 h, next 08:00');
});

test('few days are named, and of many those that are missing', () => {
  expect(said(days(0, 1, 2, 4))).toBe('Mon, Tue, Wed, Fri 02:00');
});

test('only a moment that stands out is ringed, once', () => {
  const times = days(0, 1, 2, 3, 4, 5, 6).map((at) => new Date(at).toISOString());
  const at = times[0] ?? '';
  const other = '2026-11-20T17:00:00Z';
  const peaks = [
    { at, times, count: 7, starts: 61, schedules: ['a'] },
    { at: times[1] ?? '', times: times.slice(1), count: 6, starts: 60, schedules: ['a'] },
    { at: other, times: [other], count: 1, starts: 12, schedules: ['b'] },
  ];
  const bins = [{ most: 10 }, { most: 10 }, { most: 61 }];
  const shown = peaksOf(peaks, bins, zone, 0);
  expect(shown.map(({ text, standsOut }) => [text, standsOut])).toEqual([
    ['Every day 02:00', true],
    ['Every day but Mon 02:00', true],
    ['Fri 20 Nov 18:00', false],
  ]);
  expect([...ringsOf(shown, () => 0, zone)]).toEqual(['0 2']);
});
