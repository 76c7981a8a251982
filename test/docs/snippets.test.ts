/** TypeScript on the pages compiles against the sources; blocks marked `run` are run; quoted examples are quoted exactly. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from './pages.ts';
import { blocksOf, pages, root, textOf } from './pages.ts';

const blocks = pages().flatMap(blocksOf);
const snippets = blocks.filter(({ language }) => language === 'ts');
// Inside the repository, so that packages are found as a user's program finds them.
const folder = join(root, 'node_modules', '.cache', `carillon-snippets-${process.pid}`);
const fileOf = ({ page, line }: Block) => `${page.replace(/\W+/g, '-')}-${line}.ts`;

const importLine = /^import .* from '[^']+';/gm;
const namesIn = (line: string) => [...line.matchAll(/\b\w+\b/g)].map(([name]) => name);

/** A page is read from its top: what an earlier snippet imported need not be imported again. All on one line, to keep line numbers. */
function earlierImports({ page, line, code }: Block): string {
  const own = new Set((code.match(importLine) ?? []).flatMap(namesIn));
  const earlier = snippets
    .filter((block) => block.page === page && block.line < line)
    .flatMap((block) => block.code.match(importLine) ?? []);
  return [...new Set(earlier)]
    .filter(
      (text) =>
        !namesIn(text.replace(/ from .*/, '')).some(
          (name) => !['import', 'type'].includes(name) && own.has(name),
        ),
    )
    .join(' ');
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  // An empty export makes a module of a snippet without imports, so that its names are its own.
  for (const block of snippets) {
    writeFileSync(join(folder, fileOf(block)), `${earlierImports(block)}\n${block.code}\nexport {};\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every snippet compiles, with no more around it than the names of `surroundings.d.ts`', () => {
  const tsconfig = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, rootDir: root },
    files: [...snippets.map(fileOf), join(root, 'test/docs/surroundings.d.ts')],
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  const problems = stdout.replaceAll(/^.*carillon-snippets-\d+\//gm, '').trim();
  expect(problems).toBe('');
});

const runnable = snippets.filter(({ marks }) => marks.includes('run'));

test.each(runnable.map((block) => [`${block.page}:${block.line}`, block] as const))(
  '%s runs',
  async (_, block) => {
    await import(/* @vite-ignore */ pathToFileURL(join(folder, fileOf(block))).href);
  },
);

test('at least the first page and the guides have snippets that are run', () => {
  expect(new Set(runnable.map(({ page }) => page))).toContain('README.md');
});

const quoted = snippets.flatMap((block) => {
  const name = [...block.before.matchAll(/`(examples\/[\w.-]+\.ts)`[^`]*:\s*$/g)].at(-1)?.[1];
  return name === undefined ? [] : [[`${block.page}:${block.line} quotes ${name}`, block, name] as const];
});

test.each(quoted)('%s', (_, block, name) => {
  const source = readFileSync(join(root, name), 'utf8');
  const trimmed = source.split('\n').map((line) => line.trim());
  let from = 0;
  for (const line of block.code.split('\n').map((each) => each.trim())) {
    if (line === '' || line === '// …') continue;
    const found = trimmed.indexOf(line, from);
    expect(found, `'${line}' is not in ${name} after line ${from}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
});

test('links between the pages lead to pages', () => {
  const broken = pages().flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => {
        const base = pathToFileURL(join(root, page));
        try {
          readFileSync(new URL(to, base));
          return false;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code !== 'EISDIR';
        }
      })
      .map((to) => `${page}: ${to}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a page's headings, as the usual viewers make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const headings = withoutBlocks(text).matchAll(/^#{1,6} +(.*)$/gm);
  const anchors = [...headings].map(([, heading = '']) => {
    const words = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const base = words.replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '').replaceAll(' ', '-');
    const before = counts.get(base) ?? 0;
    counts.set(base, before + 1);
    return before === 0 ? base : `${base}-${before}`;
  });
  return new Set(anchors);
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

test('links to a part of a page lead to a heading', () => {
  const all = [...pages(), 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const links = all.flatMap((page) =>
    [...withoutBlocks(textOf(page)).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(
      ([, to = '', anchor = '']) => ({ page, to: to === '' ? page : join(dirname(page), to), anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(10);
  const broken = links.filter(({ to, anchor }) => to.endsWith('.md') && !anchorsOf(textOf(to)).has(anchor));
  expect(broken).toEqual([]);
});
