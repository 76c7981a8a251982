import { describe, expect, test } from 'vitest';
import { simulateHost } from './host-scenario.ts';

const seeds = Number(process.env.HOST_SEEDS ?? 4);
const first = Number(process.env.HOST_SEED ?? 1);

describe('hosts under faults', () => {
  test(`${seeds} lives: consumed once, changed once, nothing left behind, no wake-up lost`, {
    timeout: 300_000,
  }, async () => {
    const problems: string[] = [];
    const sum = { consumed: 0, changes: 0, crashes: 0, asked: 0 };
    for (let seed = first; seed < first + seeds; seed += 1) {
      const outcome = await simulateHost(seed);
      for (const problem of outcome.problems) problems.push(`seed ${seed}: ${problem}`);
      sum.consumed += outcome.consumed;
      sum.changes += outcome.changes;
      sum.crashes += outcome.crashes;
      sum.asked += outcome.asked;
    }
    console.log(`${seeds} seeds: ${JSON.stringify(sum)}`);
    expect(problems).toEqual([]);
    // The faults did happen.
    expect(sum.consumed).toBeGreaterThan(seeds * 20);
    expect(sum.crashes).toBeGreaterThan(seeds * 5);
    expect(sum.asked).toBeGreaterThan(seeds);
  });
});
