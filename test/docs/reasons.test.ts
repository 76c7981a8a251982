/** The page of errors lists every reason that the sources give, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstCells, root } from './pages.ts';

/** Where a reason stands in the sources: after `reason:`, or as the word that one of these functions gets. */
const direct = /\breason:[^,;'\n]*'([A-Z][A-Z0-9_]{2,})'(?:\s*:\s*'([A-Z][A-Z0-9_]{2,})')?/g;
const helpers =
  /\b(?:refused|refusal|refuse|badHeader|Refusal|isFixed|tell)\(\s*(?:[^'"`;(]|'[^']*[^A-Z0-9_'][^']*'|`[^`]*`|\([^()]*\))*?'([A-Z][A-Z0-9]*_[A-Z0-9_]+)'/g;

function reasonsIn(text: string): readonly string[] {
  return [...text.matchAll(direct), ...text.matchAll(helpers)].flatMap(([, ...found]) =>
    found.filter((each) => each !== undefined),
  );
}

function sources(): readonly string[] {
  return ['packages/carillon/src', 'packages/server/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
}

test('every reason is listed once, and every listed reason is in the sources', () => {
  const listed = firstCells('docs/errors.md', /^\| Reason /);
  expect(listed.filter((each, index) => listed.indexOf(each) !== index)).toEqual([]);
  const texts = sources();
  const given = new Set(texts.flatMap(reasonsIn));
  expect([...given].filter((each) => !listed.includes(each)).sort()).toEqual([]);
  const all = texts.join('\n');
  expect(listed.filter((each) => !all.includes(`'${each}'`))).toEqual([]);
});
