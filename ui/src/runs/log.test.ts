import { expect, test } from 'vitest';
import { attemptNumbers, isBad, linesOf, partsOf } from './log.ts';

const lines = [
  { at: '', attempt: 1, text: 'GET /invoices 200' },
  { at: '', attempt: 2, text: 'Error: 503' },
];

test('lines are found by a part of their text', () => {
  expect(linesOf(lines, '')).toHaveLength(2);
  expect(linesOf(lines, ' INVOICES ')).toEqual([lines[0]]);
});

test('the places that were found can be marked', () => {
  expect(partsOf('page 1 of PAGE 2', 'page')).toEqual(['', 'page', ' 1 of ', 'PAGE', ' 2']);
  expect(partsOf('page', '')).toEqual(['page']);
  expect(partsOf('İstanbul page', 'page')).toEqual(['İstanbul page']);
});

test('an attempt can be chosen before it has logged anything', () => {
  expect(attemptNumbers([1, 2, 3], lines)).toEqual([1, 2, 3]);
  expect(attemptNumbers([], lines)).toEqual([1, 2]);
});

test('lines of failures stand out', () => {
  expect(isBad('UpstreamError: 503 from erp.example')).toBe(true);
  expect(isBad('attempt 1 on "dev" failed: 2 of 12 tenants failed')).toBe(true);
  expect(isBad('0 rows failed, mirrored')).toBe(false);
});
