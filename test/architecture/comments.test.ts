/** Comments are right about files: every file that a comment names exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const files = [
  'packages/carillon/src',
  'packages/server/src',
  'ui/src',
  'test',
  'bench',
  'scripts',
  'interop',
  'examples',
].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
);
const names = new Set(files.map((file) => basename(file)));

/** Files that a comment names, with a path or without; patterns and addresses are none. */
function namedIn(text: string): readonly string[] {
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? [];
  return comments.flatMap((comment) =>
    [...comment.matchAll(/(?<![\w./*<{}$:@'-])(?:[\w-]+\/)*[\w.-]+\.(?:tsx?|mjs|lua|sql)\b/g)].map(
      ([file]) => file,
    ),
  );
}

const exists = (name: string) =>
  name.includes('/') ? files.some((file) => file === name || file.endsWith(`/${name}`)) : names.has(name);

test('every file that a comment names exists', () => {
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('test/architecture/'));
  const wrong = sources.flatMap((file) =>
    namedIn(readFileSync(join(root, file), 'utf8'))
      .filter((name) => !exists(name))
      .map((name) => `${file} names ${name}`),
  );
  expect(wrong).toEqual([]);
  expect(sources.length).toBeGreaterThan(1000);
});

test('a file that does not exist is found', () => {
  expect(namedIn('/** The gone one (`engine/riders.ts`). */ // see base/clock.ts')).toEqual([
    'engine/riders.ts',
    'base/clock.ts',
  ]);
  expect(exists('engine/riders.ts')).toBe(false);
  expect(exists('base/clock.ts')).toBe(true);
});
