import { expect, test } from 'vitest';
import { linesOf } from './log.ts';

const lines = [
  { at: '', attempt: 1, text: 'GET /invoices 200' },
  { at: '', attempt: 2, text: 'Error: 503' },
];

test('lines are chosen by attempt and by text', () => {
  expect(linesOf(lines, 'all', '').length).toBe(2);
  expect(linesOf(lines, '2', '').map(({ text }) => text)).toEqual(['Error: 503']);
  expect(linesOf(lines, 'all', 'INVOICES')).toHaveLength(1);
});
