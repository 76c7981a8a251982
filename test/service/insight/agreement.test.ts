/**
 * Everything that pages read about the same slots says the same: random worlds with edits, pauses, outages, failures and
 * clock changes are counted naively, slot by slot, and each answer is compared with that count.
 */
import { expect, test } from 'vitest';
import { MemoryStore } from '../../../packages/carillon/src/store/memory/index.ts';
import { SqliteStore } from '../../../packages/carillon/src/store/sqlite/index.ts';
import { compareAnswers, playWorld } from './agreement-world.ts';

const seeds = (process.env.AGREEMENT_SEEDS ?? '2,6').split(',').map(Number);

for (const [place, seed] of seeds.entries()) {
  const store = place % 2 === 0 ? 'memory' : 'sqlite';
  test(`world ${seed} on ${store}: timelines, bins, strips, series, explanations, counts and load agree`, async () => {
    await using world = await playWorld(
      seed,
      async (clock) =>
        store === 'memory' ? new MemoryStore({ clock }) : new SqliteStore({ path: ':memory:', clock }),
      async (each, trail) => {
        expect(await compareAnswers(each, seed), trail.join('\n')).toEqual([]);
      },
    );
    expect(world.now).toBeGreaterThan(0);
  });
}
