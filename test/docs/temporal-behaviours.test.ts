/** The table of Temporal's behaviours is complete, and every test that it names is there under that name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

const rows = [
  ...textOf('docs/temporal-behaviours.md').matchAll(/^\| (\d+) \| (proved|reasoned) \| (.+) \|$/gm),
].map(([, number, how, where = '']) => ({ number: Number(number), how, where }));

/** Files and the titles after each: `path` *title*, *title*. */
function namedTests(where: string): readonly { readonly file: string; readonly titles: readonly string[] }[] {
  const [, ...parts] = where.split(/`((?:test|packages)\/[\w./-]+\.test\.ts)`/);
  return parts.flatMap((file, index) =>
    index % 2 === 1
      ? []
      : [
          {
            file,
            titles: [...(parts[index + 1] ?? '').matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title),
          },
        ],
  );
}

/** A test, and the recorded cases beside it, of which each is a test by its name. */
function textsOf(file: string): string {
  const recorded = join(root, file.replace(/\.test\.ts$/, '.json'));
  const text = readFileSync(join(root, file), 'utf8');
  return existsSync(recorded) ? text + readFileSync(recorded, 'utf8') : text;
}

test('every behaviour has a row, proved or with a reason', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 245 }, (_, index) => index + 1));
  const proved = rows.filter(({ how }) => how === 'proved');
  expect(textOf('docs/temporal-behaviours.md')).toContain(
    `${proved.length} proved, ${rows.length - proved.length} reasoned, none open.`,
  );
  expect(proved.filter(({ where }) => namedTests(where).length === 0)).toEqual([]);
});

test('every test that a row names is there under that name', () => {
  const missing: string[] = [];
  for (const { number, where } of rows) {
    for (const { file, titles } of namedTests(where)) {
      // The vectors name their cases in words.
      if (titles.length === 0 && !file.endsWith('-vectors.test.ts'))
        missing.push(`${number}: ${file}, no title`);
      const text = existsSync(join(root, file)) ? textsOf(file) : '';
      for (const title of titles) if (!text.includes(title)) missing.push(`${number}: ${file} *${title}*`);
    }
  }
  expect(missing).toEqual([]);
});
