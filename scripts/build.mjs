// Compiles both packages, the library first, and builds the page. Runs on `npm ci` (prepare), so that `npx carillon` works in a fresh checkout.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const name of ['carillon', 'server']) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', 'packages/server/tsconfig.build.json'],
  { stdio: 'inherit' },
);

// The compiler rewrites the endings of imports in code only. Declarations that name .ts files cannot be read by every tool.
for (const name of ['carillon', 'server']) {
  const dist = `packages/${name}/dist`;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = readFileSync(`${dist}/${file}`, 'utf8');
    const rewritten = text.replace(/(from |import\(|import )(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2');
    if (rewritten !== text) writeFileSync(`${dist}/${file}`, rewritten);
  }
}

// The page last: the compiler's part has emptied the folder it is written to.
execFileSync(process.execPath, ['scripts/build-page.mjs'], { stdio: 'inherit' });
