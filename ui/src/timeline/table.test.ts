import { expect, test } from 'vitest';
import type { Look } from '../verdict/verdict.ts';
import { tableRows } from './table.ts';

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
