import { expect, test } from 'vitest';
import type { Look } from '../verdict/verdict.ts';
import { rangeText, rowSentence, tableRows } from './table.ts';

const slots = (['started', 'paused', 'paused', 'paused', 'started', 'started', 'notYet'] as Look[]).map(
  (look, at) => ({
    at,
    look,
  }),
);

test('equal verdicts without a run share a row, runs do not', () => {
  expect(tableRows(slots, { from: 0, to: 5 }).map(({ first, count }) => [first.look, count])).toEqual([
    ['started', 1],
    ['started', 1],
    ['paused', 3],
    ['started', 1],
  ]);
});

const now = Date.UTC(2026, 10, 18, 15, 37);
const minutes = (count: number) => now + count * 60_000;
const coming = (look: Look) => ({
  first: { at: minutes(23), look },
  last: { at: minutes(174), look },
  count: 6,
});

test.each([
  ['notYet', 'The first is due in 23 min, the last in 2 h 54 min.'],
  ['likelySkip', 'The first is due in 23 min, the last in 2 h 54 min; likely to be skipped.'],
] as const)(
  'a row of several coming slots (%s) tells the distance of its first and its last',
  (look, text) => {
    expect(rowSentence(coming(look), { zone: 'UTC', usual: { p50: null, p95: null } }, now)).toBe(text);
  },
);

test('slots that ran as different ones do not share a row', () => {
  const merged = [5, 5, 9].map((ranAs, at) => ({ at, look: 'coalesced' as const, ranAs }));
  expect(tableRows(merged, { from: 0, to: 5 }).map(({ count }) => count)).toEqual([1, 2]);
});

test('a row that ends on another day names that day', () => {
  expect(rangeText(coming('paused'), 'UTC')).toBe('Wed 18 Nov 16:00 to 18:31');
  const long = { ...coming('paused'), last: { at: minutes(24 * 60), look: 'paused' as const } };
  expect(rangeText(long, 'UTC')).toBe('Wed 18 Nov 16:00 to Thu 19 Nov 15:37');
});
