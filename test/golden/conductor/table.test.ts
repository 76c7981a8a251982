/** The table of deliberate differences in the documentation has a row for every recorded answer that is not given. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliberate, deliberateFlows, deliberateSlots } from './deliberate.ts';

const page = readFileSync(new URL('../../../docs/conductor.md', import.meta.url), 'utf8');
const table = page.slice(page.indexOf('## Differences, on purpose'));
const reasons = new Map(
  table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
    .map(([original = '', , why = '']) => [original, why]),
);

const all = { ...deliberate, ...deliberateFlows, ...deliberateSlots };

test('each recorded answer that is not given names a row of the table, which has a reason', () => {
  for (const [id, row] of Object.entries(all)) {
    expect([id, row, reasons.get(row) ?? 'no such row']).toEqual([id, row, expect.stringMatching(/\w{3}/)]);
  }
  expect(Object.values(all).filter((row) => !reasons.has(row))).toEqual([]);
});
