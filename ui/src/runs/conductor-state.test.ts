import { expect, test } from 'vitest';
import { conductorStateOf, isOfConductor } from './conductor-state.ts';

test('a run has the state that the Conductor door says', () => {
  const run = { state: 'done', attempt: 1, failure: null } as const;
  expect(conductorStateOf(run)).toBe('EXECUTED');
  expect(conductorStateOf({ ...run, state: 'waiting', attempt: 0 })).toBe('POLLED');
  expect(conductorStateOf({ ...run, attempt: 0 })).toBe('FAILED');
  expect(conductorStateOf({ ...run, failure: { message: 'queue is down', startFailed: true } })).toBe(
    'FAILED',
  );
});

test('only schedules of that door have such states', () => {
  expect(isOfConductor({ origin: { conductor: { schedule: '{}' } } })).toBe(true);
  expect(isOfConductor({ origin: { temporal: {} } })).toBe(false);
  expect(isOfConductor({})).toBe(false);
});
