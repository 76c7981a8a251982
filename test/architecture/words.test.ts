/**
 * Comments, messages and names are in plain English: they name their actor (the caller, another node, the worker that
 * holds the lease), and a doc comment is a sentence or a noun phrase with its noun.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

const rules = [
  { rule: 'names the actor', pattern: /\b(whoever|nobody|somebody|the way out)\b/i },
  { rule: 'has no comment that begins with a bare "Of"', pattern: /^\s*(\/\/|\/\*+|\*) Of / },
];

interface Line {
  readonly location: string;
  readonly text: string;
}

const lines = readdirSync(packages, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|js)$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file))
  .flatMap(linesOf);

function linesOf(file: string): readonly Line[] {
  return readFileSync(join(packages, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ location: `${file}:${index + 1}`, text }));
}

describe('every line of the sources', () => {
  test.each(rules)('$rule', ({ pattern }) => {
    expect(
      lines
        .filter(({ text }) => pattern.test(text))
        .map(({ location, text }) => `${location} ${text.trim()}`),
    ).toEqual([]);
  });

  test('is read', () => {
    expect(lines.length).toBeGreaterThan(10_000);
  });

  test.each([
    ['/** Nobody works on it. */', 0],
    ['throw new Error(`somebody holds it`)', 0],
    ['  /** Of the copy. */', 1],
    ['// Of another version.', 1],
  ])('would be refused as %s', (text, index) => {
    expect(rules[index]?.pattern.test(text)).toBe(true);
  });
});
