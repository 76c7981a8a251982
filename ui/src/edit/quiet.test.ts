import { expect, test } from 'vitest';
import { movedTo, quietest, withoutOwn } from './quiet.ts';

const bins = [5, 0, 9, 3, 0].map((starts, index) => ({ at: index * 100, starts }));

test('the quietest time is the nearest one with the fewest starts', () => {
  expect(quietest(bins, 250)).toEqual({ at: 100, starts: 0 });
  expect(quietest(bins, 310)).toEqual({ at: 400, starts: 0 });
});

test('a time that is quiet already has no better one, nor has one where all are nearly as busy', () => {
  expect(quietest(bins, 150)).toBeUndefined();
  const even = [183, 181, 183].map((starts, index) => ({ at: index * 100, starts }));
  expect(quietest(even, 250)).toBeUndefined();
});

test('others are those without the schedule itself', () => {
  const hour = 3_600_000;
  const day = [0, 1, 2].map((index) => ({ at: index * hour, starts: 3 }));
  const spec = { cron: [{ text: '0,30 1 * * *' }] };
  expect(withoutOwn(day, spec, 3 * hour).map(({ starts }) => starts)).toEqual([3, 1, 3]);
  expect(withoutOwn(day, { cron: [{ text: 'wrong' }] }, 3 * hour)).toEqual(day);
});

test.each([
  ['0 9 * * 1-5', undefined, '45 8 * * 1-5'],
  ['TZ=Asia/Tokyo 0 9 * * *', undefined, 'TZ=Asia/Tokyo 45 8 * * *'],
  ['15 0 9 * * MON', 'spring', '15 45 8 * * MON'],
  ['0 9 * * * 2027', 'temporal', '45 8 * * * 2027'],
  ['*/15 9 * * *', undefined, undefined],
  ['@daily', undefined, undefined],
])('%s moves to a quiet time', (text, dialect, expected) => {
  const spec = { cron: [{ text, ...(dialect === undefined ? {} : { dialect }) }] };
  expect(movedTo(spec, { hour: 8, minute: 45 })?.cron[0]?.text).toBe(expected);
});
