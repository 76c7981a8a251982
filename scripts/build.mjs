// Compiles src/ to dist/ and copies what the compiler does not: SQL migrations. Runs on `npm ci` (prepare),
// so that `npx carillon` works in a fresh checkout.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
cpSync('src', 'dist', { recursive: true, filter: (path) => !/\.tsx?$/.test(path) });
if (existsSync('dist/cli/bin.js')) chmodSync('dist/cli/bin.js', 0o755);
