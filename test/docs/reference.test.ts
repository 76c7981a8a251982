/** The library reference is what the types and doc comments say now; everything that it lists has a comment. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './pages.ts';

test('the reference is that of the sources, and leaves no member without a comment', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/reference.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
