/**
 * Comments, messages and names are in plain English: they name their actor (the caller, another node, the worker that
 * holds the lease), and a doc comment is a sentence or a noun phrase with its noun.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Rule {
  readonly rule: string;
  readonly pattern: RegExp;
  /** Whether comments of tests keep it too. */
  readonly isForTests?: true;
}

const rules: readonly Rule[] = [
  {
    rule: 'names the actor',
    pattern: /\b(whoever|nobody|somebody|everybody|anybody|the way out)\b/i,
    isForTests: true,
  },
  { rule: 'has no comment that begins with a bare "Of"', pattern: /^\s*(\/\/|\/\*+|\*) Of / },
  {
    rule: 'says "is not a" where it denies what something is',
    pattern:
      /(?<!\bthere |\bwhich )\b(is|are|was|were) no (?!longer\b|other\b|more\b|less\b|earlier\b|later\b)/i,
  },
  {
    rule: 'has none of the words that hide a condition or a duty',
    pattern: /\b(whatever|shall)\b/i,
    isForTests: true,
  },
];

interface Line {
  readonly location: string;
  readonly text: string;
}

/** What people read: sources with their comments and messages, the page, the board and its alerts, docs, examples and scripts. */
const read = [
  'packages/carillon/src',
  'packages/carillon/bin',
  'packages/server/src',
  'packages/server/bin',
  'packages/server/observability',
  'ui/src',
  'docs',
  'examples',
  'scripts',
  'bench',
];

/** Folders of which only comments are read: their strings may be data, such as the name of a user or a queue. */
const readComments = ['test', 'interop'];
const isComment = /^\s*(\/\/|\/\*|\*)/;

/** Tests name what they show; SQL and Lua are kept as they were written; tables of behaviours quote titles of tests. */
const isSkipped = (file: string) =>
  /\.test\.tsx?$|(migration|script)-files\.ts$|-behaviours\.md$|promises\.md$/.test(file);

const lines = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...read.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|js|mjs|md|json|yaml)$/.test(file))
      .map((file) => join(folder, file)),
  ),
]
  .filter((file) => !isSkipped(file))
  .flatMap(linesOf);

const comments = readComments
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  )
  .flatMap(linesOf)
  .filter(({ text }) => isComment.test(text));

function linesOf(file: string): readonly Line[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ location: `${file}:${index + 1}`, text }));
}

describe('every line that people read', () => {
  test.each(rules)('$rule', ({ pattern }) => {
    expect(
      lines
        .filter(({ text }) => pattern.test(text))
        .map(({ location, text }) => `${location} ${text.trim()}`),
    ).toEqual([]);
  });

  test.each(rules.filter(({ isForTests }) => isForTests === true))(
    '$rule, in comments of tests',
    ({ pattern }) => {
      expect(
        comments
          .filter(({ text }) => pattern.test(text))
          .map(({ location, text }) => `${location} ${text.trim()}`),
      ).toEqual([]);
    },
  );

  test('is read', () => {
    expect(lines.length).toBeGreaterThan(10_000);
    expect(comments.length).toBeGreaterThan(1000);
  });

  test.each([
    ['/** Nobody works on it. */', 0],
    ['throw new Error(`somebody holds it`)', 0],
    ['  /** Of the copy. */', 1],
    ['// Of another version.', 1],
    ["message: 'x is no number'", 2],
    ['/** Starts one, whatever the spec says. */', 3],
  ])('would be refused as %s', (text, index) => {
    expect(rules[index]?.pattern.test(text)).toBe(true);
  });
});
