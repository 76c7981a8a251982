// Builds both packages and the page. Runs on `npm ci` (prepare), so that `npx carillon` works in a fresh checkout.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { internal, library, server } from './entry-points.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const name of ['carillon', 'server']) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', 'packages/server/tsconfig.build.json'],
  { stdio: 'inherit' },
);

// One file per module makes most of the time of an import: 270 of them took 290 ms, bundled 145. Entry points share chunks, so that
// each module still exists once in a process. Names stay readable, because they are what a user's stack traces show.
async function bundle(name, files, options) {
  await build({
    absWorkingDir: `${process.cwd()}/packages/${name}`,
    entryPoints: files.map((file) => `src/${file}`),
    outbase: 'src',
    outdir: 'dist',
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    // Without the paths of tsconfig.json, which lead the other package's names to its sources: they would be bundled a second time.
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    ...options,
  });
}
await bundle('carillon', [...Object.values({ ...library, ...internal }), 'cli/launch.ts'], {});
await bundle('server', [...Object.values(server), 'cli/bin.ts'], { sourcemap: true });

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
