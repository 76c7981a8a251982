// Writes docs/reference from the types and doc comments of the published entry points.
//
//   node scripts/reference.mjs            writes the pages
//   node scripts/reference.mjs --check    compares them, and lists what has no comment; exits 1 when something differs
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryPoints } from './reference/entry-points.mjs';
import { pages } from './reference/pages.mjs';
import { Reader } from './reference/reader.mjs';
import { writeIndex, writePage } from './reference/writing.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'docs', 'reference');
const isCheck = process.argv.includes('--check');

const reader = new Reader(root, entryPoints);
const written = new Map(pages.map((page) => [`${page.file}.md`, writePage(page, reader)]));
written.set('README.md', writeIndex(pages));

const problems = [...reader.problems];
if (isCheck) {
  const there = existsSync(folder) ? readdirSync(folder) : [];
  for (const [name, text] of written) {
    if (!there.includes(name) || readFileSync(join(folder, name), 'utf8') !== text)
      problems.push(`docs/reference/${name} differs from the sources: run node scripts/reference.mjs`);
  }
  for (const name of there.filter((each) => !written.has(each)))
    problems.push(`docs/reference/${name} has no source any more: run node scripts/reference.mjs`);
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of written) writeFileSync(join(folder, name), text);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
