import { expect, test } from 'vitest';
import { askedBy, commandOf, filtersOf, runsViewOf } from './run-filters.ts';

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
  expect(
    commandOf(runsViewOf({ schedule: 'a b', is: 'stopped', by: 'slot', queue: 'q', handler: 'h' })),
  ).toBe(
    "carillon runs --schedule 'a b' --outcome cancelled --outcome terminated --handler h --queue q --by slot",
  );
});

test('a list is narrowed by words, and a run is found by its id', () => {
  expect(askedBy('  ')).toBeUndefined();
  expect(askedBy('handler:')).toBeUndefined();
  expect(askedBy('handler:billing.sync queue:slow')).toEqual({
    kind: 'narrow',
    by: { handler: 'billing.sync', queue: 'slow' },
  });
  expect(askedBy('nightly copy')).toEqual({ kind: 'narrow', by: { schedule: 'nightly copy' } });
  expect(askedBy('0mwmk2aio-1kuw1')).toEqual({ kind: 'run', id: '0mwmk2aio-1kuw1' });
});
