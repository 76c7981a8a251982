import { expect, test } from 'vitest';
import type { RunRow } from '../../store/records.ts';
import { durationsOf, measuredRuns } from './durations.ts';

const run = (finishedAt: number) => ({ outcome: 'completed', startedAt: 0, finishedAt }) as unknown as RunRow;

test('readers that have read more runs say the same about what is usual', () => {
  const newest = Array.from({ length: measuredRuns }, (_, place) => run(place));
  const older = Array.from({ length: 140 }, () => run(10_000));
  expect(durationsOf([...newest, ...older])).toEqual(durationsOf(newest));
});
