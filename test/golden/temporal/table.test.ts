/** The table of deliberate differences in the documentation has a row for every recorded answer that is not given. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  deliberateBehaviours,
  deliberateErrors,
  deliberateOperators,
  deliberateQueries,
  deliberateTimes,
} from './deliberate.ts';

const page = readFileSync(new URL('../../../docs/temporal.md', import.meta.url), 'utf8');
const rows = page
  .slice(page.indexOf('## Differences, on purpose'), page.indexOf('## Security'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

const all = [
  deliberateErrors,
  deliberateQueries,
  deliberateOperators,
  deliberateTimes,
  deliberateBehaviours,
].flatMap((table) => Object.entries(table).map(([name, { row }]) => [name, row] as const));

test('each recorded answer that is not given names a row of the table, which has a reason', () => {
  const reasons = new Map(rows.map(([temporal = '', , why = '']) => [temporal, why]));
  for (const [name, row] of all)
    expect([name, reasons.get(row) ?? 'no such row']).toEqual([name, expect.stringMatching(/\w/)]);
  const missing = all.filter(([, row]) => !reasons.has(row));
  expect(missing).toEqual([]);
});
