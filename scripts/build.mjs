// Compiles both packages, the library first. Runs on `npm ci` (prepare), so that `npx carillon` works in a fresh checkout.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const name of ['carillon', 'server']) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', 'packages/server/tsconfig.build.json'],
  { stdio: 'inherit' },
);
