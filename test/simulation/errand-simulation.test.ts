import { describe, expect, test } from 'vitest';
import { simulateErrands } from './errand-scenario.ts';

/** The suite's seeds are fixed, so that a failure is a change of the code; `npm run simulate` explores others. */
const seeds = Number(process.env.CARILLON_SEEDS ?? 2000);

describe('a cluster in rough weather', () => {
  test(`keeps every promise under ${seeds} seeds`, { timeout: 300_000 }, async () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { problems } = await simulateErrands(seed);
      if (problems.length > 0)
        failures.push(`seed ${seed}: ${problems.join('; ')} (npm run simulate -- --seed ${seed})`);
    }
    expect(failures).toEqual([]);
  });

  test('gives the same history for the same seed', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const first = await simulateErrands(seed);
      expect((await simulateErrands(seed)).fingerprint).toBe(first.fingerprint);
    }
  });
});
