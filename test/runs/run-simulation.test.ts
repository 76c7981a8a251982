import { describe } from 'vitest';
import { exerciseSeeds } from '../simulation/exercise-seeds.ts';
import { simulateRuns } from './run-scenario.ts';

describe('workers in rough weather', () => {
  exerciseSeeds({ scenario: 'runs', simulate: simulateRuns, seeds: 300, compared: 10 });
});
