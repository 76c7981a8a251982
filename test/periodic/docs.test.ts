/** The guide promises 57 behaviours and names a test for each: the names must be those of tests that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'docs', 'periodic.md'), 'utf8');

test('every behaviour of the guide names tests that exist', () => {
  const sources = [
    ...['periodic', 'lock'].flatMap((folder) =>
      readdirSync(join(root, 'test', folder)).map((name) => join('test', folder, name)),
    ),
    join('test', 'action', 'bullmq.test.ts'),
  ].map((file) => readFileSync(join(root, file), 'utf8'));
  const text = sources.join('\n');
  const titles = new Set(
    [...text.matchAll(/'((?:[^'\\]|\\.)+)',\s*(?:async )?\(/g)].map(([, title]) => title),
  );
  const rows = [...guide.matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 57 }, (_, index) => index + 1),
  );
  const missing = rows.flatMap(([, number, named = '']) => {
    // Titles may themselves have semicolons.
    const parts = named.trim().split('; ');
    const found = new Set<number>();
    for (let from = 0; from < parts.length; from += 1) {
      for (let to = parts.length; to > from; to -= 1) {
        if (!titles.has(parts.slice(from, to).join('; '))) continue;
        for (let part = from; part < to; part += 1) found.add(part);
      }
    }
    return found.size === parts.length ? [] : [`${number}: ${named}`];
  });
  expect(missing).toEqual([]);
});

test('every defect of the original has its answer', () => {
  const numbers = [...guide.matchAll(/^\| (D\d+(?:, D\d+)*) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', '),
  );
  expect(numbers.map((each) => Number(each.slice(1))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 28 }, (_, index) => index + 1),
  );
});
