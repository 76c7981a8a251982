/** What an installation brings is listed, and may be used under our licence. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

test('the third-party notices are those of the lock file', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/notices.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('every licence allows the use', () => {
  const licences = [
    ...textOf('THIRD-PARTY-NOTICES.md').matchAll(/^\| [^|]+ \| \d[^|]* \| ([^|]+) \|$/gm),
  ].map(([, licence = '']) => licence.trim());
  expect(licences.length).toBeGreaterThan(50);
  const allowed = [
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'ISC',
    'MIT',
    'Unlicense',
  ];
  expect(licences.filter((licence) => !allowed.includes(licence))).toEqual([]);
});
