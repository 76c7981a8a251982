// Before a package is packed: built anew, with the licence and the README beside its manifest.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: ['ignore', 2, 2] });
for (const name of ['LICENSE', 'README.md']) copyFileSync(`${root}${name}`, name);
