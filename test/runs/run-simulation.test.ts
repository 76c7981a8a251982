import { describe, expect, test } from 'vitest';
import { simulateRuns } from './run-scenario.ts';

/** Fixed seeds: a failure is a change of the code. */
const seeds = 300;

describe('workers in rough weather', () => {
  test(`end every run exactly once under ${seeds} seeds`, async () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { problems } = await simulateRuns(seed);
      if (problems.length > 0) failures.push(`seed ${seed}: ${problems.join('; ')}`);
    }
    expect(failures).toEqual([]);
  });

  test('give the same history for the same seed', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const first = await simulateRuns(seed);
      expect((await simulateRuns(seed)).fingerprint).toBe(first.fingerprint);
    }
  });
});
