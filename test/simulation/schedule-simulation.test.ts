import { describe, expect, test } from 'vitest';
import { simulateSchedules } from './schedule-scenario.ts';

/** The suite's seeds are fixed, so that a failure is a change of the code; `npm run simulate` explores others. */
const seeds = Number(process.env.CARILLON_SCHEDULE_SEEDS ?? 400);

describe('schedules in rough weather', () => {
  test(`keep every promise under ${seeds} seeds`, { timeout: 300_000 }, async () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { problems } = await simulateSchedules(seed);
      if (problems.length > 0) {
        const replay = `npm run simulate -- --scenario schedules --seed ${seed}`;
        failures.push(`seed ${seed}: ${problems.join('; ')} (${replay})`);
      }
    }
    expect(failures).toEqual([]);
  });

  test('have the same history for the same seed', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const first = await simulateSchedules(seed);
      expect((await simulateSchedules(seed)).fingerprint).toBe(first.fingerprint);
    }
  });
});
