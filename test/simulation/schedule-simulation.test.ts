import { describe } from 'vitest';
import { exerciseSeeds } from './exercise-seeds.ts';
import { simulateSchedules } from './schedule-scenario.ts';

describe('schedules in rough weather', () => {
  exerciseSeeds({
    scenario: 'schedules',
    simulate: simulateSchedules,
    seeds: Number(process.env.CARILLON_SCHEDULE_SEEDS ?? 400),
    compared: 10,
  });
});
