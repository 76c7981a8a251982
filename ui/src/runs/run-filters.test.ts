import { expect, test } from 'vitest';
import { commandOf, filtersOf, runsViewOf } from './run-filters.ts';

test('the address says what is listed and in which order; without a word it is by start', () => {
  expect(filtersOf(runsViewOf({}))).toEqual({ by: 'start', limit: 50 });
  expect(filtersOf(runsViewOf({ by: 'slot', is: 'failed', handler: 'h', queue: 'q', after: 'c' }))).toEqual({
    by: 'slot',
    outcome: ['failed'],
    name: 'h',
    queue: 'q',
    after: 'c',
    limit: 50,
  });
  expect(filtersOf(runsViewOf({ by: 'size', is: 'blue' }))).toEqual({ by: 'start', limit: 50 });
});

test('the command lists the same runs', () => {
  expect(commandOf(runsViewOf({}))).toBe('carillon runs');
  expect(commandOf(runsViewOf({ schedule: 'a b', is: 'stopped', by: 'slot', queue: 'q' }))).toBe(
    "carillon runs --schedule 'a b' --outcome cancelled --outcome terminated --queue q --by slot",
  );
});
