import { describe } from 'vitest';
import { simulateErrands } from './errand-scenario.ts';
import { exerciseSeeds } from './exercise-seeds.ts';

describe('a cluster in rough weather', () => {
  exerciseSeeds({
    scenario: 'errands',
    simulate: simulateErrands,
    seeds: Number(process.env.CARILLON_SEEDS ?? 2000),
    compared: 20,
  });
});
