/**
 * Tests of a scenario over fixed seeds, so that a failure is a change of the code; `npm run simulate` explores others. Seeds are
 * tested in blocks: the time limit of a test ends what hangs, and must not end what is slow because other processes use the machine.
 */
import { expect, test } from 'vitest';
import type { Outcome } from './errand-scenario.ts';

const blocks = 10;

export interface SeedExercise {
  /** Its name in `scenarios.ts`. */
  readonly scenario: string;
  readonly simulate: (seed: number) => Promise<Outcome>;
  /** The number of seeds. */
  readonly seeds: number;
  /** How many of them are simulated twice, to compare their histories. */
  readonly compared: number;
}

export function exerciseSeeds({ scenario, simulate, seeds, compared }: SeedExercise): void {
  const size = Math.ceil(seeds / blocks);
  for (let first = 1; first <= seeds; first += size) {
    const last = Math.min(seeds, first + size - 1);
    test(`every promise is kept under the seeds ${first} to ${last}`, async () => {
      const failures: string[] = [];
      for (let seed = first; seed <= last; seed += 1) {
        const { problems } = await simulate(seed);
        const replay = `npm run simulate -- --scenario ${scenario} --seed ${seed}`;
        if (problems.length > 0) failures.push(`seed ${seed}: ${problems.join('; ')} (${replay})`);
      }
      expect(failures).toEqual([]);
    });
  }

  test('the same seed gives the same history', async () => {
    for (let seed = 1; seed <= compared; seed += 1) {
      const { fingerprint } = await simulate(seed);
      expect((await simulate(seed)).fingerprint).toBe(fingerprint);
    }
  });
}
