// Whether the built files are newer than everything they are made of. Packing does not build again then: the tests pack while others
// of them use the built files, which a build removes first.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** One of each step of the build, since the page can be built alone. */
const built = ['carillon/dist/main.js', 'server/dist/cli/bin.js', 'server/dist/page/manifest.json'].map(
  (file) => join(root, 'packages', file),
);
const sources = [
  ...['carillon', 'server'].flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  ...['ui/src', 'ui/index.html', 'ui/vite.config.ts', 'ui/package.json', 'scripts'],
  ...['package-lock.json', 'tsconfig.base.json'],
];

export function isBuilt() {
  if (!built.every((file) => existsSync(file))) return false;
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs));
  return sources.every((source) => newestOf(join(root, source)) < oldest);
}

/** A folder's own time tells of files that were removed. */
function newestOf(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).reduce(
    (newest, name) => Math.max(newest, statSync(join(path, name)).mtimeMs),
    own.mtimeMs,
  );
}
