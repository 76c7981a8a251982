// Before a package is packed: built from the sources as they are, with the licence, the README and, in the library, the docs beside its manifest.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './is-built.mjs';
import { packedPage, packedReadme } from './packed-pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!isBuilt()) execFileSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: ['ignore', 2, 2] });

const { files = [] } = JSON.parse(readFileSync('package.json', 'utf8'));
const docs = files.includes('docs')
  ? readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
  : [];
const packed = [...docs, ...docs.map((page) => dirname(page)), 'README.md', 'LICENSE'];
const has = (path) => packed.includes(path.replace(/\/$/, ''));

copyFileSync(`${root}LICENSE`, 'LICENSE');
writeFileSync('README.md', packedReadme(readFileSync(`${root}README.md`, 'utf8'), has));
rmSync('docs', { recursive: true, force: true });
for (const page of docs) {
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, packedPage(readFileSync(join(root, page), 'utf8'), page, has));
}
