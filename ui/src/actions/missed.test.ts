import { expect, test } from 'vitest';
import { missedCount, missedOfOne, missedTitle } from './missed.ts';

const status = { before: 'paused', after: 'running' } as const;
const told = {
  skip: { status, text: ['The schedule resumes.', '9 slots stay paused.'], verdicts: { paused: 9 } },
  once: {
    status,
    text: ['The schedule resumes.', '9 slots fell into the pause.', '1 run starts at once.'],
    verdicts: { startedLate: 1, coalesced: 8 },
  },
  all: {
    status,
    text: [
      'The schedule resumes.',
      '1 run starts at once.',
      '8 slots are skipped: the run before is still going.',
    ],
    verdicts: { startedLate: 1, skippedOverlap: 8 },
  },
};

test('each way says what the server would do, and not what its name promises', () => {
  expect(missedOfOne(told).map(({ text, detail }) => [text, detail])).toEqual([
    ['None', '9 slots stay paused.'],
    ['The latest', '1 run starts at once.'],
    ['All', '1 run starts at once. 8 slots are skipped: the run before is still going.'],
  ]);
});

test('the slots of the pause are counted', () => {
  expect(missedTitle(missedCount(told.all))).toBe('9 slots fell into the pause');
  expect(missedTitle(missedCount({ verdicts: { paused: 1 } }))).toBe('1 slot fell into the pause');
  expect(missedCount({ verdicts: {} })).toBe(0);
});
