/** The page about the inside names files that exist. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

const folders = [
  '',
  'packages/carillon/src/',
  'packages/server/src/',
  'packages/carillon/src/scheduler/',
  'packages/carillon/src/service/',
  'packages/server/src/door/temporal/',
  'packages/carillon/src/cli/',
];

test('every file that the walks and tables name is there', () => {
  const named = [
    ...textOf('docs/inside.md').matchAll(/(?<![\w<*>])[\w-]+(?:\/[\w-]+)*(?:\.test)?\.(?:ts|mjs)\b/g),
  ].map(([name]) => name);
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter((name) => !folders.some((folder) => existsSync(join(root, folder, name))));
  expect(missing).toEqual([]);
});
