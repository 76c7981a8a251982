/** The table of Conductor's behaviours is complete, and the files that it names are there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

test('every behaviour has a test that is there, or a reason', () => {
  const rows = [
    ...textOf('docs/conductor-behaviours.md').matchAll(/^\| (\d+) \| (proved|reasoned) \| (.+) \|$/gm),
  ];
  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 203 }, (_, index) => index + 1),
  );
  for (const [, number, how, where = ''] of rows) {
    const [, file = ''] = /`((?:test|packages)\/[\w./-]+\.test\.ts)`/.exec(where) ?? [];
    if (how === 'proved')
      expect([number, existsSync(join(root, file)) && file !== '']).toEqual([number, true]);
    else expect([number, where.length > 20]).toEqual([number, true]);
  }
});
