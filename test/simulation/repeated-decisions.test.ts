/**
 * A store without row locks repeats a decision that comes too late. The store of the simulations never has to, so these tests
 * force it to: reservations, counts and events must come from the decision that was committed.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import type { Decider, Loaded } from '../../packages/carillon/src/store/store.ts';
import { simulateErrands } from './errand-scenario.ts';
import { simulateSchedules } from './schedule-scenario.ts';

let repeated = 0;

beforeEach(() => {
  repeated = 0;
  const { transact } = MemoryStore.prototype;
  let calls = 0;
  vi.spyOn(MemoryStore.prototype, 'transact').mockImplementation(function (
    this: MemoryStore,
    selection,
    decider: Decider<unknown>,
  ) {
    calls += 1;
    if (calls % 3 !== 0) return transact.call(this, selection, decider);
    const again = {
      need: (rows: Loaded['executions'], runs: Loaded['runs']) => decider.need?.(rows, runs) ?? { parts: [] },
      decide: (loaded: Loaded) => {
        decider.decide(loaded);
        repeated += 1;
        decider.need?.(loaded.executions, loaded.runs);
        return decider.decide(loaded);
      },
    };
    return transact.call(this, selection, again);
  } as typeof transact);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('decisions that are made twice', () => {
  for (const [name, simulate, seeds] of [
    ['schedules', simulateSchedules, 40],
    ['errands', simulateErrands, 100],
  ] as const) {
    test(`keep every promise (${name})`, async () => {
      const problems: string[] = [];
      for (let seed = 1; seed <= seeds; seed += 1) {
        const outcome = await simulate(seed);
        for (const problem of outcome.problems) problems.push(`seed ${seed}: ${problem}`);
      }
      expect(problems.slice(0, 5)).toEqual([]);
      expect(repeated).toBeGreaterThan(1000);
    });
  }
});
