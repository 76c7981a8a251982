import { expect, test } from 'vitest';
import { behindText, failureText, headlineOf } from './failure-text.ts';

const failure = {
  message: '2 of 12 tenants failed',
  type: 'AggregateError',
  details: { batch: 7 },
  errors: [
    { message: '503', type: 'Error', stack: 'Error: 503\n    at sync', cause: { message: 'refused' } },
    { message: 'amount is not a number', type: 'TypeError' },
  ],
  cause: { message: 'batch 7 was rejected', type: 'Error' },
};

test('a failure is shown with its details, each error that it contains, and every cause', () => {
  expect(failureText(failure).split('\n')).toEqual([
    'AggregateError: 2 of 12 tenants failed',
    'details: {',
    '  "batch": 7',
    '}',
    '1 of 2: Error: 503',
    '        at sync',
    '    caused by refused',
    '2 of 2: TypeError: amount is not a number',
    'caused by Error: batch 7 was rejected',
  ]);
});

test('the parts after the first sentence are named', () => {
  expect(behindText(failure)).toBe('with the 2 errors in it and what caused it');
  expect(behindText({ message: 'x', errors: [{ message: 'y' }] })).toBe('with the error in it');
  expect(behindText({ message: 'x' })).toBe('');
});

test('a sentence has the first line of a message, and not more of it than can be read at once', () => {
  expect(headlineOf('\n503 from erp\nsecond line')).toBe('503 from erp');
  expect(headlineOf('x'.repeat(5000))).toHaveLength(240);
});
