import { expect, test } from 'vitest';
import { addedOutcomes, noOutcomes, outcomesText } from './bulk-outcomes.ts';

const pauses = { one: 'pauses', several: 'pause' };
const stays = { one: 'stays paused', several: 'stay paused' };

test('outcomes of several requests add up, in the words for their sum', () => {
  const first = {
    outcomes: [
      { count: 999, ...pauses },
      { count: 1, ...stays },
    ],
    passedOver: { count: 4000, within: '1 day' },
    failed: 0,
  };
  const last = {
    outcomes: [
      { count: 2, ...stays },
      { count: 1, ...pauses },
    ],
    passedOver: null,
    failed: 1,
  };
  const sum = [first, last].reduce(addedOutcomes, noOutcomes);
  expect(outcomesText(sum)).toEqual([
    '1,000 pause.',
    '3 stay paused.',
    '4,000 slots will be passed over within 1 day.',
  ]);
  expect(sum.failed).toBe(1);
  expect(
    outcomesText(addedOutcomes(noOutcomes, { ...noOutcomes, outcomes: [{ count: 1, ...stays }] })),
  ).toEqual(['1 stays paused.']);
});

test('more kinds than a person reads are counted', () => {
  const outcomes = Array.from({ length: 9 }, (_, place) => ({
    count: 2,
    one: `${place}`,
    several: `${place}`,
  }));
  expect(outcomesText({ ...noOutcomes, outcomes }).at(-1)).toBe('6 have other outcomes.');
});
